import { expect, test } from 'vitest'
import type { SnoozeScope } from '../../../../../core/alerts'
import { PolicyBench, eventOf, hour, minute, policyRule, startMs } from '../../../../support/policy-bench'

const rule = policyRule({ group: 'Bitcoin' })
const other = policyRule({ id: 'r1', indexId: 'ETHUSD_RTI' })
const untilMs = startMs + hour

test.each<[SnoozeScope, string]>([
  [{ of: 'rule', ruleId: 'r0' }, 'snooze'],
  [{ of: 'index', indexId: 'BRTI' }, 'snooze'],
  [{ of: 'group', group: 'Bitcoin' }, 'snooze'],
])('a snooze by %o holds back what it covers and nothing else', (scope, reason) => {
  const policy = new PolicyBench()
  policy.snooze(scope, untilMs)
  expect(policy.decide(rule, eventOf(rule), startMs).heldBackBy).toBe(reason)
  expect(policy.decide(other, eventOf(other), startMs)).toEqual({ events: [] })
})

test('muting all holds everything back, and says so where a snooze does too', () => {
  const policy = new PolicyBench()
  policy.snooze({ of: 'rule', ruleId: rule.id }, null)
  policy.snooze({ of: 'all' }, untilMs)
  for (const each of [rule, other]) {
    expect(policy.decide(each, eventOf(each), startMs).heldBackBy).toBe('muted')
  }
  expect(policy.decide(rule, eventOf(rule, { kind: 'retracted' }), startMs).heldBackBy).toBe('muted')
})

test('a rule without a group is in none', () => {
  const policy = new PolicyBench()
  policy.snooze({ of: 'group', group: 'undefined' }, null)
  expect(policy.decide(other, eventOf(other), startMs)).toEqual({ events: [] })
})

test('ends at its time and drops out; without a time it stays', () => {
  const policy = new PolicyBench()
  policy.snooze({ of: 'rule', ruleId: 'r0' }, untilMs)
  policy.snooze({ of: 'rule', ruleId: 'r1' }, null)
  expect(policy.due([], untilMs - 1)).toEqual({ events: [], hasChanged: false })
  expect(policy.decide(rule, eventOf(rule), untilMs - 1).heldBackBy).toBe('snooze')
  expect(policy.decide(rule, eventOf(rule), untilMs).heldBackBy).toBeUndefined()
  expect(policy.due([], untilMs)).toEqual({ events: [], hasChanged: true })
  expect(policy.snoozes).toEqual([{ scope: { of: 'rule', ruleId: 'r1' }, untilMs: null }])
})

test('a second snooze of the same scope takes the place of the first', () => {
  const policy = new PolicyBench()
  policy.snooze({ of: 'index', indexId: 'BRTI' }, null)
  policy.snooze({ of: 'group', group: 'BRTI' }, null)
  policy.snooze({ of: 'index', indexId: 'BRTI' }, untilMs)
  expect(policy.snoozes).toEqual([
    { scope: { of: 'group', group: 'BRTI' }, untilMs: null },
    { scope: { of: 'index', indexId: 'BRTI' }, untilMs },
  ])
})

test('ending a snooze ends the one of that scope alone', () => {
  const policy = new PolicyBench()
  policy.snooze({ of: 'index', indexId: 'BRTI' }, null)
  policy.snooze({ of: 'all' }, null)
  policy.endSnooze({ of: 'index', indexId: 'BRTI' })
  policy.endSnooze({ of: 'index', indexId: 'ETHUSD_RTI' })
  expect(policy.snoozes).toEqual([{ scope: { of: 'all' }, untilMs: null }])
  policy.endSnooze({ of: 'all' })
  expect(policy.decide(rule, eventOf(rule), startMs)).toEqual({ events: [] })
})

test('what is held back by a snooze starts no cooldown', () => {
  const policy = new PolicyBench()
  const cooling = policyRule({ cooldownMs: hour })
  policy.snooze({ of: 'all' }, startMs + minute)
  expect(policy.decide(cooling, eventOf(cooling), startMs).heldBackBy).toBe('muted')
  expect(policy.of(cooling.id)).toEqual({})
  expect(policy.decide(cooling, eventOf(cooling), startMs + minute)).toEqual({ events: [] })
  expect(policy.decide(cooling, eventOf(cooling), startMs + minute).heldBackBy).toBe('cooldown')
})

test('the end of a cooldown and of a rule is news for the inbox alone while snoozed', () => {
  const policy = new PolicyBench()
  const ending = policyRule({ cooldownMs: minute, expiresAt: { atMs: startMs + 2 * minute, timeZone: 'UTC' } })
  policy.decide(ending, eventOf(ending), startMs)
  policy.decide(ending, eventOf(ending), startMs)
  policy.snooze({ of: 'rule', ruleId: ending.id }, startMs + 2 * minute)
  expect(policy.due([ending], startMs + minute).events).toMatchObject([{ kind: 'cooldownOver', heldBackBy: 'snooze' }])
  expect(policy.due([ending], startMs + 2 * minute).events).toEqual([{ kind: 'expired' }])
})
