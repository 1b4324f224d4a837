import { describe, expect, test } from 'vitest'
import type { AlertEventKind } from '../../../../../core/alert-events'
import type { AlertRule, SnoozeScope } from '../../../../../core/alerts'
import { countSuppressed, readPolicy } from '../../../../../main/alerts/policy/notification-policy'
import { day, eventOf, hour, minute, PolicyBench, policyRule, second, startMs } from '../../../../support/policy-bench'

const cooling = policyRule({ cooldownMs: minute })
const untilMs = startMs + hour

/** Why the rule's events at these times after the start are suppressed. Undefined if they are notified. */
function heldBack(policy: PolicyBench, rule: AlertRule, afterMs: readonly number[], kind: AlertEventKind = 'fired') {
  return afterMs.map((ms) => policy.decide(rule, eventOf(rule, { kind }), startMs + ms).heldBackBy)
}

/** `count` times, `everyMs` apart. */
const times = (count: number, everyMs = second, fromMs = 0) =>
  Array.from({ length: count }, (_, at) => fromMs + at * everyMs)

test.each(['fired', 'lateByAmendment', 'recovered'] as const)('notifies of %s if nothing suppresses it', (kind) => {
  const policy = new PolicyBench()
  expect(policy.decide(policyRule(), eventOf(policyRule(), { kind }), startMs)).toEqual({ events: [] })
  expect(policy.due([policyRule()], startMs)).toEqual({ events: [], hasChanged: false })
  expect(policy.nextMs([policyRule()], startMs)).toBe(Infinity)
})

describe('a cooldown', () => {
  test('suppresses and counts events, and reports the count at its end, also after a restart', () => {
    const before = new PolicyBench()
    expect(heldBack(before, cooling, [0, 0])).toEqual([undefined, 'cooldown'])
    expect(heldBack(before, cooling, [second], 'recovered')).toEqual(['cooldown'])
    const policy = before.restarted()
    const last = eventOf(cooling, { inputs: { value: '100.4', publishedAtMs: startMs + 59_999 } })
    expect(policy.decide(cooling, last, startMs + minute - 1)).toEqual({ heldBackBy: 'cooldown', events: [] })
    expect(policy.of(cooling.id).cooldown).toEqual({ untilMs: startMs + minute, heldBack: 3 })
    expect(policy.nextMs([cooling], startMs + second)).toBe(startMs + minute)
    expect(policy.due([cooling], startMs + minute - 1)).toEqual({ events: [], hasChanged: false })
    const over = { events: [{ kind: 'cooldownOver', heldBackCount: 3, last }], hasChanged: true }
    expect(policy.due([cooling], startMs + minute)).toEqual(over)
    expect(policy.restarted().due([cooling], startMs + minute)).toEqual({ events: [], hasChanged: false })
    expect(heldBack(policy, cooling, [minute])).toEqual([undefined])
  })

  test('without suppressed events ends without an event, even after one that had some', () => {
    const policy = new PolicyBench()
    heldBack(policy, cooling, [0, second])
    policy.due([cooling], startMs + minute)
    heldBack(policy, cooling, [2 * minute])
    expect(policy.due([cooling], startMs + 3 * minute)).toEqual({ events: [], hasChanged: true })
    expect(policy.of(cooling.id).cooldown).toBeUndefined()
  })

  test('that ended unnoticed is reported at the next event, which is notified', () => {
    const policy = new PolicyBench()
    heldBack(policy, cooling, [0, second])
    expect(policy.decide(cooling, eventOf(cooling), startMs + minute)).toMatchObject({
      events: [{ kind: 'cooldownOver', heldBackCount: 1 }],
    })
    expect(policy.of(cooling.id).cooldown).toEqual({ untilMs: startMs + 2 * minute, heldBack: 0 })
  })

  // Leek-fund ignores a symbol for minutes after any alert, so another threshold of it is lost.
  test('is limited to its rule: a second threshold during it fires', () => {
    const policy = new PolicyBench()
    const other = policyRule({ id: 'r1', cooldownMs: minute })
    expect(heldBack(policy, cooling, [0])).toEqual([undefined])
    expect(heldBack(policy, other, [1])).toEqual([undefined])
    expect(heldBack(policy, cooling, [1])).toEqual(['cooldown'])
  })

  test('ends when the wall clock is set forward two hours', () => {
    const policy = new PolicyBench()
    expect(heldBack(policy, cooling, [0, 2 * hour])).toEqual([undefined, undefined])
  })

  test.each([true, false])(
    'lasts at most one more cooldown if the clock is set back an hour (checked between: %s)',
    (looks) => {
      const policy = new PolicyBench()
      heldBack(policy, cooling, [0])
      expect(policy.nextMs([cooling], startMs - hour)).toBe(startMs - hour + minute)
      if (looks) expect(policy.due([cooling], startMs - hour)).toEqual({ events: [], hasChanged: true })
      expect(heldBack(policy, cooling, [-hour])).toEqual(['cooldown'])
      expect(policy.of(cooling.id).cooldown).toEqual({ untilMs: startMs - hour + minute, heldBack: 1 })
      expect(heldBack(policy, cooling, [minute - hour])).toEqual([undefined])
    },
  )
})

