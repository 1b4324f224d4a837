import * as v from 'valibot'
import { eventSchema, type AlertEvent, type AlertEventKind } from '../../../core/alert-events'
import { isOutsideHours } from '../../../core/alert-hours'
import {
  hasLevels,
  isJudgedBy,
  snoozeSchema,
  type AlertRule,
  type AlertSnooze,
  type HoldBackReason,
  type RuleReach,
  type SnoozeScope,
} from '../../../core/alerts'
import { isSameScope } from '../../../core/snoozes'
import { isRecord } from '../../base/sanitize'
import { expiryEntries, nextExpiryEvent, type ExpiryState } from './expiry'
import { hasEnded, snoozeReason } from './snoozes'

/** What the policy remembers of a rule over restarts. */
export interface RulePolicyState extends ExpiryState {
  /** The time after a notification in which others are held back (alerts, 6): the rule's own, not that of its index. */
  cooldown?: { untilMs: number; heldBack: number }
  /** The last event the present cooldown has held back. */
  lastHeldBack?: AlertEvent
  /**
   * Notifications of a day, which the user's time zone names (alerts, 5). `isEndOwed`: a silence was notified, and its
   * end will be too, limit or not (alerts, 9).
   */
  daily?: { day: string; count: number; isEndOwed?: true }
  /** Why, in plain words: it fired too often and waits for the user (alerts, 14). */
  suspension?: string
  reach?: RuleReach
  /** When the fixing was due that was said last to be missing. */
  missedMs?: number
  /** Wall times of the firings notified within the last three minutes, oldest first; at most 15. */
  notifiedAtMs?: number[]
}

export interface PolicyRecord {
  snoozes: AlertSnooze[]
  /** By rule id; rules that need none are missing. */
  rules: Record<string, RulePolicyState>
}

/** JSON reads 1e999 as infinite and writes that as null: the next start could not read it. */
const finite = v.pipe(v.number(), v.finite())
const ruleStateSchema: v.GenericSchema<unknown, RulePolicyState> = v.object({
  cooldown: v.exactOptional(v.object({ untilMs: finite, heldBack: finite })),
  lastHeldBack: v.exactOptional(eventSchema),
  daily: v.exactOptional(v.object({ day: v.string(), count: finite, isEndOwed: v.exactOptional(v.literal(true)) })),
  suspension: v.exactOptional(v.string()),
  missedMs: v.exactOptional(finite),
  notifiedAtMs: v.exactOptional(v.array(finite)),
  reach: v.exactOptional(v.union([v.literal('unchecked'), v.object({ cannotFire: v.string(), sinceMs: finite })])),
  ...expiryEntries,
})

/** Reads what was kept. One bad entry takes no other with it; `bad` has it, and says what it is of. */
export function readPolicyRecord(value: unknown): { good: PolicyRecord; bad: unknown[] } {
  const good: PolicyRecord = { snoozes: [], rules: {} }
  if (value === undefined) return { good, bad: [] }
  if (!isRecord(value)) return { good, bad: [{ policy: value }] }
  const { snoozes = [], rules = {} } = value
  const bad: unknown[] = []
  if (!Array.isArray(snoozes)) bad.push({ snoozes })
  for (const snooze of Array.isArray(snoozes) ? (snoozes as unknown[]) : []) {
    const read = v.safeParse(snoozeSchema, snooze)
    if (read.success) good.snoozes.push(read.output)
    else bad.push({ snooze })
  }
  if (!isRecord(rules)) return { good, bad: [...bad, { policy: rules }] }
  const kept: [string, RulePolicyState][] = []
  for (const [ruleId, policy] of Object.entries(rules)) {
    const read = v.safeParse(ruleStateSchema, policy)
    if (read.success) kept.push([ruleId, read.output])
    else bad.push({ ruleId, policy })
  }
  return { good: { ...good, rules: Object.fromEntries(kept) }, bad }
}

/** Something that time or a decision brings about, to be recorded as an event. */
export interface PolicyEvent {
  ruleId: string
  kind: Extract<AlertEventKind, 'cooldownOver' | 'expiresSoon' | 'expired' | 'suspended'>
  heldBackCount?: number
  /** Of `cooldownOver`: the last firing held back. */
  last?: AlertEvent
  reason?: string
  /** For the inbox alone: a snooze holds its notification back. */
  heldBackBy?: HoldBackReason
}

/** Whether an event is notified, or held back and why; and what else it brings about. */
export interface PolicyVerdict {
  heldBackBy?: HoldBackReason
  events: PolicyEvent[]
}

