import { expect, test } from 'vitest'
import { newRecord, viewOf, type RuleRecord } from '../../../../main/alerts/record'
import { reduce, type Now } from '../../../../main/alerts/reduce'
import { firedEvent } from '../../../support/sample-alerts'
import { minute, policyRule, startMs } from '../../../support/policy-bench'

const rule = policyRule({ cooldownMs: minute })
const record = newRecord({ number: 1, rule, first: 'wait', startedAtMs: startMs, sinceMs: startMs })
const now: Now = {
  nowMs: startMs,
  snoozes: [],
  dayOf: () => 'today',
  eventOf: (of, kind, inputs) => firedEvent(1, of, { kind, inputs, ruleId: of.id, delivery: 'pending' }),
}

test('the end of a cooldown is recorded before the firing, a suspension after it', () => {
  const notifiedAtMs = Array.from({ length: 15 }, () => startMs - 1)
  const policy = { cooldown: { untilMs: startMs, heldBack: 1 }, notifiedAtMs }
  const { events } = reduce({ ...record, policy }, { kind: 'missing', dueMs: startMs }, now)
  expect(events.map(({ event }) => [event.kind, event.delivery])).toEqual([
    ['cooldownOver', 'pending'],
    ['fired', 'heldBack'],
    ['suspended', 'pending'],
  ])
})

test.each<[phase: string, Partial<RuleRecord>]>([
  ['waiting', {}],
  ['suspended', { policy: { suspension: 'It fired 15 times.' } }],
  ['expired', { policy: { suspension: 'It fired 15 times.', isExpired: true } }],
  ['triggered', { policy: { isExpired: true }, state: { isUpArmed: false, isDownArmed: false, isDone: true } }],
])('a rule is shown as %s by its first end', (phase, more) => {
  expect(viewOf({ ...record, ...more }).phase).toBe(phase)
})
