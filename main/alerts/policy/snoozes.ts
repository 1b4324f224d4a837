import type { AlertRule, AlertSnooze, HoldBackReason, SnoozeScope } from '../../../protocol/alerts'
import { covers, muteOf } from '../../../protocol/snoozes'

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

export function isSameScope(a: SnoozeScope, b: SnoozeScope): boolean {
  return scopeKey(a) === scopeKey(b)
}

function scopeKey(scope: SnoozeScope): string {
  switch (scope.of) {
    case 'rule':
      return `rule ${scope.ruleId}`
    case 'index':
      return `index ${scope.indexId}`
    case 'group':
      return `group ${scope.group}`
    case 'all':
      return 'all'
  }
}
