import * as v from 'valibot'
import { eventSchema, type AlertEvent, type AlertEventKind } from '../../../core/alert-events'
import { isOutsideHours } from '../../../core/alert-hours'
import { hasLevels, dependsOn, type AlertRule, type AlertSnooze, type HoldBackReason } from '../../../core/alerts'
import { snoozeReason } from '../../../core/snoozes'

/** JSON.parse reads 1e999 as infinity and JSON.stringify writes that as null, which the next start could not read. */
const finite = v.pipe(v.number(), v.finite())
const policySchema = v.object({
  /** The cooldown after a notification (alert engine, 6). It belongs to the rule, not to its index. */
  cooldown: v.exactOptional(v.object({ untilMs: finite, heldBack: finite })),
  /** The last event that the current cooldown suppressed. */
  lastHeldBack: v.exactOptional(eventSchema),
  /**
   * Notifications of a day in the user's time zone (alert engine, 5). `isEndOwed`: a silence was notified, so its end
   * will be notified even beyond the limit (alert engine, 9).
   */
  daily: v.exactOptional(v.object({ day: v.string(), count: finite, isEndOwed: v.exactOptional(v.literal(true)) })),
  /** Why the rule is suspended, in plain words (alert engine, 14). The user has to re-arm it. */
  suspension: v.exactOptional(v.string()),
  reach: v.exactOptional(v.union([v.literal('unchecked'), v.object({ cannotFire: v.string(), sinceMs: finite })])),
  /** Due time of the last fixing that was reported missing. */
  missedMs: v.exactOptional(finite),
  /** Wall times of the firings notified within the last three minutes, oldest first. At most 15. */
  notifiedAtMs: v.exactOptional(v.array(finite)),
  /** Whether the expiry was reported (alert engine, 13). Reported once, even if the clock is set back. */
  isExpired: v.exactOptional(v.literal(true)),
  /** The expiry that the user was warned of. Another expiry is warned of again. */
  warnedOfMs: v.exactOptional(finite),
})

/** What the policy remembers of a rule after a restart. */
export type RulePolicyState = v.InferOutput<typeof policySchema>

/** Undefined if the stored state cannot be read. */
export function readPolicy(value: unknown): RulePolicyState | undefined {
  const read = v.safeParse(policySchema, value)
  return read.success ? read.output : undefined
}

/** Something to record as an event, caused by time or by a decision. */
export interface PolicyEvent {
  kind: Extract<AlertEventKind, 'cooldownOver' | 'expiresSoon' | 'expired' | 'suspended'>
  heldBackCount?: number
  /** For `cooldownOver`: the last suppressed firing. */
  last?: AlertEvent
  reason?: string
  /** Why the event is only recorded and not notified. */
  heldBackBy?: HoldBackReason
}

/** Input of the policy besides the rule. */
export interface PolicyNow {
  nowMs: number
  snoozes: readonly AlertSnooze[]
  /** Returns the user's local day of a time. */
  dayOf: (ms: number) => string
}

/** The next state, and events to record. */
export interface PolicyChange {
  policy: RulePolicyState
  events: PolicyEvent[]
}

/** Whether an event is notified or why not, with the next state and events to record. */
export interface PolicyVerdict extends PolicyChange {
  heldBackBy?: HoldBackReason
}

const hourMs = 3_600_000
const dayMs = 24 * hourMs

/** Events that cooldown, daily limit and suspension apply to. Only snoozes apply to others. */
const limitedKinds: readonly AlertEventKind[] = ['fired', 'lateByAmendment', 'lateFromHistory', 'recovered']

/** Events of values published within the rule's hours and found later, perhaps outside them (alert engine, 19). */
const foundLater: ReadonlySet<AlertEventKind> = new Set(['lateByAmendment', 'lateFromHistory'])

/**
 * Decides whether an event is notified. Call it once for every event that could be. It suppresses notifications, never
 * evaluations (alert engine, 5 to 7, 13, 14). It applies cooldown, daily limit, snoozes, the hours for late events, and
 * the suspension of a rule that fires too often. If the cooldown has ended, that event is returned, to be recorded
 * first. The firing that causes a suspension is suppressed, because the event of the suspension replaces it.
 *
 * Times are wall times, because the state survives a restart. If the wall clock is set forward, a cooldown ends early.
 * If it is set back, a cooldown is at most one cooldown longer. A snooze ends at the wall time that the user was shown.
 */
