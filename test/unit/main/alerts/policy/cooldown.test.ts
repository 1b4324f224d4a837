import { expect, test } from 'vitest'
import { NotificationPolicy, readPolicyRecord } from '../../../../../main/alerts/policy/notification-policy'
import { dueOf, eventOf, hour, minute, policyRule, restarted, second, startMs } from '../../../../support/policy-bench'

const rule = policyRule({ cooldownMs: minute })
const read = (value: unknown) => readPolicyRecord(value).good

test('holds back and counts what comes within the cooldown, and says so at its end', () => {
  const policy = new NotificationPolicy()
  expect(policy.decide(rule, eventOf(rule), startMs)).toEqual({ events: [] })
  const last = eventOf(rule, { inputs: { value: '100.4', publishedAtMs: startMs + 59_999 } })
  for (const [event, atMs] of [
    [eventOf(rule), startMs],
    [eventOf(rule, { kind: 'recovered' }), startMs + second],
    [last, startMs + minute - 1],
  ] as const) {
    expect(policy.decide(rule, event, atMs)).toEqual({ heldBackBy: 'cooldown', events: [] })
  }
  expect(policy.of(rule.id).cooldown).toEqual({ untilMs: startMs + minute, heldBack: 3 })
  expect(policy.nextDueMs([rule], startMs + second)).toBe(startMs + minute)
  expect(dueOf(policy, [rule], startMs + minute - 1)).toEqual({ events: [], hasChanged: false })
  expect(dueOf(policy, [rule], startMs + minute)).toEqual({
    events: [{ ruleId: rule.id, kind: 'cooldownOver', heldBackCount: 3, last }],
    hasChanged: true,
  })
  expect(dueOf(policy, [rule], startMs + minute)).toEqual({ events: [], hasChanged: false })
  expect(policy.decide(rule, eventOf(rule), startMs + minute)).toEqual({ events: [] })
})

test('says nothing at the end when nothing was held back', () => {
  const policy = new NotificationPolicy()
  policy.decide(rule, eventOf(rule), startMs)
  expect(dueOf(policy, [rule], startMs + minute)).toEqual({ events: [], hasChanged: true })
  expect(policy.of(rule.id).cooldown).toBeUndefined()
})

test('what was held back in one cooldown does not count in the next', () => {
  const policy = new NotificationPolicy()
  policy.decide(rule, eventOf(rule), startMs)
  policy.decide(rule, eventOf(rule), startMs + second)
  dueOf(policy, [rule], startMs + minute)
  policy.decide(rule, eventOf(rule), startMs + 2 * minute)
  expect(dueOf(policy, [rule], startMs + 3 * minute).events).toEqual([])
})

test('an event after the end that was not yet noticed is notified, and the end with it', () => {
  const policy = new NotificationPolicy()
  policy.decide(rule, eventOf(rule), startMs)
  const held = eventOf(rule)
  policy.decide(rule, held, startMs + second)
  expect(policy.decide(rule, eventOf(rule), startMs + minute)).toEqual({
    events: [{ ruleId: rule.id, kind: 'cooldownOver', heldBackCount: 1, last: held }],
  })
  expect(policy.of(rule.id).cooldown).toEqual({ untilMs: startMs + 2 * minute, heldBack: 0 })
})

// Leek-fund is silent on a symbol for minutes after any alert, and what another threshold has to say is lost.
test("a second threshold inside another rule's cooldown fires", () => {
  const policy = new NotificationPolicy()
  const second = policyRule({ id: 'r1', cooldownMs: minute })
  policy.decide(rule, eventOf(rule), startMs)
  expect(policy.decide(second, eventOf(second), startMs + 1)).toEqual({ events: [] })
  expect(policy.decide(rule, eventOf(rule), startMs + 1).heldBackBy).toBe('cooldown')
})

test('a restart neither fires again nor forgets a cooldown', () => {
  const policy = new NotificationPolicy()
  policy.decide(rule, eventOf(rule), startMs)
  const held = eventOf(rule, { inputs: { value: '100.4', publishedAtMs: startMs + second } })
  policy.decide(rule, held, startMs + second)
  const next = restarted(policy, read)
  expect(dueOf(next, [rule], startMs + 2 * second)).toEqual({ events: [], hasChanged: false })
  expect(next.decide(rule, held, startMs + 2 * second).heldBackBy).toBe('cooldown')
  expect(dueOf(next, [rule], startMs + minute).events).toEqual([
    { ruleId: rule.id, kind: 'cooldownOver', heldBackCount: 2, last: held },
  ])
  expect(dueOf(restarted(next, read), [rule], startMs + minute).events).toEqual([])
})

test('a rule without a cooldown is notified each time', () => {
  const policy = new NotificationPolicy()
  const plain = policyRule()
  for (let at = 0; at < 5; at++) expect(policy.decide(plain, eventOf(plain), startMs)).toEqual({ events: [] })
  expect(policy.nextDueMs([plain], startMs)).toBeUndefined()
})

test('a wall clock set forward two hours ends the cooldown, set back an hour leaves one cooldown at most', () => {
  const forward = new NotificationPolicy()
  forward.decide(rule, eventOf(rule), startMs)
  expect(dueOf(forward, [rule], startMs + 2 * hour).hasChanged).toBe(true)
  expect(forward.decide(rule, eventOf(rule), startMs + 2 * hour)).toEqual({ events: [] })

  const back = new NotificationPolicy()
  const backMs = startMs - hour
  back.decide(rule, eventOf(rule), startMs)
  expect(back.nextDueMs([rule], backMs)).toBe(backMs + minute)
  expect(dueOf(back, [rule], backMs)).toEqual({ events: [], hasChanged: true })
  expect(back.decide(rule, eventOf(rule), backMs + second).heldBackBy).toBe('cooldown')
  expect(back.of(rule.id).cooldown).toEqual({ untilMs: backMs + minute, heldBack: 1 })
  expect(back.decide(rule, eventOf(rule), backMs + minute).heldBackBy).toBeUndefined()
})

test('a judgement alone sets the end right after the clock was set back', () => {
  const policy = new NotificationPolicy()
  policy.decide(rule, eventOf(rule), startMs)
  expect(policy.decide(rule, eventOf(rule), startMs - hour).heldBackBy).toBe('cooldown')
  expect(policy.of(rule.id).cooldown).toEqual({ untilMs: startMs - hour + minute, heldBack: 1 })
})
