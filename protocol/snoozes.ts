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
