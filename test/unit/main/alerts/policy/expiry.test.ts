import { expect, test } from 'vitest'
import { PolicyBench, day, hour, minute, policyRule, startMs } from '../../../../support/policy-bench'

const endMs = startMs + 3 * day
const rule = policyRule({ expiresAt: { atMs: endMs, timeZone: 'Europe/London' } })
const kinds = (policy: PolicyBench, ms: number, of = rule) => policy.due([of], ms).events.map(({ kind }) => kind)

test('warns a day before the end, once, and says the end, once', () => {
  const policy = new PolicyBench()
  expect(policy.nextMs([rule], startMs)).toBe(endMs - day)
  expect(kinds(policy, endMs - day - 1)).toEqual([])
  expect(policy.due([rule], endMs - day)).toEqual({
    events: [{ kind: 'expiresSoon' }],
    hasChanged: true,
  })
  expect(policy.of(rule.id).isExpired).toBeUndefined()
  expect(policy.nextMs([rule], endMs - day)).toBe(endMs)
  expect(policy.due([rule], endMs - 1)).toEqual({ events: [], hasChanged: false })
  expect(kinds(policy, endMs)).toEqual(['expired'])
  expect(policy.of(rule.id).isExpired).toBe(true)
  expect(policy.due([rule], endMs + day)).toEqual({ events: [], hasChanged: false })
  expect(policy.nextMs([rule], endMs)).toBe(Infinity)
})

test('does not warn of the end of a rule made within its last day', () => {
  for (const createdAtMs of [endMs - day, endMs - minute]) {
    const late = { ...rule, createdAtMs }
    const policy = new PolicyBench()
    expect(policy.nextMs([late], createdAtMs)).toBe(endMs)
    expect(kinds(policy, endMs - 2 * hour, late)).toEqual([])
    expect(kinds(policy, endMs, late)).toEqual(['expired'])
  }
  expect(kinds(new PolicyBench(), endMs - 2 * hour, { ...rule, createdAtMs: endMs - day - 1 })).toEqual(['expiresSoon'])
})

test('an app that was closed at the time warns on its start, but not within the last hour', () => {
  expect(kinds(new PolicyBench().restarted(), endMs - hour - 1)).toEqual(['expiresSoon'])
  const last = new PolicyBench().restarted()
  expect(last.due([rule], endMs - hour)).toEqual({ events: [], hasChanged: false })
  expect(last.nextMs([rule], endMs - hour)).toBe(endMs)
})

test('an app that was closed at the end says it on its start, and on the next start no more', () => {
  const late = new PolicyBench().restarted()
  expect(kinds(late, endMs + 30 * day)).toEqual(['expired'])
  const later = late.restarted()
  expect(kinds(later, endMs + 31 * day)).toEqual([])
  expect(later.of(rule.id).isExpired).toBe(true)
})

test('a warning given is not given again after a restart', () => {
  const policy = new PolicyBench()
  expect(kinds(policy, endMs - day)).toEqual(['expiresSoon'])
  expect(kinds(policy.restarted(), endMs - day + minute)).toEqual([])
})

test('a wall clock set back neither warns nor expires twice; set forward it expires at once', () => {
  const policy = new PolicyBench()
  kinds(policy, endMs - day)
  expect(kinds(policy, endMs - day - hour)).toEqual([])
  expect(kinds(policy, endMs - day)).toEqual([])
  expect(kinds(policy, endMs - day + day + 2 * hour)).toEqual(['expired'])
  expect(kinds(policy, endMs - hour)).toEqual([])
  expect(kinds(policy, endMs)).toEqual([])
  expect(policy.of(rule.id).isExpired).toBe(true)
})

test('arming again does not warn a second time of the same end, but does of another', () => {
  const policy = new PolicyBench()
  kinds(policy, endMs - day)
  policy.renew(rule)
  expect(kinds(policy, endMs - day + minute)).toEqual([])
  const later = { ...rule, expiresAt: { atMs: endMs + 2 * day, timeZone: 'Europe/London' } }
  policy.renew(later)
  expect(kinds(policy, endMs + day, later)).toEqual(['expiresSoon'])
})

test('a rule without an end never expires', () => {
  const policy = new PolicyBench()
  expect(kinds(policy, startMs + 10_000 * day, policyRule())).toEqual([])
  expect(policy.nextMs([policyRule()], startMs)).toBe(Infinity)
})