describe('a daily limit', () => {
  const twice = policyRule({ repeat: { mode: 'daily', max: 2 } })

  test('suppresses events beyond it and begins again the next day', () => {
    const policy = new PolicyBench()
    expect(heldBack(policy, twice, [0, hour, 2 * hour])).toEqual([undefined, undefined, 'dailyLimit'])
    const midnightMs = 12 * hour
    expect(heldBack(policy, twice, [midnightMs - 1])).toEqual(['dailyLimit'])
    expect(heldBack(policy, twice, times(3, 0, midnightMs))).toEqual([undefined, undefined, 'dailyLimit'])
  })

  test('counts days in the time zone of the user', () => {
    const inTokyo = new Intl.DateTimeFormat('en-CA', { timeZone: 'Asia/Tokyo' })
    const policy = new PolicyBench({ dayOf: (ms) => inTokyo.format(ms) })
    const midnightMs = 3 * hour
    const held = heldBack(policy, twice, [0, 1, midnightMs - 1, midnightMs, midnightMs, 12 * hour])
    expect(held).toEqual([undefined, undefined, 'dailyLimit', undefined, undefined, 'dailyLimit'])
  })

  test('stays in effect after a restart, and suppressed events do not use it up', () => {
    const policy = new PolicyBench()
    policy.snooze({ of: 'all' }, null)
    expect(heldBack(policy, twice, [0, 0, 0])).toEqual(['muted', 'muted', 'muted'])
    policy.endSnooze({ of: 'all' })
    expect(heldBack(policy, twice, [0, 0])).toEqual([undefined, undefined])
    expect(heldBack(policy.restarted(), twice, [hour])).toEqual(['dailyLimit'])
  })

  test('does not suppress the end of a notified silence, also after a restart', () => {
    const silence = policyRule({ terms: { condition: 'noUpdate' }, repeat: { mode: 'daily', max: 1 } })
    const before = new PolicyBench()
    expect(heldBack(before, silence, [0])).toEqual([undefined])
    const policy = before.restarted()
    expect(heldBack(policy, silence, [0], 'recovered')).toEqual([undefined])
    expect(heldBack(policy, silence, [0])).toEqual(['dailyLimit'])
    expect(heldBack(policy, silence, [0], 'recovered')).toEqual(['dailyLimit'])
  })
})

test.each([
  ['lateFromHistory', ['hours', undefined, undefined, 'hours']],
  ['lateByAmendment', ['hours', undefined, undefined, 'hours']],
  // A live value that the rule itself has seen.
  ['fired', [undefined, undefined, undefined, undefined]],
] as const)('outside the hours of its rule %s is suppressed only if found later', (kind, held) => {
  const days = ['mon', 'tue', 'wed', 'thu', 'fri', 'sat', 'sun'] as const
  const rule = policyRule({ hours: { days: [...days], from: '09:00', to: '17:00', timeZone: 'UTC' } })
  const oclock = [8, 9, 16, 17].map((clock) => (clock - 12) * hour)
  expect(heldBack(new PolicyBench(), rule, oclock, kind)).toEqual(held)
})

