import { expect, test } from 'vitest'
import { NotificationPolicy, readPolicyRecord } from '../../../../../main/alerts/policy/notification-policy'
import {
  day,
  dueOf,
  eventOf,
  hour,
  minute,
  policyRule,
  restarted,
  second,
  startMs,
} from '../../../../support/policy-bench'

const read = (value: unknown) => readPolicyRecord(value).good

test('notifies of what nothing holds back', () => {
  const policy = new NotificationPolicy()
  const rule = policyRule()
  for (const kind of ['fired', 'lateByAmendment', 'recovered'] as const) {
    expect(policy.decide(rule, eventOf(rule, { kind }), startMs)).toEqual({ events: [] })
  }
  expect(dueOf(policy, [rule], startMs)).toEqual({ events: [], hasChanged: false })
  expect(policy.nextDueMs([rule], startMs)).toBeUndefined()
})

test('notifies no more than the limit of a day, and again the next day', () => {
  const policy = new NotificationPolicy()
  const rule = policyRule({ repeat: { mode: 'daily', max: 2 } })
  const judge = (ms: number) => policy.decide(rule, eventOf(rule), ms).heldBackBy
  expect([0, 1, 2, 3].map((at) => judge(startMs + at * hour))).toEqual([
    undefined,
    undefined,
    'dailyLimit',
    'dailyLimit',
  ])
  const midnight = Date.UTC(2023, 10, 2)
  expect(judge(midnight - 1)).toBe('dailyLimit')
  expect([judge(midnight), judge(midnight), judge(midnight)]).toEqual([undefined, undefined, 'dailyLimit'])
})

test('what is found later is notified within the hours of its rule alone', () => {
  const policy = new NotificationPolicy()
  const everyDay = ['mon', 'tue', 'wed', 'thu', 'fri', 'sat', 'sun'] as const
  const rule = policyRule({ hours: { days: [...everyDay], from: '09:00', to: '17:00', timeZone: 'UTC' } })
  const judge = (kind: 'fired' | 'lateFromHistory' | 'lateByAmendment', clock: number) =>
    policy.decide(rule, eventOf(rule, { kind }), Date.UTC(2023, 10, 1, clock)).heldBackBy
  for (const kind of ['lateFromHistory', 'lateByAmendment'] as const) {
    expect([8, 9, 16, 17].map((clock) => judge(kind, clock))).toEqual(['hours', undefined, undefined, 'hours'])
  }
  // Of a live value the rule itself has judged.
  expect(judge('fired', 20)).toBeUndefined()
})

test('counts days where the user is', () => {
  const inTokyo = new Intl.DateTimeFormat('en-CA', { timeZone: 'Asia/Tokyo' })
  const policy = new NotificationPolicy({ dayOf: (ms) => inTokyo.format(ms) })
  const rule = policyRule({ repeat: { mode: 'daily', max: 1 } })
  const judge = (ms: number) => policy.decide(rule, eventOf(rule), ms).heldBackBy
  const midnightThere = Date.UTC(2023, 10, 1, 15)
  expect(judge(midnightThere - 2)).toBeUndefined()
  expect(judge(midnightThere - 1)).toBe('dailyLimit')
  expect(judge(midnightThere)).toBeUndefined()
  expect(judge(Date.UTC(2023, 10, 2))).toBe('dailyLimit')
})

test('the limit of a day holds over a restart, and what was held back does not use it up', () => {
  const policy = new NotificationPolicy()
  const rule = policyRule({ repeat: { mode: 'daily', max: 1 } })
  policy.snooze({ of: 'all' }, null)
  expect(policy.decide(rule, eventOf(rule), startMs).heldBackBy).toBe('muted')
  policy.endSnooze({ of: 'all' })
  expect(policy.decide(rule, eventOf(rule), startMs).heldBackBy).toBeUndefined()
  const next = restarted(policy, read)
  expect(next.decide(rule, eventOf(rule), startMs + hour).heldBackBy).toBe('dailyLimit')
})

test('the end of a silence that was notified is notified whatever the limit of the day, that of one held back is not', () => {
  const rule = policyRule({ terms: { condition: 'noUpdate' }, repeat: { mode: 'daily', max: 1 } })
  const policy = restarted(new NotificationPolicy(), read)
  const judge = (of: NotificationPolicy, kind: 'fired' | 'recovered') =>
    of.decide(rule, eventOf(rule, { kind }), startMs).heldBackBy
  expect(judge(policy, 'fired')).toBeUndefined()
  const next = restarted(policy, read)
  expect(judge(next, 'recovered')).toBeUndefined()
  expect([judge(next, 'fired'), judge(next, 'recovered')]).toEqual(['dailyLimit', 'dailyLimit'])
})

