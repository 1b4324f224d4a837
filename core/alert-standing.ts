/** The status of rules, for the window and the tray. */
import { dependsOn, type AlertSnooze, type AlertView } from './alerts'
import { isOutsideHours } from './alert-hours'
import type { IndexId } from './model'
import { covers } from './snoozes'

/** What keeps a rule from firing. `watching` if nothing does. */
export type RuleStatus =
  | 'over'
  | 'cannotFire'
  | 'snoozed'
  | 'outsideHours'
  | 'unchecked'
  | 'noData'
  | 'coolingDown'
  | 'watching'

/** An index of rules that has no data. `sinceMs` is in milliseconds since 1970, undefined if it never had any. */
export interface IndexWithoutData {
  id: IndexId
  sinceMs?: number
}

/** The rules and indices without data. */
export interface MissingData {
  indices: readonly IndexWithoutData[]
  /** Number of rules that wait for data. Leaves out a short reconnect. */
  ruleCount: number
}

/** What the status of a rule depends on besides the rule. */
export interface Surroundings {
  nowMs: number
  snoozes: readonly AlertSnooze[]
  hasData: boolean
}

/**
 * The status of a rule. Priority: ended, cannot fire, snoozed, outside hours, unchecked, no data. A rule on silence
 * needs no data.
 */
export function statusOf(rule: AlertView, { nowMs, snoozes, hasData }: Surroundings): RuleStatus {
  if (rule.phase === 'triggered' || rule.phase === 'suspended' || rule.phase === 'expired') return 'over'
  if (typeof rule.reach === 'object') return 'cannotFire'
  if (snoozes.some(({ scope }) => covers(scope, rule))) return 'snoozed'
  if (isOutsideHours(rule, nowMs)) return 'outsideHours'
  if (rule.reach === 'unchecked') return 'unchecked'
  if (!hasData && !dependsOn(rule.terms, 'silence')) return 'noData'
  return rule.cooldown === undefined ? 'watching' : 'coolingDown'
}