describe('a rule that fires too often', () => {
  const rule = policyRule()
  const reason = 'It fired 16 times in 3 min. Widen the re-arm band or add a cooldown, then re-arm it.'
  const isSuspended = (policy: PolicyBench, of: AlertRule, afterMs: readonly number[]) =>
    heldBack(policy, of, afterMs).includes('suspended')

  test('is suspended with a reason at its sixteenth notification within three minutes', () => {
    const policy = new PolicyBench()
    expect(heldBack(policy, rule, times(15))).toEqual(times(15).map(() => undefined))
    const sixteenth = policy.decide(rule, eventOf(rule), startMs + 3 * minute - 1)
    expect(sixteenth).toEqual({ heldBackBy: 'suspended', events: [{ kind: 'suspended', reason }] })
    expect(policy.of(rule.id).suspension).toBe(reason)
    for (const kind of ['fired', 'lateByAmendment', 'recovered'] as const)
      expect(heldBack(policy.restarted(), rule, [hour], kind)).toEqual(['suspended'])
  })

  test.each([
    [[...times(15), 3 * minute], false],
    [times(100, 12 * second), false],
    [times(100, 11 * second), true],
    // The wall clock is set, so distant firings do not count.
    [[...times(15), ...times(15, second, -hour)], false],
    [[...times(15), ...times(15, second, 2 * hour)], false],
  ])('is suspended only if its firings are within three minutes (%#)', (afterMs, expected) => {
    expect(isSuspended(new PolicyBench(), rule, afterMs)).toBe(expected)
  })

  test('is not suspended for suppressed events or for ends of silences', () => {
    expect(isSuspended(new PolicyBench(), cooling, times(100))).toBe(false)
    expect(isSuspended(new PolicyBench(), policyRule({ repeat: { mode: 'daily', max: 15 } }), times(100))).toBe(false)
    const muted = new PolicyBench()
    muted.snooze({ of: 'all' }, startMs + minute)
    expect(isSuspended(muted, rule, times(75))).toBe(false)
    expect(heldBack(new PolicyBench(), rule, times(40, 0), 'recovered')).toEqual(times(40).map(() => undefined))
  })

  test('is suspended with a remedy that it can have', () => {
    const policy = new PolicyBench()
    heldBack(policy, { ...rule, terms: { condition: 'constituentsChanged' } }, times(16))
    expect(policy.of(rule.id).suspension).toBe('It fired 16 times in 3 min. Add a cooldown, then re-arm it.')
  })

  test('is suspended by firings before and after a restart', () => {
    const policy = new PolicyBench()
    heldBack(policy, rule, times(15))
    expect(isSuspended(policy.restarted(), rule, [minute])).toBe(true)
    expect(isSuspended(policy.restarted(), policyRule({ id: 'r1' }), [minute])).toBe(false)
  })

  test('is counted again after it is re-armed', () => {
    const policy = new PolicyBench()
    heldBack(policy, rule, times(16))
    policy.renew(rule)
    expect(policy.of(rule.id)).toEqual({})
    expect(isSuspended(policy, rule, times(15, second, 20 * second))).toBe(false)
  })
})

