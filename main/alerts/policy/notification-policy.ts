import * as v from 'valibot'
import { eventSchema, type AlertEvent, type AlertEventKind } from '../../../core/alert-events'
import { isOutsideHours } from '../../../core/alert-hours'
import { hasLevels, dependsOn, type AlertRule, type AlertSnooze, type HoldBackReason } from '../../../core/alerts'
import { snoozeReason } from '../../../core/snoozes'

/** JSON reads 1e999 as infinite and writes that as null: the next start could not read it. */
const finite = v.pipe(v.number(), v.finite())
const policySchema = v.object({
  /** The time after a notification in which others are held back (alert engine, 6): the rule's own, not that of its index. */
  cooldown: v.exactOptional(v.object({ untilMs: finite, heldBack: finite })),
  /** The last event the present cooldown has held back. */
  lastHeldBack: v.exactOptional(eventSchema),
  /**
   * Notifications of a day, which the user's time zone names (alert engine, 5). `isEndOwed`: a silence was notified, and its
   * end will be too, limit or not (alert engine, 9).
   */
  daily: v.exactOptional(v.object({ day: v.string(), count: finite, isEndOwed: v.exactOptional(v.literal(true)) })),
  /** Why, in plain words: it fired too often and waits for the user (alert engine, 14). */
  suspension: v.exactOptional(v.string()),
  reach: v.exactOptional(v.union([v.literal('unchecked'), v.object({ cannotFire: v.string(), sinceMs: finite })])),
  /** When the fixing was due that was said last to be missing. */
  missedMs: v.exactOptional(finite),
  /** Wall times of the firings notified within the last three minutes, oldest first; at most 15. */
  notifiedAtMs: v.exactOptional(v.array(finite)),
  /** What has been said of the end of the rule (alert engine, 13), once, also where the clock is set back. */
  isExpired: v.exactOptional(v.literal(true)),
  /** The end the user has been warned of; another end is warned of again. */
  warnedOfMs: v.exactOptional(finite),
})

/** What the policy remembers of a rule over restarts. */
export type RulePolicyState = v.InferOutput<typeof policySchema>

/** `undefined` where what was kept of a rule cannot be read. */
export function readPolicy(value: unknown): RulePolicyState | undefined {
  const read = v.safeParse(policySchema, value)
  return read.success ? read.output : undefined
}

/** Something that time or a decision brings about, to be recorded as an event. */
export interface PolicyEvent {
  kind: Extract<AlertEventKind, 'cooldownOver' | 'expiresSoon' | 'expired' | 'suspended'>
  heldBackCount?: number
  /** Of `cooldownOver`: the last firing held back. */
  last?: AlertEvent
  reason?: string
  /** For the inbox alone: a snooze holds its notification back. */
  heldBackBy?: HoldBackReason
}

/** What the policy goes by besides the rule. */
export interface PolicyNow {
  nowMs: number
  snoozes: readonly AlertSnooze[]
  /** Names the day that a time belongs to where the user is. */
  dayOf: (ms: number) => string
}

/** What is remembered from then on, and what is to be recorded. */
export interface PolicyChange {
  policy: RulePolicyState
  events: PolicyEvent[]
}

/** Whether an event is notified, or held back and why; and what else it brings about. */
export interface PolicyVerdict extends PolicyChange {
  heldBackBy?: HoldBackReason
}

const hourMs = 3_600_000
const dayMs = 24 * hourMs

/** The events that cooldown, daily limit and suspension apply to; others are subject to snoozes alone. */
const limitedKinds: readonly AlertEventKind[] = ['fired', 'lateByAmendment', 'lateFromHistory', 'recovered']

/** What was published within the rule's hours, and may come to light outside them (alert engine, 19). */
const foundLater: ReadonlySet<AlertEventKind> = new Set(['lateByAmendment', 'lateFromHistory'])

/**
 * Decides whether an event is notified; to be asked once of every event that could be. It mutes notifications, never
 * evaluations (alert engine, 5 to 7, 13, 14): cooldown, daily limit, snoozes, hours of what is found later, and the suspension of
 * a rule that fires too often. A cooldown found to be over comes as an event, to be recorded before this one. The firing
 * that is one too many is held back; the event of the suspension stands for it.
 *
 * Times are wall times, since what is kept must outlast the process. A wall clock set forward ends a cooldown early; set
 * back, it lengthens one by no more than one cooldown. A snooze ends at the wall time the user was shown.
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
    return { policy: beginCooldown(withEndSaid(policy), rule, nowMs), events }
  }
  if (isDayFull(policy, rule, day)) return { policy, heldBackBy: 'dailyLimit', events }
  const isLive = event.kind === 'fired' || event.kind === 'lateByAmendment'
  const counted = isLive ? countFiring(policy, rule, nowMs) : policy
  if (counted.suspension !== undefined) {
    const suspended: PolicyEvent = { kind: 'suspended', reason: counted.suspension }
    return { policy: counted, heldBackBy: 'suspended', events: [...events, suspended] }
  }
  const notified = countForDay(beginCooldown(counted, rule, nowMs), rule, day)
  return { policy: event.kind === 'recovered' ? withEndSaid(notified) : notified, events }
}

/** What has come due of a rule: its cooldown ends, or it expires. */
export function comeDue(rule: AlertRule, before: RulePolicyState, now: PolicyNow): PolicyChange {
  const { policy, events } = endCooldown(rule, before, now)
  const next = nextExpiryEvent(policy, rule, now.nowMs)
  if (next === undefined || next.atMs > now.nowMs) return { policy, events }
  const { kind } = next
  const said = kind === 'expired' ? { isExpired: true as const } : rule.expiresAt && { warnedOfMs: rule.expiresAt.atMs }
  return { policy: { ...policy, ...said }, events: [...events, withSnooze({ kind }, rule, now)] }
}

