import { NotificationPolicy, type PolicyRecord } from '../../main/alerts/policy/notification-policy'
import type { AlertEvent } from '../../core/alert-events'
import type { AlertRule } from '../../core/alerts'
import { firedEvent, levelDraft } from './sample-alerts'

export const second = 1_000
export const minute = 60 * second
export const hour = 60 * minute
export const day = 24 * hour
export const startMs = Date.UTC(2023, 10, 1, 12)

/** A rule on BRTI that fires at every crossing, made at the start. */
export function policyRule(more: Partial<AlertRule> = {}): AlertRule {
  return {
    ...levelDraft('100'),
    repeat: { mode: 'everyCrossing' },
    id: 'r0',
    version: 1,
    createdAtMs: startMs,
    ...more,
  }
}

/** What comes due of the snoozes and of these rules. */
export function dueOf(policy: NotificationPolicy, rules: readonly AlertRule[], nowMs: number) {
  const hasEnded = policy.endSnoozes(nowMs)
  const all = rules.map((rule) => policy.due(rule, nowMs))
  return { events: all.flatMap(({ events }) => events), hasChanged: hasEnded || all.some((each) => each.hasChanged) }
}

let lastNumber = 0

/** An event of the rule, as the engine hands it over for judgement. */
export function eventOf(rule: AlertRule, more: Partial<AlertEvent> = {}): AlertEvent {
  return firedEvent(++lastNumber, rule, { ruleId: rule.id, delivery: 'pending', ...more })
}

/** What is on the disk of each policy: what it was begun with, and every change since. */
const kept = new WeakMap<NotificationPolicy, PolicyRecord>()

/** NotificationPolicy as it is after the app was closed and started again: what was kept goes through the text of the file. */
export function restarted(policy: NotificationPolicy, read: (value: unknown) => PolicyRecord): NotificationPolicy {
  const before = kept.get(policy) ?? { snoozes: [], rules: {} }
  const { snoozes = before.snoozes, rules: changed } = policy.takeChanges()
  const rules = new Map(Object.entries(before.rules))
  for (const { ruleId, state } of changed) {
    if (state === undefined) rules.delete(ruleId)
    else rules.set(ruleId, state)
  }
  const record = { snoozes, rules: Object.fromEntries(rules) }
  kept.set(policy, record)
  const next = new NotificationPolicy()
  next.restore(read(JSON.parse(JSON.stringify(record))))
  kept.set(next, record)
  return next
}