describe('the end of a rule', () => {
  const endMs = startMs + 3 * day
  const rule = policyRule({ expiresAt: { atMs: endMs, timeZone: 'Europe/London' } })
  const kinds = (policy: PolicyBench, ms: number, of = rule) => policy.due([of], ms).events.map(({ kind }) => kind)

  test('is notified once a day before and once when it comes', () => {
    const policy = new PolicyBench()
    expect(policy.nextMs([rule], startMs)).toBe(endMs - day)
    expect(kinds(policy, endMs - day - 1)).toEqual([])
    expect(policy.due([rule], endMs - day)).toEqual({ events: [{ kind: 'expiresSoon' }], hasChanged: true })
    expect(policy.of(rule.id).isExpired).toBeUndefined()
    expect(policy.nextMs([rule], endMs - day)).toBe(endMs)
    const next = policy.restarted()
    expect(next.due([rule], endMs - 1)).toEqual({ events: [], hasChanged: false })
    expect(kinds(next, endMs)).toEqual(['expired'])
    expect(next.of(rule.id).isExpired).toBe(true)
    expect(next.due([rule], endMs + day)).toEqual({ events: [], hasChanged: false })
    expect(next.nextMs([rule], endMs)).toBe(Infinity)
  })

  test.each([
    [endMs - day - 1, ['expiresSoon']],
    [endMs - day, []],
    [endMs - minute, []],
  ])('has no warning if the rule was created within its last day (%#)', (createdAtMs, warned) => {
    expect(kinds(new PolicyBench(), endMs - 2 * hour, { ...rule, createdAtMs })).toEqual(warned)
    expect(kinds(new PolicyBench(), endMs, { ...rule, createdAtMs })).toEqual(['expired'])
  })

  test('has a warning when the app starts, but not within the last hour', () => {
    expect(kinds(new PolicyBench(), endMs - hour - 1)).toEqual(['expiresSoon'])
    const policy = new PolicyBench()
    expect(policy.due([rule], endMs - hour)).toEqual({ events: [], hasChanged: false })
    expect(policy.nextMs([rule], endMs - hour)).toBe(endMs)
    expect(kinds(policy, endMs + 30 * day)).toEqual(['expired'])
    expect(kinds(policy.restarted(), endMs + 31 * day)).toEqual([])
  })

  test('is notified once if the clock is set back, and immediately if it is set forward', () => {
    const policy = new PolicyBench()
    const said = [-day, -day - hour, -day, 2 * hour, -hour, 0].map((ms) => kinds(policy, endMs + ms))
    expect(said).toEqual([['expiresSoon'], [], [], ['expired'], [], []])
  })

  test('has no second warning after a re-arm, unless the expiry changed', () => {
    const policy = new PolicyBench()
    kinds(policy, endMs - day)
    policy.renew(rule)
    expect(kinds(policy, endMs - day + minute)).toEqual([])
    const later = { ...rule, expiresAt: { atMs: endMs + 2 * day, timeZone: 'Europe/London' } }
    policy.renew(later)
    expect(kinds(policy, endMs + day, later)).toEqual(['expiresSoon'])
  })

  test('never comes without an expiry', () => {
    expect(kinds(new PolicyBench(), startMs + 10_000 * day, policyRule())).toEqual([])
  })
})

