import { expect, test } from 'vitest'
import { Quieting, readQuiet } from '../../../../main/alerts/quieting'
import type { SnoozeScope } from '../../../../protocol/alerts'
import { eventOf, hour, minute, quietRule, restarted, startMs } from '../../../support/quiet-bench'

const rule = quietRule({ group: 'Bitcoin' })
const other = quietRule({ id: 'r1', indexId: 'ETHUSD_RTI' })
const untilMs = startMs + hour

test.each<[SnoozeScope, string]>([
  [{ of: 'rule', ruleId: 'r0' }, 'snooze'],
  [{ of: 'index', indexId: 'BRTI' }, 'snooze'],
  [{ of: 'group', group: 'Bitcoin' }, 'snooze'],
])('a snooze by %o holds back what it covers and nothing else', (scope, reason) => {
  const quieting = new Quieting()
  quieting.snooze(scope, untilMs)
  expect(quieting.judge(rule, eventOf(rule), startMs).heldBackBy).toBe(reason)
  expect(quieting.judge(other, eventOf(other), startMs)).toEqual({ news: [] })
})

test('muting all holds everything back, and says so where a snooze does too', () => {
  const quieting = new Quieting()
  quieting.snooze({ of: 'rule', ruleId: rule.id }, null)
  quieting.snooze({ of: 'all' }, untilMs)
  for (const each of [rule, other]) {
    expect(quieting.judge(each, eventOf(each), startMs).heldBackBy).toBe('muted')
  }
  expect(quieting.judge(rule, eventOf(rule, { kind: 'retracted' }), startMs).heldBackBy).toBe('muted')
})

test('a rule without a group is in none', () => {
  const quieting = new Quieting()
  quieting.snooze({ of: 'group', group: 'undefined' }, null)
  expect(quieting.judge(other, eventOf(other), startMs)).toEqual({ news: [] })
})

test('ends at its time and drops out; without a time it stays', () => {
  const quieting = new Quieting()
  quieting.snooze({ of: 'rule', ruleId: 'r0' }, untilMs)
  quieting.snooze({ of: 'rule', ruleId: 'r1' }, null)
  expect(quieting.nextDueMs([], startMs)).toBe(untilMs)
  expect(quieting.due([], untilMs - 1)).toEqual({ news: [], hasChanged: false })
  expect(quieting.judge(rule, eventOf(rule), untilMs - 1).heldBackBy).toBe('snooze')
  expect(quieting.judge(rule, eventOf(rule), untilMs).heldBackBy).toBeUndefined()
  expect(quieting.due([], untilMs)).toEqual({ news: [], hasChanged: true })
  expect(quieting.snoozes()).toEqual([{ scope: { of: 'rule', ruleId: 'r1' }, untilMs: null }])
  expect(quieting.nextDueMs([], untilMs)).toBeUndefined()
})

test('a second snooze of the same scope takes the place of the first', () => {
  const quieting = new Quieting()
  quieting.snooze({ of: 'index', indexId: 'BRTI' }, null)
  quieting.snooze({ of: 'group', group: 'BRTI' }, null)
  quieting.snooze({ of: 'index', indexId: 'BRTI' }, untilMs)
  expect(quieting.snoozes()).toEqual([
    { scope: { of: 'group', group: 'BRTI' }, untilMs: null },
    { scope: { of: 'index', indexId: 'BRTI' }, untilMs },
  ])
})

test('ending a snooze ends the one of that scope alone', () => {
  const quieting = new Quieting()
  quieting.snooze({ of: 'index', indexId: 'BRTI' }, null)
  quieting.snooze({ of: 'all' }, null)
  quieting.endSnooze({ of: 'index', indexId: 'BRTI' })
  quieting.endSnooze({ of: 'index', indexId: 'ETHUSD_RTI' })
  expect(quieting.snoozes()).toEqual([{ scope: { of: 'all' }, untilMs: null }])
  quieting.endSnooze({ of: 'all' })
  expect(quieting.judge(rule, eventOf(rule), startMs)).toEqual({ news: [] })
})

test('what is held back by a snooze starts no cooldown', () => {
  const quieting = new Quieting()
  const cooling = quietRule({ cooldownMs: hour })
  quieting.snooze({ of: 'all' }, startMs + minute)
  expect(quieting.judge(cooling, eventOf(cooling), startMs).heldBackBy).toBe('muted')
  expect(quieting.of(cooling.id)).toEqual({})
  expect(quieting.judge(cooling, eventOf(cooling), startMs + minute)).toEqual({ news: [] })
  expect(quieting.judge(cooling, eventOf(cooling), startMs + minute).heldBackBy).toBe('cooldown')
})

test('the end of a cooldown and of a rule is news for the inbox alone while snoozed', () => {
  const quieting = new Quieting()
  const ending = quietRule({ cooldownMs: minute, expiresAt: { atMs: startMs + 2 * minute, timeZone: 'UTC' } })
  quieting.judge(ending, eventOf(ending), startMs)
  quieting.judge(ending, eventOf(ending), startMs)
  quieting.snooze({ of: 'rule', ruleId: ending.id }, startMs + 2 * minute)
  expect(quieting.due([ending], startMs + minute).news).toMatchObject([{ kind: 'cooldownOver', heldBackBy: 'snooze' }])
  expect(quieting.due([ending], startMs + 2 * minute).news).toEqual([{ ruleId: ending.id, kind: 'expired' }])
})

test('snoozes hold over a restart', () => {
  const quieting = new Quieting()
  quieting.snooze({ of: 'group', group: 'Bitcoin' }, untilMs)
  quieting.snooze({ of: 'rule', ruleId: 'r9' }, null)
  const next = restarted(quieting, (value) => readQuiet(value).good)
  expect(next.snoozes()).toEqual(quieting.snoozes())
  expect(next.judge(rule, eventOf(rule), startMs).heldBackBy).toBe('snooze')
})
