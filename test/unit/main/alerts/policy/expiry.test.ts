import { expect, test } from 'vitest'
import { NotificationPolicy, readPolicyRecord } from '../../../../../main/alerts/policy/notification-policy'
import { day, dueOf, hour, minute, policyRule, restarted, startMs } from '../../../../support/policy-bench'

const endMs = startMs + 3 * day
const rule = policyRule({ expiresAt: { atMs: endMs, timeZone: 'Europe/London' } })
const kinds = (policy: NotificationPolicy, ms: number, of = rule) =>
  dueOf(policy, [of], ms).events.map(({ kind }) => kind)
const restart = (policy: NotificationPolicy) => restarted(policy, (value) => readPolicyRecord(value).good)

test('warns a day before the end, once, and says the end, once', () => {
  const policy = new NotificationPolicy()
  expect(policy.nextDueMs([rule], startMs)).toBe(endMs - day)
  expect(kinds(policy, endMs - day - 1)).toEqual([])
  expect(dueOf(policy, [rule], endMs - day)).toEqual({
    events: [{ ruleId: rule.id, kind: 'expiresSoon' }],
    hasChanged: true,
  })
  expect(policy.of(rule.id).isExpired).toBeUndefined()
  expect(policy.nextDueMs([rule], endMs - day)).toBe(endMs)
  expect(dueOf(policy, [rule], endMs - 1)).toEqual({ events: [], hasChanged: false })
  expect(kinds(policy, endMs)).toEqual(['expired'])
  expect(policy.of(rule.id).isExpired).toBe(true)
  expect(dueOf(policy, [rule], endMs + day)).toEqual({ events: [], hasChanged: false })
  expect(policy.nextDueMs([rule], endMs)).toBeUndefined()
})

test('does not warn of the end of a rule made within its last day', () => {
  for (const createdAtMs of [endMs - day, endMs - minute]) {
    const late = { ...rule, createdAtMs }
    const policy = new NotificationPolicy()
    expect(policy.nextDueMs([late], createdAtMs)).toBe(endMs)
    expect(kinds(policy, endMs - 2 * hour, late)).toEqual([])
    expect(kinds(policy, endMs, late)).toEqual(['expired'])
  }
  expect(kinds(new NotificationPolicy(), endMs - 2 * hour, { ...rule, createdAtMs: endMs - day - 1 })).toEqual([
    'expiresSoon',
  ])
})

test('an app that was closed at the time warns on its start, but not within the last hour', () => {
  expect(kinds(restart(new NotificationPolicy()), endMs - hour - 1)).toEqual(['expiresSoon'])
  const last = restart(new NotificationPolicy())
  expect(dueOf(last, [rule], endMs - hour)).toEqual({ events: [], hasChanged: false })
  expect(last.nextDueMs([rule], endMs - hour)).toBe(endMs)
})

test('an app that was closed at the end says it on its start, and on the next start no more', () => {
  const late = restart(new NotificationPolicy())
  expect(kinds(late, endMs + 30 * day)).toEqual(['expired'])
  const later = restart(late)
  expect(kinds(later, endMs + 31 * day)).toEqual([])
  expect(later.of(rule.id).isExpired).toBe(true)
})

test('a warning given is not given again after a restart', () => {
  const policy = new NotificationPolicy()
  expect(kinds(policy, endMs - day)).toEqual(['expiresSoon'])
  expect(kinds(restart(policy), endMs - day + minute)).toEqual([])
})

test('a wall clock set back neither warns nor expires twice; set forward it expires at once', () => {
  const policy = new NotificationPolicy()
  kinds(policy, endMs - day)
  expect(kinds(policy, endMs - day - hour)).toEqual([])
  expect(kinds(policy, endMs - day)).toEqual([])
  expect(kinds(policy, endMs - day + day + 2 * hour)).toEqual(['expired'])
  expect(kinds(policy, endMs - hour)).toEqual([])
  expect(kinds(policy, endMs)).toEqual([])
  expect(policy.of(rule.id).isExpired).toBe(true)
})

test('arming again does not warn a second time of the same end, but does of another', () => {
  const policy = new NotificationPolicy()
  kinds(policy, endMs - day)
  policy.renew(rule)
  expect(kinds(policy, endMs - day + minute)).toEqual([])
  const later = { ...rule, expiresAt: { atMs: endMs + 2 * day, timeZone: 'Europe/London' } }
  policy.renew(later)
  expect(kinds(policy, endMs + day, later)).toEqual(['expiresSoon'])
})

test('a rule without an end never expires', () => {
  const policy = new NotificationPolicy()
  expect(kinds(policy, startMs + 10_000 * day, policyRule())).toEqual([])
  expect(policy.nextDueMs([policyRule()], startMs)).toBeUndefined()
})
