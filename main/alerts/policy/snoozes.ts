import type { AlertRule, AlertSnooze, HoldBackReason } from '../../../core/alerts'
import { covers, muteOf } from '../../../core/snoozes'

export { covers }

/** Why a snooze holds back the notifications of this rule, if one does (alerts, 7): `muted` is the snooze of all. */
export function snoozeReason(
  snoozes: readonly AlertSnooze[],
  rule: AlertRule,
  nowMs: number,
): Extract<HoldBackReason, 'snooze' | 'muted'> | undefined {
  const active = snoozes.filter((snooze) => !hasEnded(snooze, nowMs) && covers(snooze.scope, rule))
  if (active.length === 0) return undefined
  return muteOf(active) === undefined ? 'snooze' : 'muted'
}

export function hasEnded({ untilMs }: AlertSnooze, nowMs: number): boolean {
  return untilMs !== null && untilMs <= nowMs
}
