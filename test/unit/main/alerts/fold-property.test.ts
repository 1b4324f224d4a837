import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import type { AlertDraft } from '../../../../core/alerts'
import type { Publication } from '../../../../core/model'
import type { RuleRun } from '../../../../main/history-store/contract'
import { play, type Fault } from './model/play'
import { scripts } from './model/scripts'

const runs = Number(process.env['INDEXWATCH_PROPERTY_RUNS'] ?? '100')
const fewRuns = 600

test(
  'rules behave as defined under any changes of values, rules and the app',
  async () => {
    let firings = 0
    let changes = 0
    await fc.assert(
      fc.asyncProperty(scripts(), async (script) => {
        const played = await play(script)
        expect(played.difference).toBeUndefined()
        firings += played.firings
        changes += played.changes
      }),
      { numRuns: runs },
    )
    console.log(
      `model-based property test: ${runs} runs, ${firings} firings, ${changes} changes of them, 0 differences`,
    )
    expect(firings).toBeGreaterThan(runs / 2)
    expect(changes).toBeGreaterThan(runs / 4)
    // A run takes 10 ms of CPU, and many times that on a busy machine. No run may be cut short.
  },
  60_000 + 300 * runs,
)

const strictly = { risesTo: 'isAbove', fallsTo: 'isBelow' } as const

function withoutBand(rule: AlertDraft): AlertDraft {
  if (!('rearmBand' in rule.terms)) return rule
  const terms = { ...rule.terms }
  delete terms.rearmBand
  return { ...rule, terms }
}

function withoutHold(rule: AlertDraft): AlertDraft {
  const without = { ...rule }
  delete without.holdMs
  return without
}

function withoutHours(rule: AlertDraft): AlertDraft {
  const without = { ...rule }
  delete without.hours
  return without
}

function asNews(publication: Publication): Publication {
  const news = { ...publication }
  delete news.isRepeatOfPrevious
  return news
}

const faults: [string, Fault][] = [
  [
    'takes > for >=',
    {
      rule: (rule) =>
        rule.terms.condition === 'risesTo' || rule.terms.condition === 'fallsTo'
          ? { ...rule, terms: { ...rule.terms, condition: strictly[rule.terms.condition] } }
          : rule,
    },
  ],
  ['forgets the re-arm band', { rule: withoutBand }],
  ['forgets the hold', { rule: withoutHold }],
  ['forgets the hours', { rule: withoutHours }],
  ['takes values carried forward for new ones', { seen: asNews }],
  ['forgets the values before the last', { forgetsThePast: true }],
  [
    'forgets its states after a restart',
    { turn: (turn) => ({ ...turn, checkpoints: [], runs: turn.runs?.map(begunAgain) ?? [] }) },
  ],
  ['forgets when it was edited', { turn: (turn) => ({ ...turn, runs: turn.runs?.map(begunLongAgo) ?? [] }) }],
  ['compares the values of two sources', { forgetsSources: true }],
  ['evaluates values ahead of their time', { maxAheadMs: Infinity }],
  ['delays values that already count', { maxAheadMs: 1_999 }],
  ['does not delay values that are slightly ahead', { maxAheadMs: 2_001 }],
  ['is created anew when its deletion is undone', { remakesDeleted: true }],
  ['forgets values received while it was deleted', { forgetsWhileDeleted: true }],
  ['forgets its firings', { turn: (turn) => ({ ...turn, firings: [] }) }],
  [
    'looks at the first half of a window',
    {
      rule: (rule) =>
        rule.terms.condition === 'moves'
          ? { ...rule, terms: { ...rule.terms, withinMs: rule.terms.withinMs / 2 } }
          : rule,
    },
  ],
]

function begunLongAgo(run: RuleRun): RuleRun {
  return { ...run, document: run.document.replace(/"sinceMs":\d+/, '"sinceMs":0') }
}

function begunAgain(run: RuleRun): RuleRun {
  return { ...run, document: run.document.replace(/"fromMs":\d+,?/, '') }
}

describe('the comparison finds', () =>
  test.each(faults)('a rule that %s', async (_, fault) => {
    const found = await fc.check(
      fc.asyncProperty(scripts(), async (script) => (await play(script, fault)).difference === undefined),
      { numRuns: fewRuns, endOnFailure: true },
    )
    expect(found.failed).toBe(true)
    expect(found.numRuns).toBeLessThanOrEqual(fewRuns)
  }))
