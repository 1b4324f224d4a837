import { expect, test } from 'vitest'
import { readPolicy } from '../../../../../main/alerts/policy/notification-policy'
import { day, PolicyBench, eventOf, hour, minute, policyRule, second, startMs } from '../../../../support/policy-bench'

test('notifies of what nothing holds back', () => {
  const policy = new PolicyBench()
  const rule = policyRule()
  for (const kind of ['fired', 'lateByAmendment', 'recovered'] as const) {
    expect(policy.decide(rule, eventOf(rule, { kind }), startMs)).toEqual({ events: [] })
  }
  expect(policy.due([rule], startMs)).toEqual({ events: [], hasChanged: false })
  expect(policy.nextMs([rule], startMs)).toBe(Infinity)
})

test('notifies no more than the limit of a day, and again the next day', () => {
  const policy = new PolicyBench()
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
  const policy = new PolicyBench()
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
  const policy = new PolicyBench({ dayOf: (ms) => inTokyo.format(ms) })
  const rule = policyRule({ repeat: { mode: 'daily', max: 1 } })
  const judge = (ms: number) => policy.decide(rule, eventOf(rule), ms).heldBackBy
  const midnightThere = Date.UTC(2023, 10, 1, 15)
  expect(judge(midnightThere - 2)).toBeUndefined()
  expect(judge(midnightThere - 1)).toBe('dailyLimit')
  expect(judge(midnightThere)).toBeUndefined()
  expect(judge(Date.UTC(2023, 10, 2))).toBe('dailyLimit')
})

test('the limit of a day holds over a restart, and what was held back does not use it up', () => {
  const policy = new PolicyBench()
  const rule = policyRule({ repeat: { mode: 'daily', max: 1 } })
  policy.snooze({ of: 'all' }, null)
  expect(policy.decide(rule, eventOf(rule), startMs).heldBackBy).toBe('muted')
  policy.endSnooze({ of: 'all' })
  expect(policy.decide(rule, eventOf(rule), startMs).heldBackBy).toBeUndefined()
  const next = policy.restarted()
  expect(next.decide(rule, eventOf(rule), startMs + hour).heldBackBy).toBe('dailyLimit')
})

test('the end of a silence that was notified is notified whatever the limit of the day, that of one held back is not', () => {
  const rule = policyRule({ terms: { condition: 'noUpdate' }, repeat: { mode: 'daily', max: 1 } })
  const policy = new PolicyBench().restarted()
  const judge = (of: PolicyBench, kind: 'fired' | 'recovered') =>
    of.decide(rule, eventOf(rule, { kind }), startMs).heldBackBy
  expect(judge(policy, 'fired')).toBeUndefined()
  const next = policy.restarted()
  expect(judge(next, 'recovered')).toBeUndefined()
  expect([judge(next, 'fired'), judge(next, 'recovered')]).toEqual(['dailyLimit', 'dailyLimit'])
})

test('a rule made again is held back no more', () => {
  const policy = new PolicyBench()
  const rule = policyRule({ cooldownMs: hour, expiresAt: { atMs: startMs + 10 * minute, timeZone: 'UTC' } })
  policy.decide(rule, eventOf(rule), startMs)
  policy.due([rule], startMs + 10 * minute)
  expect(policy.of(rule.id)).toMatchObject({ cooldown: { heldBack: 0 }, isExpired: true })
  policy.renew(rule)
  expect(policy.of(rule.id)).toEqual({})
  expect(policy.decide(rule, eventOf(rule), startMs + 11 * minute)).toEqual({ events: [] })
})

test('the next time anything comes due is the earliest of all rules', () => {
  const policy = new PolicyBench()
  const expiring = policyRule({ id: 'r1', expiresAt: { atMs: startMs + 3 * hour, timeZone: 'UTC' } })
  const cooling = policyRule({ cooldownMs: 2 * hour })
  const rules = [expiring, cooling]
  const next = (ms: number) => policy.nextMs(rules, ms)
  expect(next(startMs)).toBe(startMs + 3 * hour)
  policy.decide(cooling, eventOf(cooling), startMs)
  expect(next(startMs)).toBe(startMs + 2 * hour)
  expect(policy.due(rules, startMs + 2 * hour)).toEqual({ events: [], hasChanged: true })
  expect(next(startMs + 2 * hour)).toBe(startMs + 3 * hour)
  expect(policy.due(rules, startMs + 3 * hour).events).toEqual([{ kind: 'expired' }])
  expect(next(startMs + 3 * hour)).toBe(Infinity)
})

test('an app that looks late finds all at once, and nothing a second time', () => {
  const policy = new PolicyBench()
  const rule = policyRule({ cooldownMs: minute, expiresAt: { atMs: startMs + hour, timeZone: 'UTC' } })
  policy.decide(rule, eventOf(rule), startMs)
  policy.decide(rule, eventOf(rule), startMs + second)
  const lateMs = startMs + 30 * day
  expect(policy.due([rule], lateMs).events.map(({ kind }) => kind)).toEqual(['cooldownOver', 'expired'])
  expect(policy.due([rule], lateMs)).toEqual({ events: [], hasChanged: false })
})

test.each([
  { cooldown: { untilMs: startMs + hour, heldBack: 2 }, suspension: 'It fired too often.', isExpired: true },
  {},
])('what is remembered is read as it was kept: %j', (kept) => {
  expect(readPolicy(kept)).toEqual(kept)
})

test.each([
  // As JSON reads 1e999.
  { cooldown: { untilMs: Infinity, heldBack: 2 } },
  { cooldown: { untilMs: 'later', heldBack: 2 } },
  7,
  undefined,
])('what cannot be read is nothing: %j', (kept) => {
  expect(readPolicy(kept)).toBeUndefined()
})
