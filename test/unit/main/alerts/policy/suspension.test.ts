import { expect, test } from 'vitest'
import type { AlertRule } from '../../../../../core/alerts'
import { PolicyBench, eventOf, hour, minute, policyRule, second, startMs } from '../../../../support/policy-bench'

const rule = policyRule()
const reason = 'It fired 16 times in 3 min. Widen the re-arm band or add a cooldown, then re-arm it.'

/** Lets the rule fire so often, a second apart, and answers what the last one met. */
function fire(policy: PolicyBench, times: number, { of = rule, fromMs = startMs, everyMs = second } = {}) {
  const verdicts = Array.from({ length: times }, (_, at) => policy.decide(of, eventOf(of), fromMs + at * everyMs))
  return { verdicts, heldBack: verdicts.map(({ heldBackBy }) => heldBackBy).filter((by) => by !== undefined) }
}

test('suspends a rule at its sixteenth notification within three minutes, and says why', () => {
  const policy = new PolicyBench()
  expect(fire(policy, 15).heldBack).toEqual([])
  expect(policy.of(rule.id).suspension).toBeUndefined()
  const sixteenth = policy.decide(rule, eventOf(rule), startMs + 3 * minute - 1)
  expect(sixteenth).toEqual({ heldBackBy: 'suspended', events: [{ kind: 'suspended', reason }] })
  expect(policy.of(rule.id).suspension).toBe(reason)
  for (const kind of ['fired', 'lateByAmendment', 'recovered'] as const) {
    expect(policy.decide(rule, eventOf(rule, { kind }), startMs + hour)).toEqual({
      heldBackBy: 'suspended',
      events: [],
    })
  }
})

test('does not suspend a rule whose sixteen notifications take longer', () => {
  const policy = new PolicyBench()
  fire(policy, 15)
  expect(policy.decide(rule, eventOf(rule), startMs + 3 * minute)).toEqual({ events: [] })
  expect(fire(new PolicyBench(), 100, { everyMs: 12 * second }).heldBack).toEqual([])
  expect(fire(new PolicyBench(), 100, { everyMs: 11 * second }).heldBack).not.toEqual([])
})

test('names a cure the rule can have', () => {
  const plain: AlertRule = { ...rule, terms: { condition: 'constituentsChanged' } }
  const policy = new PolicyBench()
  fire(policy, 16, { of: plain })
  expect(policy.of(rule.id).suspension).toBe('It fired 16 times in 3 min. Add a cooldown, then re-arm it.')
})

test('what is held back anyway does not count', () => {
  const cooling = policyRule({ cooldownMs: minute })
  expect(fire(new PolicyBench(), 100, { of: cooling }).heldBack).not.toContain('suspended')
  const limited = policyRule({ repeat: { mode: 'daily', max: 15 } })
  expect(fire(new PolicyBench(), 100, { of: limited }).heldBack).not.toContain('suspended')
  const policy = new PolicyBench()
  policy.snooze({ of: 'all' }, startMs + minute)
  expect(fire(policy, 75).heldBack).toEqual(Array.from({ length: 60 }, () => 'muted'))
})

test('the ends of silences do not count', () => {
  const policy = new PolicyBench()
  for (let at = 0; at < 40; at++) {
    expect(policy.decide(rule, eventOf(rule, { kind: 'recovered' }), startMs)).toEqual({ events: [] })
  }
})

test('arming the rule again ends the suspension and counts from nothing', () => {
  const policy = new PolicyBench()
  fire(policy, 16)
  policy.renew(rule)
  expect(policy.of(rule.id)).toEqual({})
  const { heldBack } = fire(policy, 15, { fromMs: startMs + 20 * second })
  expect(heldBack).toEqual([])
})

test('a restart forgets neither the suspension nor the count', () => {
  const policy = new PolicyBench()
  fire(policy, 15)
  const next = policy.restarted()
  expect(next.decide(rule, eventOf(rule), startMs + minute).heldBackBy).toBe('suspended')
  expect(next.restarted().of(rule.id).suspension).toBe(reason)
})

test('one rule that fires too often does not suspend another', () => {
  const policy = new PolicyBench()
  fire(policy, 16)
  const other = policyRule({ id: 'r1' })
  expect(policy.decide(other, eventOf(other), startMs + 16 * second)).toEqual({ events: [] })
})

test('a wall clock set back an hour or forward two does not make firings count that are not near', () => {
  for (const jumpMs of [-hour, 2 * hour]) {
    const policy = new PolicyBench()
    fire(policy, 15)
    expect(fire(policy, 15, { fromMs: startMs + jumpMs }).heldBack).toEqual([])
  }
})