describe('a snooze', () => {
  const rule = policyRule({ group: 'Bitcoin' })
  const other = policyRule({ id: 'r1', indexId: 'ETHUSD_RTI' })

  test.each<[SnoozeScope, string | undefined, string | undefined]>([
    [{ of: 'rule', ruleId: 'r0' }, 'snooze', undefined],
    [{ of: 'index', indexId: 'BRTI' }, 'snooze', undefined],
    [{ of: 'group', group: 'Bitcoin' }, 'snooze', undefined],
    [{ of: 'group', group: 'undefined' }, undefined, undefined],
    [{ of: 'all' }, 'muted', 'muted'],
  ])('of %o suppresses only the events in its scope', (scope, reason, ofOther) => {
    const policy = new PolicyBench()
    policy.snooze(scope, untilMs)
    expect([...heldBack(policy, rule, [0]), ...heldBack(policy, other, [0])]).toEqual([reason, ofOther])
  })

  test('of all rules is the reason even if a narrower snooze is in effect', () => {
    const policy = new PolicyBench()
    policy.snooze({ of: 'rule', ruleId: rule.id }, null)
    policy.snooze({ of: 'all' }, untilMs)
    expect(heldBack(policy, rule, [0], 'retracted')).toEqual(['muted'])
  })

  test('ends and is removed at its time, or stays if it has none', () => {
    const policy = new PolicyBench()
    policy.snooze({ of: 'rule', ruleId: 'r0' }, untilMs)
    policy.snooze({ of: 'rule', ruleId: 'r1' }, null)
    expect(policy.due([], untilMs - 1)).toEqual({ events: [], hasChanged: false })
    expect(heldBack(policy, rule, [hour - 1, hour])).toEqual(['snooze', undefined])
    expect(policy.due([], untilMs)).toEqual({ events: [], hasChanged: true })
    expect(policy.snoozes).toEqual([{ scope: { of: 'rule', ruleId: 'r1' }, untilMs: null }])
  })

  test('replaces one of the same scope, and ends only that scope', () => {
    const policy = new PolicyBench()
    policy.snooze({ of: 'index', indexId: 'BRTI' }, null)
    policy.snooze({ of: 'group', group: 'BRTI' }, null)
    policy.snooze({ of: 'index', indexId: 'BRTI' }, untilMs)
    const ofGroup = { scope: { of: 'group', group: 'BRTI' }, untilMs: null }
    expect(policy.snoozes).toEqual([ofGroup, { scope: { of: 'index', indexId: 'BRTI' }, untilMs }])
    policy.endSnooze({ of: 'index', indexId: 'BRTI' })
    policy.endSnooze({ of: 'index', indexId: 'ETHUSD_RTI' })
    expect(policy.snoozes).toEqual([ofGroup])
  })

  test('starts no cooldown for a suppressed event', () => {
    const policy = new PolicyBench()
    policy.snooze({ of: 'all' }, startMs + minute)
    expect(heldBack(policy, cooling, [0])).toEqual(['muted'])
    expect(policy.of(cooling.id)).toEqual({})
    expect(heldBack(policy, cooling, [minute, minute])).toEqual([undefined, 'cooldown'])
  })

  test('suppresses the notification at the end of a cooldown', () => {
    const policy = new PolicyBench()
    const ending = { ...cooling, expiresAt: { atMs: startMs + 2 * minute, timeZone: 'UTC' } }
    heldBack(policy, ending, [0, 0])
    policy.snooze({ of: 'rule', ruleId: ending.id }, startMs + 2 * minute)
    const isOver = [{ kind: 'cooldownOver', heldBackBy: 'snooze' }]
    expect(policy.due([ending], startMs + minute).events).toMatchObject(isOver)
    expect(policy.due([ending], startMs + 2 * minute).events).toEqual([{ kind: 'expired' }])
  })
})

test('several rules are due at the earliest time, once, and together if overdue', () => {
  const policy = new PolicyBench()
  const expiring = policyRule({ id: 'r1', expiresAt: { atMs: startMs + hour, timeZone: 'UTC' } })
  expect(policy.nextMs([expiring, cooling], startMs)).toBe(startMs + hour)
  heldBack(policy, cooling, [0, second])
  expect(policy.nextMs([expiring, cooling], startMs)).toBe(startMs + minute)
  const late = policy.due([cooling, expiring], startMs + 30 * day)
  expect(late.events.map(({ kind }) => kind)).toEqual(['cooldownOver', 'expired'])
  expect(policy.due([cooling, expiring], startMs + 30 * day)).toEqual({ events: [], hasChanged: false })
})

test('a rule that is begun again has no cooldown and no expired state', () => {
  const policy = new PolicyBench()
  const rule = { ...cooling, expiresAt: { atMs: startMs + 10 * second, timeZone: 'UTC' } }
  heldBack(policy, rule, [0])
  policy.due([rule], startMs + 10 * second)
  expect(policy.of(rule.id)).toMatchObject({ cooldown: { heldBack: 0 }, isExpired: true })
  policy.renew(rule)
  expect(policy.of(rule.id)).toEqual({})
})

test.each([
  // JSON.parse reads 1e999 so.
  { cooldown: { untilMs: Infinity, heldBack: 2 } },
  { cooldown: { untilMs: 'later', heldBack: 2 } },
  7,
  undefined,
])('an unreadable policy of a rule is ignored: %j', (kept) => {
  expect(readPolicy(kept)).toBeUndefined()
})

test('sixty suppressed events an hour are recorded, also if the clock is set back', () => {
  let counted: ReturnType<typeof countSuppressed> | undefined
  const recorded = (nowMs: number, count: number) => {
    const all = times(count).map(() => (counted = countSuppressed(counted, nowMs)).isRecorded)
    return all.filter(Boolean).length
  }
  expect(recorded(hour, 100)).toBe(60)
  expect(recorded(2 * hour - 1, 100)).toBe(0)
  expect(recorded(2 * hour, 100)).toBe(60)
  expect(recorded(0, 1)).toBe(1)
})
