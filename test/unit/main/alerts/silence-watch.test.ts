import { expect, test } from 'vitest'
import type { Observation } from '../../../../core/evaluation/observation'
import { SilenceWatch } from '../../../../main/alerts/silence-watch'
import type { AlertRule } from '../../../../core/alerts'
import type { Resolution } from '../../../../core/model'
import { FakeClock } from '../../../support/fake-clock'
import { day, hour, minute, policyRule, second } from '../../../support/policy-bench'

const afterMinute = silence('r0', { afterMs: minute })

function silence(id: string, { afterMs, indexId = 'BRTI' }: { afterMs?: number; indexId?: string } = {}): AlertRule {
  return policyRule({ id, indexId, terms: { condition: 'noUpdate', ...(afterMs !== undefined && { afterMs }) } })
}

function given(rules: readonly AlertRule[]) {
  return rules.map((rule) => ({ rule }))
}

function openWatch(rules: readonly AlertRule[]) {
  const clock = new FakeClock()
  const cadences = new Map<string, Resolution>([['BRTI', 'PER_SECOND']])
  const seen: [string, Observation][] = []
  const onSeenToo: (() => void)[] = []
  const watch = new SilenceWatch({
    clock,
    cadenceOf: (id) => cadences.get(id),
    onSeen: (ruleId, observation) => {
      seen.push([ruleId, observation])
      for (const run of onSeenToo) run()
    },
  })
  watch.rulesChanged(given(rules))
  /** Publishes now; answers the publication. */
  const publish = (id = 'BRTI', more: { isRepeatOfPrevious?: true } = {}) => {
    const publication = { value: '100', publishedAtMs: clock.wallMs(), ...more }
    watch.noteActivity(id, publication)
    return publication
  }
  const kinds = () => seen.map(([ruleId, { kind }]) => `${ruleId} ${kind}`)
  return { clock, cadences, seen, onSeenToo, watch, publish, kinds }
}

function expectSilentIn(ms: number, { clock, kinds }: ReturnType<typeof openWatch>): void {
  clock.advance(ms - 1)
  expect(kinds()).toEqual([])
  clock.advance(1)
  expect(kinds()).toEqual(['r0 silent'])
}

/** After a wake: the time of the rule begins again. */
function expectSilentInAMinute(opened: ReturnType<typeof openWatch>): void {
  opened.watch.restart()
  expectSilentIn(minute, opened)
}

test('one silence after the time of the rule, one end at the next value, and then again', () => {
  const { clock, seen, publish } = openWatch([afterMinute])
  clock.advance(30 * second)
  const last = publish()
  clock.advance(minute - 1)
  expect(seen).toEqual([])
  clock.advance(1)
  const silent = ['r0', { kind: 'silent', atMs: clock.wallMs(), sinceMs: last.publishedAtMs }]
  expect(seen).toEqual([silent])
  clock.advance(hour)
  expect(seen).toHaveLength(1)
  const publication = publish()
  expect(seen).toEqual([silent, ['r0', { kind: 'resumed', publication }]])
  publish()
  clock.advance(minute - 1)
  expect(seen).toHaveLength(2)
  clock.advance(1)
  expect(seen.slice(2)).toEqual([['r0', { kind: 'silent', atMs: clock.wallMs(), sinceMs: publication.publishedAtMs }]])
})

test('an index that publishes in time is never silent', () => {
  const { clock, seen, publish } = openWatch([afterMinute])
  for (let at = 0; at < 200; at++) {
    clock.advance(minute - 1)
    publish()
  }
  expect(seen).toEqual([])
})

test('counts from its own beginning where nothing has been heard, and knows no time then', () => {
  const { clock, seen } = openWatch([afterMinute])
  clock.advance(minute)
  expect(seen).toEqual([['r0', { kind: 'silent', atMs: clock.wallMs() }]])
})

test('a rule made later counts from then and knows the last value', () => {
  const { clock, seen, watch, publish } = openWatch([])
  const { publishedAtMs } = publish()
  clock.advance(hour)
  watch.rulesChanged(given([afterMinute]))
  clock.advance(minute - 1)
  expect(seen).toEqual([])
  clock.advance(1)
  expect(seen).toEqual([['r0', { kind: 'silent', atMs: clock.wallMs(), sinceMs: publishedAtMs }]])
})