test('a rule made again is held back no more', () => {
  const policy = new NotificationPolicy()
  const rule = policyRule({ cooldownMs: hour, expiresAt: { atMs: startMs + 10 * minute, timeZone: 'UTC' } })
  policy.decide(rule, eventOf(rule), startMs)
  dueOf(policy, [rule], startMs + 10 * minute)
  expect(policy.of(rule.id)).toMatchObject({ cooldown: { heldBack: 0 }, isExpired: true })
  policy.renew(rule)
  expect(policy.of(rule.id)).toEqual({})
  expect(policy.decide(rule, eventOf(rule), startMs + 11 * minute)).toEqual({ events: [] })
})

test('forgets a deleted rule with its snooze, and no other', () => {
  const policy = new NotificationPolicy()
  const rule = policyRule({ cooldownMs: hour })
  const other = policyRule({ id: 'r1', cooldownMs: hour })
  for (const each of [rule, other]) {
    policy.decide(each, eventOf(each), startMs)
    policy.snooze({ of: 'rule', ruleId: each.id }, null)
  }
  policy.forget(rule.id)
  expect(policy.of(rule.id)).toEqual({})
  expect(policy.of(other.id)).toMatchObject({ cooldown: { heldBack: 0 } })
  expect(policy.snoozes()).toEqual([{ scope: { of: 'rule', ruleId: 'r1' }, untilMs: null }])
})

test('the next time anything comes due is the earliest of all rules and snoozes', () => {
  const policy = new NotificationPolicy()
  const expiring = policyRule({ id: 'r1', expiresAt: { atMs: startMs + 3 * hour, timeZone: 'UTC' } })
  const cooling = policyRule({ cooldownMs: 2 * hour })
  const rules = [expiring, cooling]
  const next = (ms: number) => policy.nextDueMs(rules, ms)
  expect(next(startMs)).toBe(startMs + 3 * hour)
  policy.decide(cooling, eventOf(cooling), startMs)
  expect(next(startMs)).toBe(startMs + 2 * hour)
  policy.snooze({ of: 'all' }, startMs + hour)
  policy.snooze({ of: 'index', indexId: 'XRPUSD_RTI' }, null)
  expect(next(startMs)).toBe(startMs + hour)
  expect(dueOf(policy, rules, startMs + hour)).toEqual({ events: [], hasChanged: true })
  expect(next(startMs + hour)).toBe(startMs + 2 * hour)
  expect(dueOf(policy, rules, startMs + 2 * hour)).toEqual({ events: [], hasChanged: true })
  expect(next(startMs + 2 * hour)).toBe(startMs + 3 * hour)
  expect(dueOf(policy, rules, startMs + 3 * hour).events).toEqual([{ ruleId: 'r1', kind: 'expired' }])
  expect(next(startMs + 3 * hour)).toBeUndefined()
})

test('an app that looks late finds all at once, and nothing a second time', () => {
  const policy = new NotificationPolicy()
  const rule = policyRule({ cooldownMs: minute, expiresAt: { atMs: startMs + hour, timeZone: 'UTC' } })
  policy.decide(rule, eventOf(rule), startMs)
  policy.decide(rule, eventOf(rule), startMs + second)
  const lateMs = startMs + 30 * day
  expect(dueOf(policy, [rule], lateMs).events.map(({ kind }) => kind)).toEqual(['cooldownOver', 'expired'])
  expect(dueOf(policy, [rule], lateMs)).toEqual({ events: [], hasChanged: false })
})

test('a record is read as it was kept', () => {
  const kept = {
    snoozes: [],
    rules: {
      r0: { cooldown: { untilMs: startMs + hour, heldBack: 2 }, suspension: 'It fired too often.', isExpired: true },
      r1: {},
    },
  }
  expect(read(kept)).toEqual(kept)
})

test('one damaged entry of a record takes no other with it, and is handed back', () => {
  const snooze = { scope: { of: 'all' }, untilMs: null }
  const suspended = { suspension: 'It fired too often.' }
  const badSnooze = { scope: { of: 'all' }, untilMs: 1e300 }
  // As JSON reads 1e999.
  const endless = { cooldown: { untilMs: Infinity, heldBack: 2 } }
  const badPolicy = { cooldown: { untilMs: 'later', heldBack: 2 } }
  expect(
    readPolicyRecord({ snoozes: [badSnooze, snooze], rules: { r0: badPolicy, r1: suspended, r2: endless } }),
  ).toEqual({
    good: { snoozes: [snooze], rules: { r1: suspended } },
    bad: [{ snooze: badSnooze }, { ruleId: 'r0', policy: badPolicy }, { ruleId: 'r2', policy: endless }],
  })
  expect(readPolicyRecord({ snoozes: 'none', rules: { r1: suspended } })).toEqual({
    good: { snoozes: [], rules: { r1: suspended } },
    bad: [{ snoozes: 'none' }],
  })
  expect(readPolicyRecord({ snoozes: [snooze], rules: 7 })).toEqual({
    good: { snoozes: [snooze], rules: {} },
    bad: [{ policy: 7 }],
  })
  expect(readPolicyRecord(undefined)).toEqual({ good: { snoozes: [], rules: {} }, bad: [] })
})