/** What is to be stored of the policy; without a state a rule needs none any more. */
export interface PolicyChanges {
  snoozes?: AlertSnooze[]
  rules: { ruleId: string; state: RulePolicyState | undefined }[]
}

/** What was remembered of a rule that is deleted. */
export interface ForgottenRule {
  state: RulePolicyState | undefined
  snooze: AlertSnooze | undefined
}

const emptyState: RulePolicyState = {}

/** The events that cooldown, daily limit and suspension apply to; others are subject to snoozes alone. */
const limitedKinds: readonly AlertEventKind[] = ['fired', 'lateByAmendment', 'lateFromHistory', 'recovered']

/** What was published within the rule's hours, and may come to light outside them (alerts, 19). */
const foundLater: ReadonlySet<AlertEventKind> = new Set(['lateByAmendment', 'lateFromHistory'])

/**
 * Decides which events are notified. It mutes notifications, never evaluations (alerts, 5 to 7, 13, 14): cooldown, daily
 * limit, snoozes, hours of what is found later, expiry and the suspension of a rule that fires too often. Wall times are
 * handed in, since what is kept must outlast the process. A wall clock set forward ends a cooldown early; set back, it
 * lengthens one by no more than one cooldown. A snooze ends at the wall time the user was shown.
 */
export class NotificationPolicy {
  readonly #dayOf: (ms: number) => string
  readonly #quota = new SuppressedEventQuota()
  #snoozes: AlertSnooze[] = []
  readonly #rules = new Map<string, RulePolicyState>()
  /** What is different from what was last taken: ids of rules, and whether the snoozes are. */
  #changedRules = new Set<string>()
  #haveSnoozesChanged = false
  readonly #cooling = new Set<string>()
  #revision = 0

  /** `dayOf` names the day a time belongs to where the user is; without it days are those of UTC. */
  constructor({ dayOf = utcDay }: { dayOf?: (ms: number) => string } = {}) {
    this.#dayOf = dayOf
  }

  /** Takes up what an earlier run kept. */
  restore(record: PolicyRecord): void {
    this.#revision++
    this.#snoozes = record.snoozes
    this.#rules.clear()
    this.#cooling.clear()
    for (const [ruleId, state] of Object.entries(record.rules)) {
      this.#rules.set(ruleId, state)
      if (state.cooldown !== undefined) this.#cooling.add(ruleId)
    }
  }

  /** Ids of the rules whose cooldown has not been found to be over. */
  get cooling(): ReadonlySet<string> {
    return this.#cooling
  }

  /** Counts up with each change of what it remembers. */
  get revision(): number {
    return this.#revision
  }

