import fc from 'fast-check'
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import { initialState } from '../../../../main/alerts/rules/state'
import type { ValueSeen } from '../../../../main/alerts/rules/observation'
import type { AlertRule } from '../../../../protocol/alerts'
import { play, type Fault } from './model/play'
import { scripts } from './model/scripts'

const runs = Number(process.env['INDEXWATCH_PROPERTY_RUNS'] ?? '2000')
const fewRuns = 600

beforeEach(() => {
  vi.useFakeTimers({ toFake: ['Date'] })
})
afterEach(() => {
  vi.useRealTimers()
})

// Set forwards and back: publish times alone count.
const setClock = (byMs: number) => vi.setSystemTime(Date.now() + byMs)

test('a rule at work does what the definitions say, whatever is published, amended, edited and restarted', () => {
  let firings = 0
  let amendments = 0
  fc.assert(
    fc.property(scripts(), (script) => {
      const played = play(script, {}, setClock)
      expect(played.difference).toBeUndefined()
      firings += played.firings
      amendments += played.amendments
    }),
    { numRuns: runs },
  )
  console.log(`model-based property test: ${runs} runs, ${firings} firings, ${amendments} amendments, 0 differences`)
  expect(firings).toBeGreaterThan(runs)
  expect(amendments).toBeGreaterThan(runs / 4)
}, 120_000)

const strictly = { risesTo: 'isAbove', fallsTo: 'isBelow' } as const

function withoutBand(rule: AlertRule): AlertRule {
  if (!('rearmBand' in rule.terms)) return rule
  const terms = { ...rule.terms }
  delete terms.rearmBand
  return { ...rule, terms }
}

function withoutHold(rule: AlertRule): AlertRule {
  const without = { ...rule }
  delete without.holdMs
  return without
}

function asNews(seen: ValueSeen): ValueSeen {
  const publication = { ...seen.publication }
  delete publication.isRepeatOfPrevious
  return { ...seen, publication }
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
  ['forgets the band', { rule: withoutBand }],
  ['forgets the hold', { rule: withoutHold }],
  ['takes values carried over for news', { seen: asNews }],
  [
    'goes by the wall clock',
    {
      seen: (seen) => ({ ...seen, publication: { ...seen.publication, publishedAtMs: Date.now() } }),
    },
  ],
  ['ignores amendments', { amendments: () => [] }],
  ['forgets its state over a restart', { kept: (_, first) => initialState(first) }],
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

describe('the comparison finds', () => {
  test.each(faults)('a rule that %s', (_, fault) => {
    const found = fc.check(
      fc.property(scripts(), (script) => play(script, fault, setClock).difference === undefined),
      { numRuns: fewRuns, endOnFailure: true },
    )
    expect(found.failed).toBe(true)
    expect(found.numRuns).toBeLessThanOrEqual(fewRuns)
  })
})
