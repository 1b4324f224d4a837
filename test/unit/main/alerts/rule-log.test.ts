import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { reachAmong, RuleLog, wholeReach } from '../../../../main/alerts/rule-log'
import { ActiveRule } from '../../../../main/alerts/active-rule'
import type { ValueSeen } from '../../../../main/alerts/rules/observation'
import { initialState, type RuleState } from '../../../../main/alerts/rules/state'
import type { AlertRule, AlertTerms } from '../../../../protocol/alerts'

const startMs = Date.UTC(2023, 10, 1, 12)
const at = (second: number) => startMs + second * 1_000
const level: AlertTerms = { condition: 'crosses', level: '100' }
const move = (withinMs: number, amount = '3'): AlertTerms => ({
  condition: 'moves',
  direction: 'either',
  amount,
  unit: 'points',
  withinMs,
})

function ruleOf(terms: AlertTerms): AlertRule {
  return {
    id: 'r',
    indexId: 'BRTI',
    terms,
    repeat: { mode: 'everyCrossing' },
    severity: 'normal',
    version: 1,
    createdAtMs: startMs,
  }
}

function seenAt(second: number, value = '99'): ValueSeen {
  return { kind: 'value', publication: { value, publishedAtMs: at(second) }, cadence: 'PER_SECOND' }
}

function logOf(terms: AlertTerms, count: number, stateAt: (second: number) => RuleState): RuleLog {
  const log = new RuleLog(ruleOf(terms))
  for (let second = 0; second < count; second++) log.add(seenAt(second), stateAt(second))
  return log
}

const state = initialState('wait')

describe('the values a rule can be judged by again', () => {
  test('reach back half an hour of every second, and not much further', () => {
    const log = logOf(level, 10_000, () => state)
    expect(log.placeOf(at(10_000 - 1_800))).toBeDefined()
    expect(log.placeOf(at(10_000 - 2_200))).toBeUndefined()
    expect(log.length).toBeLessThan(2_200)
  })

  test('reach back two windows of a move, of which the first is only what the second is judged by', () => {
    const log = logOf(move(3_600_000), 15_000, () => state)
    expect(log.placeOf(at(15_000 - 3_600))).toBeDefined()
    expect(log.sinceMs).toBeLessThanOrEqual(at(15_000 - 7_200))
    expect(log.placeOf((log.sinceMs ?? 0) + 3_599_000)).toBeUndefined()
    expect(log.length).toBeLessThan(7_600)
  })

  test('are fewer where rules watch many indices, so that all together stay within some megabytes', () => {
    expect([1, 80].map((count) => reachAmong(count).default)).toEqual([1_800, 1_800])
    expect([reachAmong(0), reachAmong(7).max]).toEqual([wholeReach, 20_000])
    expect(reachAmong(10_000)).toEqual({ default: 300, max: 300 })
    for (const count of [81, 200, 500]) expect(count * reachAmong(count).max).toBeLessThanOrEqual(150_000)
    const log = new RuleLog(ruleOf(move(3_600_000)))
    for (let second = 0; second < 3_000; second++) log.add(seenAt(second), state, reachAmong(500))
    expect(log.length).toBeLessThan(600)
    expect(log.placeOf(at(2_999))).toBeUndefined()
    const levels = new RuleLog(ruleOf(level))
    for (let second = 0; second < 3_000; second++) levels.add(seenAt(second), state, reachAmong(500))
    expect(levels.placeOf(at(2_999 - 299))).toBeDefined()
    expect(levels.length).toBeLessThan(600)
  })

  test('are never more than twenty thousand or so', () => {
    expect(logOf(move(86_400_000), 30_000, () => state).length).toBeLessThan(20_300)
  })

  test('keep the state before each, also of those before which it did not change', () => {
    const states = [0, 1, 2, 3].map((): RuleState => ({ ...state }))
    const stateAt = (second: number) => states[Math.floor(second / 1_000)] ?? state
    const log = logOf(level, 4_000, stateAt)
    for (const second of [2_200, 2_999, 3_000, 3_001, 3_999]) {
      const place = log.placeOf(at(second))
      expect(place === undefined ? undefined : log.stateBefore(place), `second ${second}`).toBe(stateAt(second))
    }
  })

  test('leave out a value no newer than the last, and a time between two', () => {
    const log = logOf(level, 10, () => state)
    log.add(seenAt(4, '1'), state)
    expect(log.length).toBe(10)
    expect(log.at(4)?.publication.value).toBe('99')
    expect(log.placeOf(at(4) + 500)).toBeUndefined()
    expect(log.placeOf(at(4))).toBe(4)
  })
})