test('without a time of its own a rule goes by the cadence of the index', () => {
  const { clock, seen } = openWatch([silence('r0')])
  clock.advance(10 * second - 1)
  expect(seen).toEqual([])
  clock.advance(1)
  expect(seen).toHaveLength(1)
})

test('a short silence is found in time after a long one', () => {
  const { clock, kinds, publish } = openWatch([silence('r0')])
  clock.advance(hour)
  publish()
  clock.advance(10 * second - 1)
  expect(kinds()).toEqual(['r0 silent', 'r0 resumed'])
  clock.advance(1)
  expect(kinds()).toEqual(['r0 silent', 'r0 resumed', 'r0 silent'])
})

test('is not silent before the cadence is known, and within a minute after', () => {
  const { clock, cadences, seen } = openWatch([silence('r0', { indexId: 'NEW' })])
  clock.advance(day)
  expect(seen).toEqual([])
  cadences.set('NEW', 'PER_MINUTE')
  clock.advance(minute)
  expect(seen).toHaveLength(1)
})

test('a cadence that becomes shorter counts from the next value', () => {
  const { clock, cadences, kinds, publish } = openWatch([silence('r0')])
  cadences.set('BRTI', 'PER_HOUR')
  publish()
  clock.advance(2 * hour + 15 * second)
  cadences.set('BRTI', 'PER_SECOND')
  publish()
  clock.advance(10 * second)
  expect(kinds()).toEqual(['r0 silent'])
})

test('each rule of an index has its own time, and other indices are not concerned', () => {
  const rules = [afterMinute, silence('r1', { afterMs: 2 * minute }), silence('r2', { afterMs: minute, indexId: 'B' })]
  const { clock, kinds, publish } = openWatch(rules)
  const advance = (ms: number) => {
    for (let passed = 0; passed < ms; passed += second) {
      clock.advance(second)
      publish('B')
    }
  }
  advance(minute)
  expect(kinds()).toEqual(['r0 silent'])
  advance(minute)
  expect(kinds()).toEqual(['r0 silent', 'r1 silent'])
  publish('BRTI')
  expect(kinds().slice(2)).toEqual(['r0 resumed', 'r1 resumed'])
})

test('rules that ask for something else are passed over', () => {
  const { clock, seen, publish } = openWatch([policyRule()])
  expect(clock.pending).toBe(0)
  clock.advance(day)
  publish()
  expect(seen).toEqual([])
})

test('a value carried over counts as heard; the same publication amended does not', () => {
  const { clock, watch, kinds, publish } = openWatch([afterMinute])
  const last = publish()
  clock.advance(40 * second)
  watch.noteActivity('BRTI', { ...last, value: '101', amendedAtMs: clock.wallMs() })
  clock.advance(20 * second)
  expect(kinds()).toEqual(['r0 silent'])
  watch.noteActivity('BRTI', { ...last, value: '102', amendedAtMs: clock.wallMs() })
  expect(kinds()).toEqual(['r0 silent'])
  publish('BRTI', { isRepeatOfPrevious: true })
  expect(kinds()).toEqual(['r0 silent', 'r0 resumed'])
})

test('rules that stay count on when others come and go; an edited one begins again', () => {
  const { clock, watch, kinds } = openWatch([afterMinute, silence('r1', { afterMs: minute })])
  clock.advance(40 * second)
  watch.rulesChanged(given([silence('r2', { afterMs: minute }), afterMinute, { ...silence('r1'), version: 2 }]))
  clock.advance(10 * second)
  expect(kinds()).toEqual(['r1 silent'])
  clock.advance(10 * second)
  expect(kinds()).toEqual(['r1 silent', 'r0 silent'])
  watch.rulesChanged([])
  clock.advance(day)
  expect(kinds()).toHaveLength(2)
})

