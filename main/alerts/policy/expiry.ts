import * as v from 'valibot'
import type { AlertRule } from '../../../core/alerts'

const hour = 3_600_000
const day = 24 * hour

/** What has been said of the end of a rule (alerts, 13). It is said once, also where the clock is set back. */
export interface ExpiryState {
  isExpired?: true
  /** The end the user has been warned of; another end is warned of again. */
  warnedOfMs?: number
}

export const expiryEntries = {
  isExpired: v.exactOptional(v.literal(true)),
  warnedOfMs: v.exactOptional(v.pipe(v.number(), v.finite())),
}

/**
 * What is said next of the end of a rule, and when; `undefined` where there is nothing more to say. The warning comes a
 * day before. It is left out for a rule made within its last day, and when there is less than an hour left by the time
 * it could be given, as after the app was closed: the end itself is near enough.
 */
export function nextExpiryEvent(
  state: ExpiryState,
  { expiresAt, createdAtMs }: AlertRule,
  nowMs: number,
): { kind: 'expiresSoon' | 'expired'; atMs: number } | undefined {
  if (expiresAt === undefined || state.isExpired) return undefined
  const { atMs } = expiresAt
  const warnAtMs = atMs - day
  const isToWarn = state.warnedOfMs !== atMs && createdAtMs < warnAtMs && nowMs < atMs - hour
  return isToWarn ? { kind: 'expiresSoon', atMs: warnAtMs } : { kind: 'expired', atMs }
}

/** Whether the rule's time is over, also where its event is still to come. */
export function hasExpired({ expiresAt }: AlertRule, state: ExpiryState, nowMs: number): boolean {
  return state.isExpired === true || (expiresAt !== undefined && expiresAt.atMs <= nowMs)
}

/** The rule as one that never expires. */
export function withoutEnd(rule: AlertRule): AlertRule {
  if (rule.expiresAt === undefined) return rule
  const endless = { ...rule }
  delete endless.expiresAt
  return endless
}