describe('a rule whose oldest values are let go is amended to what it would be had all been right at once', () => {
  const count = 2_600

  /** To and fro by up to a point a second. */
  function valuesOf(seed: number): string[] {
    let drawn = seed
    let tenths = 1_000
    return Array.from({ length: count + 40 }, () => {
      drawn = (drawn * 1_103_515_245 + 12_345) % 2_147_483_648
      tenths += (drawn % 21) - 10 + (tenths > 1_000 ? -1 : 1)
      return String(tenths / 10)
    })
  }

  function runOver(terms: AlertTerms, values: readonly string[]) {
    const run = new ActiveRule(ruleOf(terms), initialState('wait'))
    const see = (second: number, each: string) => {
      for (const { publishedAtMs = 0 } of run.see(seenAt(second, each)).firings)
        run.noteEvent(String(publishedAtMs), publishedAtMs)
    }
    for (const [second, each] of values.slice(0, count).entries()) see(second, each)
    const firings = () => run.fired.map(({ publication, inputs }) => [publication.publishedAtMs, inputs?.direction])
    return { run, see, firings }
  }

  function check(terms: AlertTerms, seed: number, { place, value }: { place: number; value: string }) {
    const values = valuesOf(seed)
    const subject = runOver(terms, values)
    expect(subject.firings().length).toBeGreaterThan(0)
    const amendment = { value, publishedAtMs: at(place), amendedAtMs: at(count) }
    for (const { kind, inputs } of subject.run.amend(amendment))
      if (kind === 'lateByAmendment') subject.run.noteEvent('late', inputs.publishedAtMs ?? 0)
    const right = runOver(terms, values.with(place, value))
    for (let second = count; second < values.length; second++) {
      subject.see(second, values[second] ?? '')
      right.see(second, values[second] ?? '')
    }
    expect(subject.firings()).toEqual(right.firings())
    expect(subject.run.state).toEqual(right.run.state)
  }

  test.each([
    ['level', level],
    ['move within seconds', move(8_000)],
    ['move within minutes', move(400_000)],
  ])(
    'a %s',
    (_, terms) => {
      const change = fc.record({
        place: fc.integer({ min: count - 1_000, max: count - 1 }),
        value: fc.integer({ min: 85, max: 115 }).map(String),
      })
      const each = fc.property(fc.nat(), change, (seed, amended) => {
        check(terms, seed, amended)
      })
      fc.assert(each, { numRuns: 10 })
    },
    60_000,
  )

  test('a move that fired before the values which are left cover its window', () => {
    // Up by 12 at 1,001, which fires; then 7 down and up again, which does not: the window begins again at 112.
    const valueAt = (second: number) => (second <= 1_000 ? '100' : second === 1_300 ? '105' : '112')
    const values = Array.from({ length: count }, (_, second) => valueAt(second))
    const { run, firings } = runOver(move(800_000, '11'), values)
    expect(firings()).toEqual([[at(1_001), 'up']])
    // The lowest since then is 105; by the log alone, which begins after 700, the window would begin at about 1,570.
    expect(run.amend({ value: '117', publishedAtMs: at(1_590), amendedAtMs: at(count) })).toMatchObject([
      { kind: 'lateByAmendment', inputs: { change: '12', reference: { kind: 'min', publishedAtMs: at(1_300) } } },
    ])
  })
})