test('a rule that stays silent is not said silent again because the rules changed', () => {
  const { clock, watch, kinds, onSeenToo } = openWatch([afterMinute])
  onSeenToo.push(() => watch.rulesChanged(given([afterMinute])))
  clock.advance(hour)
  expect(kinds()).toEqual(['r0 silent'])
})

// SwiftBar#551: a warning that counts the time asleep comes at every wake.
test('a stale warning does not count the time asleep', () => {
  const opened = openWatch([afterMinute])
  const { clock, publish } = opened
  publish()
  clock.advance(30 * second)
  clock.sleep(2 * hour)
  expectSilentInAMinute(opened)
})

test('nor where the timer comes before the word of the wake', () => {
  const opened = openWatch([afterMinute])
  const { clock, kinds } = opened
  clock.advance(30 * second)
  clock.sleep(2 * hour)
  clock.advance(0)
  expect(kinds()).toEqual([])
  expectSilentInAMinute(opened)
})

test('a silence after the wake is noticed on time, though timers stood still with the machine', () => {
  const opened = openWatch([afterMinute])
  opened.clock.advance(second)
  opened.clock.sleepMachine(2 * hour)
  expectSilentInAMinute(opened)
})

test('a timer that is a little late is no sleep', () => {
  const { clock, kinds } = openWatch([afterMinute])
  clock.sleep(minute + 4 * second)
  clock.advance(0)
  expect(kinds()).toEqual(['r0 silent'])
})

test('a silence that began before the sleep goes on after it and has one end', () => {
  const { clock, watch, kinds, publish } = openWatch([afterMinute])
  clock.advance(minute)
  clock.sleep(2 * hour)
  watch.restart()
  clock.advance(hour)
  expect(kinds()).toEqual(['r0 silent'])
  publish()
  expect(kinds()).toEqual(['r0 silent', 'r0 resumed'])
})

test('a wall clock set forward two hours or back one changes nothing', () => {
  for (const jumpMs of [2 * hour, -hour]) {
    const { clock, kinds, publish } = openWatch([afterMinute])
    publish()
    clock.jumpWall(jumpMs)
    clock.advance(minute - 1)
    expect(kinds()).toEqual([])
    publish()
    clock.advance(minute)
    expect(kinds()).toEqual(['r0 silent'])
  }
})

test('one timer does for all rules, and none is left at the end', () => {
  const rules = Array.from({ length: 40 }, (_, at) => silence(`r${at}`, { afterMs: minute, indexId: `I${at}` }))
  const { clock, watch, kinds } = openWatch(rules)
  expect(clock.pending).toBe(1)
  clock.advance(minute)
  expect(kinds()).toEqual(rules.map(({ id }) => `${id} silent`))
  expect(clock.pending).toBe(1)
  watch.dispose()
  expect(clock.pending).toBe(0)
})

test('a silence of more days than a timer can wait is found', () =>
  expectSilentIn(30 * day, openWatch([silence('r0', { afterMs: 30 * day })])))

test('while the user wants nothing received nothing is counted; it begins again with the resume', () => {
  const { watch, clock, kinds } = openWatch([afterMinute])
  clock.advance(50 * second)
  watch.setPaused(true)
  watch.rulesChanged(given([afterMinute, silence('r1', { afterMs: second })]))
  clock.advance(day)
  expect(kinds()).toEqual([])
  watch.setPaused(false)
  clock.advance(second)
  expect(kinds()).toEqual(['r1 silent'])
  // Heard again: it does not begin once more.
  watch.setPaused(false)
  clock.advance(minute - second - 1)
  expect(kinds()).toEqual(['r1 silent'])
  clock.advance(1)
  expect(kinds()).toEqual(['r1 silent', 'r0 silent'])
})

test('a silence from before a pause ends with the first value after it', () => {
  const { watch, clock, kinds, publish } = openWatch([afterMinute])
  clock.advance(minute)
  watch.setPaused(true)
  clock.advance(hour)
  watch.setPaused(false)
  clock.advance(hour)
  expect(kinds()).toEqual(['r0 silent'])
  publish()
  expect(kinds()).toEqual(['r0 silent', 'r0 resumed'])
})
