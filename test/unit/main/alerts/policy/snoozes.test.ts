import { expect, test } from 'vitest'
import { NotificationPolicy, readPolicyRecord } from '../../../../../main/alerts/policy/notification-policy'
import type { SnoozeScope } from '../../../../../core/alerts'
import { dueOf, eventOf, hour, minute, policyRule, restarted, startMs } from '../../../../support/policy-bench'

const rule = policyRule({ group: 'Bitcoin' })
const other = policyRule({ id: 'r1', indexId: 'ETHUSD_RTI' })
const untilMs = startMs + hour

test.each<[SnoozeScope, string]>([
  [{ of: 'rule', ruleId: 'r0' }, 'snooze'],
  [{ of: 'index', indexId: 'BRTI' }, 'snooze'],
  [{ of: 'group', group: 'Bitcoin' }, 'snooze'],
])('a snooze by %o holds back what it covers and nothing else', (scope, reason) => {
  const policy = new NotificationPolicy()
  policy.snooze(scope, untilMs)
  expect(policy.decide(rule, eventOf(rule), startMs).heldBackBy).toBe(reason)
  expect(policy.decide(other, eventOf(other), startMs)).toEqual({ events: [] })
})

test('muting all holds everything back, and says so where a snooze does too', () => {
  const policy = new NotificationPolicy()
  policy.snooze({ of: 'rule', ruleId: rule.id }, null)
  policy.snooze({ of: 'all' }, untilMs)
  for (const each of [rule, other]) {
    expect(policy.decide(each, eventOf(each), startMs).heldBackBy).toBe('muted')
  }
  expect(policy.decide(rule, eventOf(rule, { kind: 'retracted' }), startMs).heldBackBy).toBe('muted')
})

test('a rule without a group is in none', () => {
  const policy = new NotificationPolicy()
  policy.snooze({ of: 'group', group: 'undefined' }, null)
  expect(policy.decide(other, eventOf(other), startMs)).toEqual({ events: [] })
})

test('ends at its time and drops out; without a time it stays', () => {
  const policy = new NotificationPolicy()
  policy.snooze({ of: 'rule', ruleId: 'r0' }, untilMs)
  policy.snooze({ of: 'rule', ruleId: 'r1' }, null)
  expect(policy.nextDueMs([], startMs)).toBe(untilMs)
  expect(dueOf(policy, [], untilMs - 1)).toEqual({ events: [], hasChanged: false })
  expect(policy.decide(rule, eventOf(rule), untilMs - 1).heldBackBy).toBe('snooze')
  expect(policy.decide(rule, eventOf(rule), untilMs).heldBackBy).toBeUndefined()
  expect(dueOf(policy, [], untilMs)).toEqual({ events: [], hasChanged: true })
  expect(policy.snoozes()).toEqual([{ scope: { of: 'rule', ruleId: 'r1' }, untilMs: null }])
  expect(policy.nextDueMs([], untilMs)).toBeUndefined()
})

test('a second snooze of the same scope takes the place of the first', () => {
  const policy = new NotificationPolicy()
  policy.snooze({ of: 'index', indexId: 'BRTI' }, null)
  policy.snooze({ of: 'group', group: 'BRTI' }, null)
  policy.snooze({ of: 'index', indexId: 'BRTI' }, untilMs)
  expect(policy.snoozes()).toEqual([
    { scope: { of: 'group', group: 'BRTI' }, untilMs: null },
    { scope: { of: 'index', indexId: 'BRTI' }, untilMs },
  ])
})

test('ending a snooze ends the one of that scope alone', () => {
  const policy = new NotificationPolicy()
  policy.snooze({ of: 'index', indexId: 'BRTI' }, null)
  policy.snooze({ of: 'all' }, null)
  policy.endSnooze({ of: 'index', indexId: 'BRTI' })
  policy.endSnooze({ of: 'index', indexId: 'ETHUSD_RTI' })
  expect(policy.snoozes()).toEqual([{ scope: { of: 'all' }, untilMs: null }])
  policy.endSnooze({ of: 'all' })
  expect(policy.decide(rule, eventOf(rule), startMs)).toEqual({ events: [] })
})

test('what is held back by a snooze starts no cooldown', () => {
  const policy = new NotificationPolicy()
  const cooling = policyRule({ cooldownMs: hour })
  policy.snooze({ of: 'all' }, startMs + minute)
  expect(policy.decide(cooling, eventOf(cooling), startMs).heldBackBy).toBe('muted')
  expect(policy.of(cooling.id)).toEqual({})
  expect(policy.decide(cooling, eventOf(cooling), startMs + minute)).toEqual({ events: [] })
  expect(policy.decide(cooling, eventOf(cooling), startMs + minute).heldBackBy).toBe('cooldown')
})

test('the end of a cooldown and of a rule is news for the inbox alone while snoozed', () => {
  const policy = new NotificationPolicy()
  const ending = policyRule({ cooldownMs: minute, expiresAt: { atMs: startMs + 2 * minute, timeZone: 'UTC' } })
  policy.decide(ending, eventOf(ending), startMs)
  policy.decide(ending, eventOf(ending), startMs)
  policy.snooze({ of: 'rule', ruleId: ending.id }, startMs + 2 * minute)
  expect(dueOf(policy, [ending], startMs + minute).events).toMatchObject([
    { kind: 'cooldownOver', heldBackBy: 'snooze' },
  ])
  expect(dueOf(policy, [ending], startMs + 2 * minute).events).toEqual([{ ruleId: ending.id, kind: 'expired' }])
})

test('snoozes hold over a restart', () => {
  const policy = new NotificationPolicy()
  policy.snooze({ of: 'group', group: 'Bitcoin' }, untilMs)
  policy.snooze({ of: 'rule', ruleId: 'r9' }, null)
  const next = restarted(policy, (value) => readPolicyRecord(value).good)
  expect(next.snoozes()).toEqual(policy.snoozes())
  expect(next.decide(rule, eventOf(rule), startMs).heldBackBy).toBe('snooze')
})
