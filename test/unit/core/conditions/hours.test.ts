import { describe, expect, test } from 'vitest'
import { newMemory } from '../../../../core/evaluation/state'
import type { AlertDraft, AlertTerms } from '../../../../core/alerts'
import type { AlertHours } from '../../../../core/alert-timing'
import { benchStartMs, firedAt, compositionSeen, observe, ruleOf, run } from '../../../support/rule-bench'

// The bench begins on a Wednesday at 12:00 UTC with a value a second. These hours start with value 3 and end before 6.
const withHours = (more: Partial<AlertHours> = {}): AlertHours => {
  return { days: ['wed'], from: '12:03', to: '12:06', timeZone: 'UTC', ...more }
}
const everyMs = 60_000
const rises: AlertTerms = { condition: 'risesTo', level: '100' }
const fired = (values: string[], more: Partial<AlertDraft> = {}, terms: AlertTerms = rises) => {
  const rule = ruleOf(terms, { hours: withHours(), ...more })
  return firedAt(rule, values, { everyMs, cadence: 'PER_MINUTE' })
}

describe('a rule with hours', () => {
  test('fires only within them', () => {
    expect(fired(['99', '101', '99', '99', '101', '99', '101'])).toEqual([4])
    expect(firedAt(ruleOf(rises), ['99', '101', '99', '99', '101', '99', '101'], { everyMs })).toEqual([1, 4, 6])
  })

  test('does not fire when they begin if its condition is already true', () =>
    expect(fired(['99', '101', '101', '101', '102'])).toEqual([]))

  test('fires once when they begin on an already true condition, if set to do so', () => {
    expect(fired(['99', '101', '101', '101', '102', '103'], { hours: withHours({ alsoIfTrue: true }) })).toEqual([3])
    expect(fired(['99', '101', '101', '99', '101', '103'], { hours: withHours({ alsoIfTrue: true }) })).toEqual([4])
  })

  test('made within them waits if already true, even if set to fire when they begin', () => {
    const hours = withHours({ from: '12:00', alsoIfTrue: true })
    expect(fired(['101', '101', '99', '101'], { hours })).toEqual([3])
  })

  test('is not armed when they begin by a value inside its re-arm band', () => {
    const terms: AlertTerms = { ...rises, rearmBand: { size: '5', unit: 'points' } }
    expect(fired(['90', '101', '99', '99', '101'], { hours: withHours({ alsoIfTrue: true }) }, terms)).toEqual([])
  })

  test('of mode once is not used up outside them', () => {
    const { phase, fired: found } = run(
      ruleOf(rises, { repeat: { mode: 'once' }, hours: withHours() }),
      ['99', '101', '99', '99', '101'],
      { everyMs },
    )
    expect(found.map(({ at }) => at)).toEqual([4])
    expect(phase).toBe('triggered')
  })

  test('repeats only a condition that became true within them', () => {
    const repeat = { mode: 'whileTrue', everyMinutes: 1 } as const
    expect(fired(['99', '101', '101', '101', '101'], { repeat })).toEqual([])
    expect(fired(['99', '99', '99', '101', '101', '101', '101', '101'], { repeat })).toEqual([3, 4, 5])
  })

  test('fires for a hold that begins before them and ends within them', () => {
    expect(fired(['99', '99', '101', '101', '101'], { holdMs: 60_000 })).toEqual([3])
    expect(fired(['99', '101', '101', '101', '101'], { holdMs: 60_000 })).toEqual([])
  })

  test('reports that a value was outside them', () => {
    const { verdicts } = run(ruleOf(rises, { hours: withHours() }), ['99', '101'], { everyMs })
    expect(verdicts.map(({ words }) => words)).toEqual([
      '99 is below 100: armed.',
      '101 is above 100: outside its hours.',
    ])
  })

  test('does not fire within them for a move that happened outside', () => {
    const terms: AlertTerms = { condition: 'moves', direction: 'up', amount: '5', unit: 'points', withinMs: 120_000 }
    expect(fired(['100', '100', '106', '106', '107'], {}, terms)).toEqual([])
    expect(fired(['100', '100', '106', '106', '111'], {}, terms)).toEqual([4])
  })

  test('fires for an amendment within them after one outside', () => {
    const rule = ruleOf({ condition: 'amended' }, { hours: withHours() })
    const amended = { value: '1', amendedAtMs: benchStartMs + 1 }
    expect(firedAt(rule, [amended, '1', '1', amended], { everyMs, whenAlreadyMet: 'fire' })).toEqual([3])
  })

  test('remembers constituents that changed outside them', () => {
    const rule = ruleOf({ condition: 'constituentsChanged' }, { hours: withHours() })
    const seen = [
      compositionSeen(0, { A: '100' }),
      compositionSeen(60, { B: '100' }),
      compositionSeen(180, { B: '100' }),
    ]
    expect(observe(rule, seen).fired).toEqual([])
    expect(observe(rule, [...seen, compositionSeen(240, { C: '100' })]).fired).toMatchObject([{ at: 3 }])
  })

  test('does not report the end of a silence that began outside them', () => {
    const rule = ruleOf({ condition: 'noUpdate' }, { hours: withHours() })
    const silentAt = (at: number) => ({ kind: 'silent', atMs: benchStartMs + at * everyMs }) as const
    const resumed = { kind: 'resumed', publication: { value: '1', publishedAtMs: benchStartMs + 4 * everyMs } } as const
    const outside = observe(rule, [silentAt(1), resumed], { memory: newMemory() })
    expect([outside.fired, outside.verdicts.flatMap(({ recovered = [] }) => recovered)]).toEqual([[], []])
    const inside = observe(rule, [silentAt(3), resumed])
    expect([inside.fired.length, inside.verdicts.flatMap(({ recovered = [] }) => recovered).length]).toEqual([1, 1])
  })

  test('judges the drift of each constituent separately when they begin', () => {
    const terms: AlertTerms = { condition: 'weightDrift', points: '2', base: 'made' }
    const seen = [
      { A: '50', B: '50' },
      { A: '53', B: '50' },
      { A: '53', B: '50' },
      { A: '53', B: '53' },
    ]
    const at = (hours: AlertHours) =>
      observe(
        ruleOf(terms, { hours }),
        seen.map((composition, each) => compositionSeen(60 * (each + 1), composition)),
      ).fired.map(({ at: step, inputs }) => `${step} ${inputs.constituent ?? ''}`)
    expect(at(withHours())).toEqual(['3 B'])
    expect(at(withHours({ alsoIfTrue: true }))).toEqual(['2 A', '3 B'])
  })
})