  /** What has changed since it was restored or this was last asked, to be stored. */
  takeChanges(): PolicyChanges {
    const rules = [...this.#changedRules].map((ruleId) => ({ ruleId, state: this.#rules.get(ruleId) }))
    const snoozes = this.#haveSnoozesChanged ? this.#snoozes : undefined
    this.#changedRules.clear()
    this.#haveSnoozesChanged = false
    return { rules, ...(snoozes !== undefined && { snoozes }) }
  }

  of(ruleId: string): RulePolicyState {
    return this.#rules.get(ruleId) ?? emptyState
  }

  /**
   * To be asked once of every event that could be notified; store the record thereafter. A cooldown found to be over
   * comes as an event, to be recorded before this one. The firing that is one too many is held back; the event of the
   * suspension stands for it.
   */
  decide(rule: AlertRule, event: AlertEvent, nowMs: number): PolicyVerdict {
    const isLimited = limitedKinds.includes(event.kind)
    if (isLimited && this.of(rule.id).suspension !== undefined) return { heldBackBy: 'suspended', events: [] }
    const { events } = this.#checkCooldown(rule, nowMs)
    const snoozed = snoozeReason(this.#snoozes, rule, nowMs)
    if (snoozed !== undefined) return { heldBackBy: snoozed, events }
    if (foundLater.has(event.kind) && isOutsideHours(rule, nowMs)) return { heldBackBy: 'hours', events }
    if (!isLimited) return { events }
    const state = this.of(rule.id)
    const day = this.#dayOf(nowMs)
    if (state.cooldown !== undefined) {
      const { untilMs, heldBack } = state.cooldown
      this.#setRule(rule.id, { ...state, cooldown: { untilMs, heldBack: heldBack + 1 }, lastHeldBack: event })
      return { heldBackBy: 'cooldown', events }
    }
    if (event.kind === 'recovered' && state.daily?.isEndOwed === true) {
      this.#setRule(rule.id, beginCooldown(withEndSaid(state), rule, nowMs))
      return { events }
    }
    if (isDayFull(state, rule, day)) return { heldBackBy: 'dailyLimit', events }
    const isLive = event.kind === 'fired' || event.kind === 'lateByAmendment'
    const counted = isLive ? countFiring(state, rule, nowMs) : state
    if (counted.suspension !== undefined) {
      this.#setRule(rule.id, counted)
      const suspended: PolicyEvent = { ruleId: rule.id, kind: 'suspended', reason: counted.suspension }
      return { heldBackBy: 'suspended', events: [...events, suspended] }
    }
    const notified = countForDay(beginCooldown(counted, rule, nowMs), rule, day)
    this.#setRule(rule.id, event.kind === 'recovered' ? withEndSaid(notified) : notified)
    return { events }
  }

  /**
   * Whether an event that is not notified is recorded by itself; to be asked once of each. A retraction always is: it takes
   * back what is recorded, and is bounded with it.
   */
  records({ ruleId, kind, inputs }: AlertEvent, nowMs: number): boolean {
    if (kind === 'retracted') return true
    // A night found in history is as long as one that was lived through.
    if (kind === 'lateFromHistory') return this.#quota.takes(ruleId, inputs.publishedAtMs ?? nowMs)
    return this.#quota.takes(ruleId, nowMs)
  }

  /** What stands against that the rule can fire; absent: nothing. */
  setReach(ruleId: string, reach: RuleReach | undefined): void {
    const state = { ...this.of(ruleId) }
    delete state.reach
    this.#setRule(ruleId, reach === undefined ? state : { ...state, reach })
  }

  /** It is said once that the fixing due at this time is missing. */
  noteMissed(ruleId: string, missedMs: number): void {
    this.#setRule(ruleId, { ...this.of(ruleId), missedMs })
  }

  /** Those whose end has passed are there until `due` is next asked. */
  snoozes(): AlertSnooze[] {
    return this.#snoozes
  }

  /** Takes the place of a snooze of the same scope. */
  snooze(scope: SnoozeScope, untilMs: number | null): void {
    this.endSnooze(scope)
    this.#setSnoozes([...this.#snoozes, { scope, untilMs }])
  }

  endSnooze(scope: SnoozeScope): void {
    this.#setSnoozes(this.#snoozes.filter((snooze) => !isSameScope(snooze.scope, scope)))
  }

  /**
   * The rule was made, edited or armed again: nothing but a snooze holds it back any more. That it was warned of its end
   * stays, so that arming it does not warn a second time.
   */
  renew(rule: AlertRule): void {
    const { warnedOfMs } = this.of(rule.id)
    if (warnedOfMs === undefined) this.#setRule(rule.id)
    else this.#setRule(rule.id, { warnedOfMs })
  }

  /** The rule is deleted. Returns what `recall` needs to undo that. */
  forget(ruleId: string): ForgottenRule {
    const scope = { of: 'rule', ruleId } as const
    const forgotten = {
      state: this.#rules.get(ruleId),
      snooze: this.#snoozes.find((snooze) => isSameScope(snooze.scope, scope)),
    }
    this.#setRule(ruleId)
    this.#quota.forget(ruleId)
    this.endSnooze(scope)
    return forgotten
  }

  /** The deletion of the rule is undone. */
  recall(ruleId: string, { state, snooze }: ForgottenRule): void {
    this.#setRule(ruleId, state)
    if (snooze !== undefined) this.snooze(snooze.scope, snooze.untilMs)
  }

  /** Forgets the snoozes that have ended; answers whether there were any. */
  endSnoozes(nowMs: number): boolean {
    const running = this.#snoozes.filter((snooze) => !hasEnded(snooze, nowMs))
    if (running.length === this.#snoozes.length) return false
    this.#setSnoozes(running)
    return true
  }

  /** What has come due of a rule: its cooldown ends, or it expires. One without either need not be given. */
  due(rule: AlertRule, nowMs: number): { events: PolicyEvent[]; hasChanged: boolean } {
    const cooldown = this.#checkCooldown(rule, nowMs)
    const expiry = this.#checkExpiry(rule, nowMs)
    return { events: [...cooldown.events, ...expiry.events], hasChanged: cooldown.hasChanged || expiry.hasChanged }
  }

  /** The next time anything comes due; not after `nowMs` where something is due already. */
  nextDueMs(rules: readonly AlertRule[], nowMs: number): number | undefined {
    let dueMs = Infinity
    for (const { untilMs } of this.#snoozes) dueMs = Math.min(dueMs, untilMs ?? Infinity)
    for (const rule of rules) {
      const state = this.of(rule.id)
      const endMs = state.cooldown === undefined ? undefined : cooldownEndMs(state, rule, nowMs)
      const expiry = rule.expiresAt === undefined ? undefined : nextExpiryEvent(state, rule, nowMs)
      dueMs = Math.min(dueMs, endMs ?? Infinity, expiry?.atMs ?? Infinity)
    }
    return dueMs === Infinity ? undefined : dueMs
  }

  /** Ends the cooldown when it is over, and brings its end forward where the wall clock was set back. */
  #checkCooldown(rule: AlertRule, nowMs: number): { events: PolicyEvent[]; hasChanged: boolean } {
    const state = this.of(rule.id)
    const endMs = cooldownEndMs(state, rule, nowMs)
    if (state.cooldown === undefined || endMs === undefined) return { events: [], hasChanged: false }
    const { cooldown, lastHeldBack, ...rest } = state
    if (endMs > nowMs) {
      if (endMs === cooldown.untilMs) return { events: [], hasChanged: false }
      this.#setRule(rule.id, { ...state, cooldown: { ...cooldown, untilMs: endMs } })
      return { events: [], hasChanged: true }
    }
    this.#setRule(rule.id, rest)
    if (cooldown.heldBack === 0) return { events: [], hasChanged: true }
    const over: PolicyEvent = {
      ruleId: rule.id,
      kind: 'cooldownOver',
      heldBackCount: cooldown.heldBack,
      ...(lastHeldBack !== undefined && { last: lastHeldBack }),
    }
    return { events: [this.#withSnooze(over, rule, nowMs)], hasChanged: true }
  }

  #checkExpiry(rule: AlertRule, nowMs: number): { events: PolicyEvent[]; hasChanged: boolean } {
    const state = this.of(rule.id)
    const next = nextExpiryEvent(state, rule, nowMs)
    if (next === undefined || next.atMs > nowMs) return { events: [], hasChanged: false }
    const { kind } = next
    this.#setRule(rule.id, {
      ...state,
      ...(kind === 'expired' ? { isExpired: true } : rule.expiresAt && { warnedOfMs: rule.expiresAt.atMs }),
    })
    return { events: [this.#withSnooze({ ruleId: rule.id, kind }, rule, nowMs)], hasChanged: true }
  }

  /** Without a state the rule needs none. */
  #setRule(ruleId: string, state?: RulePolicyState): void {
    if (state !== undefined) this.#rules.set(ruleId, state)
    else if (!this.#rules.delete(ruleId)) return
    if (state?.cooldown === undefined) this.#cooling.delete(ruleId)
    else this.#cooling.add(ruleId)
    this.#changedRules.add(ruleId)
    this.#revision++
  }

  #setSnoozes(snoozes: AlertSnooze[]): void {
    this.#snoozes = snoozes
    this.#haveSnoozesChanged = true
    this.#revision++
  }

  #withSnooze(event: PolicyEvent, rule: AlertRule, nowMs: number): PolicyEvent {
    const heldBackBy = snoozeReason(this.#snoozes, rule, nowMs)
    return heldBackBy === undefined ? event : { ...event, heldBackBy }
  }
}

function utcDay(ms: number): string {
  return new Date(ms).toISOString().slice(0, 10)
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
  return { ...state, daily: { day, count, ...(isJudgedBy(terms, 'silence') && { isEndOwed: true }) } }
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
const hourMs = 3_600_000

/**
 * Keeps a value that hovers at a level all night, under a mute, or is amended over and over, from filling the disk and the
 * inbox: of what is not notified, a rule's first sixty events in an hour are recorded one by one, what is more is counted.
 */
class SuppressedEventQuota {
  readonly #hours = new Map<string, { sinceMs: number; count: number }>()

  /** Whether one more is to be recorded. */
  takes(ruleId: string, nowMs: number): boolean {
    const hour = this.#hours.get(ruleId)
    const isOver = hour === undefined || nowMs < hour.sinceMs || nowMs - hour.sinceMs >= hourMs
    const now = isOver ? { sinceMs: nowMs, count: 0 } : hour
    now.count++
    this.#hours.set(ruleId, now)
    return now.count <= maxRecordedAnHour
  }

  forget(ruleId: string): void {
    this.#hours.delete(ruleId)
  }
}
