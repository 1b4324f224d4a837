import { NotificationPolicy } from '../../main/alerts/policy/notification-policy'
import type { AlertEvent } from '../../protocol/alert-events'
import type { AlertRule } from '../../protocol/alerts'
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

let lastNumber = 0

/** An event of the rule, as the engine hands it over for judgement. */
export function eventOf(rule: AlertRule, more: Partial<AlertEvent> = {}): AlertEvent {
  return firedEvent(++lastNumber, rule, { ruleId: rule.id, delivery: 'pending', ...more })
}

/** NotificationPolicy as it is after the app was closed and started again: what was kept goes through the text of the file. */
export function restarted(
  policy: NotificationPolicy,
  read: (value: unknown) => Parameters<NotificationPolicy['restore']>[0],
): NotificationPolicy {
  const next = new NotificationPolicy()
  next.restore(read(JSON.parse(JSON.stringify(policy.record()))))
  return next
}
