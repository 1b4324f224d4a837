import { expect, test } from 'vitest'
import { PolicyBench, eventOf, hour, minute, policyRule, second, startMs } from '../../../../support/policy-bench'

const rule = policyRule({ cooldownMs: minute })

test('holds back and counts what comes within the cooldown, and says so at its end', () => {
  const policy = new PolicyBench()
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
  expect(policy.nextMs([rule], startMs + second)).toBe(startMs + minute)
  expect(policy.due([rule], startMs + minute - 1)).toEqual({ events: [], hasChanged: false })
  expect(policy.due([rule], startMs + minute)).toEqual({
    events: [{ kind: 'cooldownOver', heldBackCount: 3, last }],
    hasChanged: true,
  })
  expect(policy.due([rule], startMs + minute)).toEqual({ events: [], hasChanged: false })
  expect(policy.decide(rule, eventOf(rule), startMs + minute)).toEqual({ events: [] })
})

test('says nothing at the end when nothing was held back', () => {
  const policy = new PolicyBench()
  policy.decide(rule, eventOf(rule), startMs)
  expect(policy.due([rule], startMs + minute)).toEqual({ events: [], hasChanged: true })
  expect(policy.of(rule.id).cooldown).toBeUndefined()
})

test('what was held back in one cooldown does not count in the next', () => {
  const policy = new PolicyBench()
  policy.decide(rule, eventOf(rule), startMs)
  policy.decide(rule, eventOf(rule), startMs + second)
  policy.due([rule], startMs + minute)
  policy.decide(rule, eventOf(rule), startMs + 2 * minute)
  expect(policy.due([rule], startMs + 3 * minute).events).toEqual([])
})

test('an event after the end that was not yet noticed is notified, and the end with it', () => {
  const policy = new PolicyBench()
  policy.decide(rule, eventOf(rule), startMs)
  const held = eventOf(rule)
  policy.decide(rule, held, startMs + second)
  expect(policy.decide(rule, eventOf(rule), startMs + minute)).toEqual({
    events: [{ kind: 'cooldownOver', heldBackCount: 1, last: held }],
  })
  expect(policy.of(rule.id).cooldown).toEqual({ untilMs: startMs + 2 * minute, heldBack: 0 })
})

// Leek-fund is silent on a symbol for minutes after any alert, and what another threshold has to say is lost.
test("a second threshold inside another rule's cooldown fires", () => {
  const policy = new PolicyBench()
  const second = policyRule({ id: 'r1', cooldownMs: minute })
  policy.decide(rule, eventOf(rule), startMs)
  expect(policy.decide(second, eventOf(second), startMs + 1)).toEqual({ events: [] })
  expect(policy.decide(rule, eventOf(rule), startMs + 1).heldBackBy).toBe('cooldown')
})

test('a restart neither fires again nor forgets a cooldown', () => {
  const policy = new PolicyBench()
  policy.decide(rule, eventOf(rule), startMs)
  const held = eventOf(rule, { inputs: { value: '100.4', publishedAtMs: startMs + second } })
  policy.decide(rule, held, startMs + second)
  const next = policy.restarted()
  expect(next.due([rule], startMs + 2 * second)).toEqual({ events: [], hasChanged: false })
  expect(next.decide(rule, held, startMs + 2 * second).heldBackBy).toBe('cooldown')
  expect(next.due([rule], startMs + minute).events).toEqual([{ kind: 'cooldownOver', heldBackCount: 2, last: held }])
  expect(next.restarted().due([rule], startMs + minute).events).toEqual([])
})

test('a rule without a cooldown is notified each time', () => {
  const policy = new PolicyBench()
  const plain = policyRule()
  for (let at = 0; at < 5; at++) expect(policy.decide(plain, eventOf(plain), startMs)).toEqual({ events: [] })
  expect(policy.nextMs([plain], startMs)).toBe(Infinity)
})

test('a wall clock set forward two hours ends the cooldown, set back an hour leaves one cooldown at most', () => {
  const forward = new PolicyBench()
  forward.decide(rule, eventOf(rule), startMs)
  expect(forward.due([rule], startMs + 2 * hour).hasChanged).toBe(true)
  expect(forward.decide(rule, eventOf(rule), startMs + 2 * hour)).toEqual({ events: [] })

  const back = new PolicyBench()
  const backMs = startMs - hour
  back.decide(rule, eventOf(rule), startMs)
  expect(back.nextMs([rule], backMs)).toBe(backMs + minute)
  expect(back.due([rule], backMs)).toEqual({ events: [], hasChanged: true })
  expect(back.decide(rule, eventOf(rule), backMs + second).heldBackBy).toBe('cooldown')
  expect(back.of(rule.id).cooldown).toEqual({ untilMs: backMs + minute, heldBack: 1 })
  expect(back.decide(rule, eventOf(rule), backMs + minute).heldBackBy).toBeUndefined()
})

test('a judgement alone sets the end right after the clock was set back', () => {
  const policy = new PolicyBench()
  policy.decide(rule, eventOf(rule), startMs)
  expect(policy.decide(rule, eventOf(rule), startMs - hour).heldBackBy).toBe('cooldown')
  expect(policy.of(rule.id).cooldown).toEqual({ untilMs: startMs - hour + minute, heldBack: 1 })
})
