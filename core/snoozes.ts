import type { AlertRule, AlertSnooze, SnoozeScope } from './alerts'

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

/** The snooze that silences everything, while there is one. */
export function muteOf(snoozes: readonly AlertSnooze[]): AlertSnooze | undefined {
  return snoozes.find(({ scope }) => scope.of === 'all')
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
