import type { AlertRule, AlertSnooze, HoldBackReason, SnoozeScope } from '../../protocol/alerts'

/** Whether a snooze is about this rule. */
export function isInScope(scope: SnoozeScope, rule: AlertRule): boolean {
  switch (scope.of) {
    case 'rule':
      return scope.ruleId === rule.id
    case 'index':
      return scope.indexId === rule.indexId
    case 'group':
      return scope.group === rule.group
    case 'all':
      return true
  }
}

/** Why the user hears nothing of this rule now, where that is their wish. */
export function silencedBy(
  rule: AlertRule,
  snoozes: readonly AlertSnooze[],
  nowMs: number,
): HoldBackReason | undefined {
  const inForce = snoozes.filter(
    ({ scope, untilMs }) => isInScope(scope, rule) && (untilMs === null || untilMs > nowMs),
  )
  if (inForce.length === 0) return undefined
  return inForce.some(({ scope }) => scope.of === 'all') ? 'muted' : 'snooze'
}
