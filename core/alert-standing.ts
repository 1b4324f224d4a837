/** How rules stand, the same for the window and the tray. */
import { dependsOn, type AlertSnooze, type AlertView } from './alerts'
import { isOutsideHours } from './alert-hours'
import type { IndexId } from './model'
import { covers } from './snoozes'

/** What keeps a rule from firing; `watching` where nothing does. */
export type RuleStatus =
  | 'over'
  | 'cannotFire'
  | 'snoozed'
  | 'outsideHours'
  | 'unchecked'
  | 'noData'
  | 'coolingDown'
  | 'watching'

/** An index that rules watch without data: since when, in milliseconds since the epoch; absent: it never had any. */
export interface IndexWithoutData {
  id: IndexId
  sinceMs?: number
}

/** What rules have no data. */
export interface MissingData {
  indices: readonly IndexWithoutData[]
  /** How many rules wait for data, leaving out what a reconnect brings back. */
  ruleCount: number
}

/** What a rule stands in. */
export interface Surroundings {
  nowMs: number
  snoozes: readonly AlertSnooze[]
  hasData: boolean
}

/**
 * How a rule stands: what ended it first, then that it cannot fire, then what silences it, then that it does not watch at
 * this time, then that nobody knows whether it can fire, then that it sees nothing. A rule that waits for a silence needs
 * no data.
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