/** The next time anything of a rule comes due; not after `nowMs` where something is due already. */
export function nextDueMs(rule: AlertRule, policy: RulePolicyState, nowMs: number): number {
  const endMs = policy.cooldown === undefined ? undefined : cooldownEndMs(policy, rule, nowMs)
  const expiry = rule.expiresAt === undefined ? undefined : nextExpiryEvent(policy, rule, nowMs)
  return Math.min(endMs ?? Infinity, expiry?.atMs ?? Infinity)
}

/**
 * The rule was made, edited or armed again: nothing but a snooze holds it back any more. That it was warned of its end
 * stays, so that arming it does not warn a second time.
 */
export function renewed({ warnedOfMs }: RulePolicyState): RulePolicyState {
  return warnedOfMs === undefined ? {} : { warnedOfMs }
}

/** Ends the cooldown when it is over, and brings its end forward where the wall clock was set back. */
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
 * What is said next of the end of a rule, and when; `undefined` where there is nothing more to say. The warning comes a
 * day before. It is left out for a rule made within its last day, and when there is less than an hour left by the time
 * it could be given, as after the app was closed: the end itself is near enough.
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

/** Whether the rule's time is over, also where its event is still to come. */
export function hasExpired({ expiresAt }: AlertRule, policy: RulePolicyState, nowMs: number): boolean {
  return policy.isExpired === true || (expiresAt !== undefined && expiresAt.atMs <= nowMs)
}

/** The rule as one that never expires. */
export function withoutEnd(rule: AlertRule): AlertRule {
  if (rule.expiresAt === undefined) return rule
  const endless = { ...rule }
  delete endless.expiresAt
  return endless
}

/** An event was notified: if the rule has a cooldown, it begins. */
function beginCooldown(state: RulePolicyState, rule: AlertRule, nowMs: number): RulePolicyState {
  if (rule.cooldownMs === undefined) return state
  return { ...state, cooldown: { untilMs: nowMs + rule.cooldownMs, heldBack: 0 } }
}

/**
 * When the present cooldown ends. Where that is further ahead than a whole cooldown, the wall clock was set back: then
 * it takes one cooldown from now.
 */
function cooldownEndMs({ cooldown }: RulePolicyState, rule: AlertRule, nowMs: number): number | undefined {
  return cooldown === undefined ? undefined : Math.min(cooldown.untilMs, nowMs + (rule.cooldownMs ?? 0))
}

function isDayFull({ daily }: RulePolicyState, { repeat }: AlertRule, day: string): boolean {
  return repeat.mode === 'daily' && daily?.day === day && daily.count >= repeat.max
}

/** An event was notified. */
function countForDay(state: RulePolicyState, { repeat, terms }: AlertRule, day: string): RulePolicyState {
  if (repeat.mode !== 'daily') return state
  const count = (state.daily?.day === day ? state.daily.count : 0) + 1
  return { ...state, daily: { day, count, ...(dependsOn(terms, 'silence') && { isEndOwed: true }) } }
}

/** The end of a silence was notified, which does not count as another notification of the day. */
function withEndSaid(state: RulePolicyState): RulePolicyState {
  if (state.daily === undefined) return state
  const { day, count } = state.daily
  return { ...state, daily: { day, count } }
}

const maxFirings = 15
const withinMinutes = 3
const withinMs = withinMinutes * 60_000

/**
 * Counts a firing that nothing else holds back. With one too many the rule is suspended instead: `suspension` is there.
 * Times ahead of `nowMs` do not count, since the wall clock was set back.
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
/** So many events of a rule that were not notified, in the hour that began then. */
export interface SuppressedHour {
  sinceMs: number
  count: number
}

/**
 * Counts one more event that is not notified. Keeps a value that hovers at a level all night, under a mute, or is amended
 * over and over, from filling the disk and the inbox: a rule's first sixty such events in an hour are recorded one by one,
 * what is more is counted.
 */
export function countSuppressed(
  hour: SuppressedHour | undefined,
  atMs: number,
): SuppressedHour & { isRecorded: boolean } {
  const isOver = hour === undefined || atMs < hour.sinceMs || atMs - hour.sinceMs >= hourMs
  const { sinceMs, count } = isOver ? { sinceMs: atMs, count: 0 } : hour
  return { sinceMs, count: count + 1, isRecorded: count < maxRecordedAnHour }
}