export function decide(rule: AlertRule, before: RulePolicyState, event: AlertEvent, now: PolicyNow): PolicyVerdict {
  const { nowMs, snoozes, dayOf } = now
  const isLimited = limitedKinds.includes(event.kind)
  if (isLimited && before.suspension !== undefined) return { policy: before, heldBackBy: 'suspended', events: [] }
  const { policy, events } = endCooldown(rule, before, now)
  const snoozed = snoozeReason(snoozes, rule, nowMs)
  if (snoozed !== undefined) return { policy, heldBackBy: snoozed, events }
  if (foundLater.has(event.kind) && isOutsideHours(rule, nowMs)) return { policy, heldBackBy: 'hours', events }
  if (!isLimited) return { policy, events }
  const day = dayOf(nowMs)
  if (policy.cooldown !== undefined) {
    const { untilMs, heldBack } = policy.cooldown
    const counted = { ...policy, cooldown: { untilMs, heldBack: heldBack + 1 }, lastHeldBack: event }
    return { policy: counted, heldBackBy: 'cooldown', events }
  }
  if (event.kind === 'recovered' && policy.daily?.isEndOwed === true) {
    return { policy: beginCooldown(withEndNotified(policy), rule, nowMs), events }
  }
  if (isDayFull(policy, rule, day)) return { policy, heldBackBy: 'dailyLimit', events }
  const isLive = event.kind === 'fired' || event.kind === 'lateByAmendment'
  const counted = isLive ? countFiring(policy, rule, nowMs) : policy
  if (counted.suspension !== undefined) {
    const suspended: PolicyEvent = { kind: 'suspended', reason: counted.suspension }
    return { policy: counted, heldBackBy: 'suspended', events: [...events, suspended] }
  }
  const notified = countForDay(beginCooldown(counted, rule, nowMs), rule, day)
  return { policy: event.kind === 'recovered' ? withEndNotified(notified) : notified, events }
}

/** Ends the cooldown or the rule if that is due. */
export function comeDue(rule: AlertRule, before: RulePolicyState, now: PolicyNow): PolicyChange {
  const { policy, events } = endCooldown(rule, before, now)
  const next = nextExpiryEvent(policy, rule, now.nowMs)
  if (next === undefined || next.atMs > now.nowMs) return { policy, events }
  const { kind } = next
  const said = kind === 'expired' ? { isExpired: true as const } : rule.expiresAt && { warnedOfMs: rule.expiresAt.atMs }
  return { policy: { ...policy, ...said }, events: [...events, withSnooze({ kind }, rule, now)] }
}

/** The next time something of a rule is due. Not later than `nowMs` if something is due already. */
export function nextDueMs(rule: AlertRule, policy: RulePolicyState, nowMs: number): number {
  const endMs = policy.cooldown === undefined ? undefined : cooldownEndMs(policy, rule, nowMs)
  const expiry = rule.expiresAt === undefined ? undefined : nextExpiryEvent(policy, rule, nowMs)
  return Math.min(endMs ?? Infinity, expiry?.atMs ?? Infinity)
}

/**
 * The state after the rule was created, edited or re-armed: only a snooze suppresses it. The expiry warning is kept, so
 * that re-arming does not warn again.
 */
export function renewed({ warnedOfMs }: RulePolicyState): RulePolicyState {
  return warnedOfMs === undefined ? {} : { warnedOfMs }
}

/** Ends the cooldown if it is over. Brings its end forward if the wall clock was set back. */
function endCooldown(rule: AlertRule, policy: RulePolicyState, now: PolicyNow): PolicyChange {
  const endMs = cooldownEndMs(policy, rule, now.nowMs)
  if (policy.cooldown === undefined || endMs === undefined) return { policy, events: [] }
  const { cooldown, lastHeldBack, ...rest } = policy
  if (endMs > now.nowMs) {
    const isSame = endMs === cooldown.untilMs
    return { policy: isSame ? policy : { ...policy, cooldown: { ...cooldown, untilMs: endMs } }, events: [] }
  }
  if (cooldown.heldBack === 0) return { policy: rest, events: [] }
  const over: PolicyEvent = { kind: 'cooldownOver', heldBackCount: cooldown.heldBack, last: lastHeldBack }
  return { policy: rest, events: [withSnooze(over, rule, now)] }
}

function withSnooze(event: PolicyEvent, rule: AlertRule, { snoozes, nowMs }: PolicyNow): PolicyEvent {
  const heldBackBy = snoozeReason(snoozes, rule, nowMs)
  return heldBackBy === undefined ? event : { ...event, heldBackBy }
}

/** Days in UTC, used if no time zone is given. */
export function utcDay(ms: number): string {
  return new Date(ms).toISOString().slice(0, 10)
}

/**
 * The next event of a rule's expiry and its time. Undefined if there is none. The warning comes a day before the
 * expiry. It is omitted for a rule created within its last day, and if less than an hour is left, for example after the
 * app was closed.
 */
