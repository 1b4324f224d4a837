import type { AlertRule, AlertSnooze, HoldBackReason, SnoozeScope } from '../../protocol/alerts'

/** Why the snoozes hold back what this rule would tell, if they do (alerts, 7): `muted` is the snooze of all. */
export function snoozeOver(
  snoozes: readonly AlertSnooze[],
  rule: AlertRule,
  nowMs: number,
): Extract<HoldBackReason, 'snooze' | 'muted'> | undefined {
  const over = snoozes.filter((snooze) => !hasEnded(snooze, nowMs) && covers(snooze.scope, rule))
  if (over.length === 0) return undefined
  return over.some(({ scope }) => scope.of === 'all') ? 'muted' : 'snooze'
}

export function hasEnded({ untilMs }: AlertSnooze, nowMs: number): boolean {
  return untilMs !== null && untilMs <= nowMs
}

export function isSameScope(a: SnoozeScope, b: SnoozeScope): boolean {
  return scopeKey(a) === scopeKey(b)
}

/** Whether a snooze of this scope is about this rule. */
export function covers(scope: SnoozeScope, rule: AlertRule): boolean {
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