function nextExpiryEvent(
  policy: RulePolicyState,
  { expiresAt, createdAtMs }: AlertRule,
  nowMs: number,
): { kind: 'expiresSoon' | 'expired'; atMs: number } | undefined {
  if (expiresAt === undefined || policy.isExpired) return undefined
  const { atMs } = expiresAt
  const warnAtMs = atMs - dayMs
  const isToWarn = policy.warnedOfMs !== atMs && createdAtMs < warnAtMs && nowMs < atMs - hourMs
  return isToWarn ? { kind: 'expiresSoon', atMs: warnAtMs } : { kind: 'expired', atMs }
}

/** True if the rule has expired, also before the event of the expiry. */
export function hasExpired({ expiresAt }: AlertRule, policy: RulePolicyState, nowMs: number): boolean {
  return policy.isExpired === true || (expiresAt !== undefined && expiresAt.atMs <= nowMs)
}

/** The rule without its expiry. */
export function withoutEnd(rule: AlertRule): AlertRule {
  if (rule.expiresAt === undefined) return rule
  const endless = { ...rule }
  delete endless.expiresAt
  return endless
}

/** After a notification: starts the cooldown if the rule has one. */
function beginCooldown(state: RulePolicyState, rule: AlertRule, nowMs: number): RulePolicyState {
  if (rule.cooldownMs === undefined) return state
  return { ...state, cooldown: { untilMs: nowMs + rule.cooldownMs, heldBack: 0 } }
}

/**
 * When the cooldown ends. If that is more than a whole cooldown ahead, the wall clock was set back. Then it ends one
 * cooldown from now.
 */
function cooldownEndMs({ cooldown }: RulePolicyState, rule: AlertRule, nowMs: number): number | undefined {
  return cooldown === undefined ? undefined : Math.min(cooldown.untilMs, nowMs + (rule.cooldownMs ?? 0))
}

function isDayFull({ daily }: RulePolicyState, { repeat }: AlertRule, day: string): boolean {
  return repeat.mode === 'daily' && daily?.day === day && daily.count >= repeat.max
}

/** After a notification. */
function countForDay(state: RulePolicyState, { repeat, terms }: AlertRule, day: string): RulePolicyState {
  if (repeat.mode !== 'daily') return state
  const count = (state.daily?.day === day ? state.daily.count : 0) + 1
  return { ...state, daily: { day, count, ...(dependsOn(terms, 'silence') && { isEndOwed: true }) } }
}

/** After the end of a silence was notified. It does not count for the day. */
function withEndNotified(state: RulePolicyState): RulePolicyState {
  if (state.daily === undefined) return state
  const { day, count } = state.daily
  return { ...state, daily: { day, count } }
}

const maxFirings = 15
const withinMinutes = 3
const withinMs = withinMinutes * 60_000

/**
 * Counts a firing that nothing else suppresses. One too many suspends the rule and sets `suspension`. Ignores times
 * later than `nowMs`, because the wall clock was set back.
 */
function countFiring(state: RulePolicyState, rule: AlertRule, nowMs: number): RulePolicyState {
  const earlier = (state.notifiedAtMs ?? []).filter((atMs) => atMs <= nowMs && atMs > nowMs - withinMs)
  if (earlier.length < maxFirings) return { ...state, notifiedAtMs: [...earlier, nowMs] }
  return { ...state, notifiedAtMs: [], suspension: suspensionReason(rule, earlier.length + 1) }
}

function suspensionReason({ terms }: AlertRule, count: number): string {
  const cure = hasLevels(terms) ? 'Widen the re-arm band or add a cooldown' : 'Add a cooldown'
  return `It fired ${count} times in ${withinMinutes} min. ${cure}, then re-arm it.`
}

const maxRecordedAnHour = 60
/** The number of suppressed events of a rule in the hour that began at `sinceMs`. */
export interface SuppressedHour {
  sinceMs: number
  count: number
}

/**
 * Counts one more suppressed event. The first sixty of a rule in an hour are recorded, the rest only counted. So a
 * value that hovers at a level under a mute, or is amended over and over, does not fill the disk.
 */
export function countSuppressed(
  hour: SuppressedHour | undefined,
  atMs: number,
): SuppressedHour & { isRecorded: boolean } {
  const isOver = hour === undefined || atMs < hour.sinceMs || atMs - hour.sinceMs >= hourMs
  const { sinceMs, count } = isOver ? { sinceMs: atMs, count: 0 } : hour
  return { sinceMs, count: count + 1, isRecorded: count < maxRecordedAnHour }
}
