import * as v from 'valibot'
import { snoozeSchema } from '../../protocol/alert-schema'
import type { AlertEvent, AlertEventKind } from '../../protocol/alert-events'
import type { AlertRule, AlertSnooze, HoldBackReason, SnoozeScope } from '../../protocol/alerts'
import { isRecord } from '../base/untrusted-text'
import { beginCooldown, cooldownEndMs, cooldownEntries, countHeldBack, type CooldownMarks } from './cooldown'
import { countForDay, dailyEntries, endTold, isDayFull, type DailyMarks } from './daily-limit'
import { expiryEntries, nextOfExpiry, type ExpiryMarks } from './expiry'
import { hasEnded, isSameScope, snoozeOver } from './snoozing'
import { countFiring, suspensionEntries, type SuspensionMarks } from './suspension'

/** What quieting remembers of a rule over restarts. */
export interface RuleQuiet extends CooldownMarks, DailyMarks, SuspensionMarks, ExpiryMarks {}

export interface QuietRecord {
  snoozes: AlertSnooze[]
  /** By rule id; rules that need none are missing. */
  rules: Record<string, RuleQuiet>
}

const ruleQuietSchema: v.GenericSchema<unknown, RuleQuiet> = v.object({
  ...cooldownEntries,
  ...dailyEntries,
  ...suspensionEntries,
  ...expiryEntries,
})

/** Reads what was kept. One entry that is no good takes no other with it; `bad` has it, and says what it is of. */
export function readQuiet(value: unknown): { good: QuietRecord; bad: unknown[] } {
  const good: QuietRecord = { snoozes: [], rules: {} }
  if (value === undefined) return { good, bad: [] }
  if (!isRecord(value)) return { good, bad: [{ quiet: value }] }
  const { snoozes = [], rules = {} } = value
  const bad: unknown[] = []
  if (!Array.isArray(snoozes)) bad.push({ snoozes })
  for (const snooze of Array.isArray(snoozes) ? (snoozes as unknown[]) : []) {
    const read = v.safeParse(snoozeSchema, snooze)
    if (read.success) good.snoozes.push(read.output)
    else bad.push({ snooze })
  }
  if (!isRecord(rules)) return { good, bad: [...bad, { quiet: rules }] }
  const kept: [string, RuleQuiet][] = []
  for (const [ruleId, quiet] of Object.entries(rules)) {
    const read = v.safeParse(ruleQuietSchema, quiet)
    if (read.success) kept.push([ruleId, read.output])
    else bad.push({ ruleId, quiet })
  }
  return { good: { ...good, rules: Object.fromEntries(kept) }, bad }
}

/** Something that time or a judgement brings about, to be recorded as an event. */
export interface QuietNews {
  ruleId: string
  kind: Extract<AlertEventKind, 'cooldownOver' | 'expiresSoon' | 'expired' | 'suspended'>
  heldBackCount?: number
  /** Of `cooldownOver`: the last firing held back. */
  last?: AlertEvent
  reason?: string
  /** The news is for the inbox alone: a snooze holds its notice back. */
  heldBackBy?: HoldBackReason
}

/** How a firing is told: at once, or not and why; and what else it brings about. */
export interface QuietVerdict {
  heldBackBy?: HoldBackReason
  news: QuietNews[]
}

const noQuiet: RuleQuiet = {}

/** The notices that a cooldown, a day's limit and a suspension are about; others are subject to snoozes alone. */
const limitedKinds: readonly AlertEventKind[] = ['fired', 'lateByAmendment', 'recovered']

/**
 * Decides which firings are told. It mutes notices, never evaluations (alerts, 5 to 7, 13, 14): cooldown, daily limit,
 * snoozes, expiry and the suspension of a rule that fires too often. Wall times are handed in, since what is kept must
 * outlast the process. A wall clock set forward ends a quiet time early; set back, it lengthens a cooldown by no more
 * than one cooldown. A snooze ends at the wall time the user was shown.
 */
export class Quieting {
  readonly #dayOf: (ms: number) => string
  #snoozes: AlertSnooze[] = []
  readonly #rules = new Map<string, RuleQuiet>()

  /** `dayOf` names the day a time belongs to where the user is; without it days are those of UTC. */
  constructor({ dayOf = utcDay }: { dayOf?: (ms: number) => string } = {}) {
    this.#dayOf = dayOf
  }

  /** Takes up what an earlier run kept. */
  restore(record: QuietRecord): void {
    this.#snoozes = record.snoozes
    this.#rules.clear()
    for (const [ruleId, quiet] of Object.entries(record.rules)) this.#rules.set(ruleId, quiet)
  }

  record(): QuietRecord {
    return { snoozes: this.#snoozes, rules: Object.fromEntries(this.#rules) }
  }

  of(ruleId: string): RuleQuiet {
    return this.#rules.get(ruleId) ?? noQuiet
  }

  /**
   * To be asked once of every event that would be told, and the record stored thereafter. A cooldown found to be over
   * comes as news, to be recorded before the event. The firing that is one too many is held back; the news of the
   * suspension stands for it.
   */
  judge(rule: AlertRule, event: AlertEvent, nowMs: number): QuietVerdict {
    const isLimited = limitedKinds.includes(event.kind)
    if (isLimited && this.of(rule.id).suspension !== undefined) return { heldBackBy: 'suspended', news: [] }
    const { news } = this.#seeToCooldown(rule, nowMs)
    const snoozed = snoozeOver(this.#snoozes, rule, nowMs)
    if (snoozed !== undefined) return { heldBackBy: snoozed, news }
    if (!isLimited) return { news }
    const quiet = this.of(rule.id)
    const day = this.#dayOf(nowMs)
    if (quiet.cooldown !== undefined) {
      this.#rules.set(rule.id, countHeldBack(quiet, event))
      return { heldBackBy: 'cooldown', news }
    }
    if (event.kind === 'recovered' && quiet.daily?.isEndOwed === true) {
      this.#rules.set(rule.id, beginCooldown(endTold(quiet), rule, nowMs))
      return { news }
    }
    if (isDayFull(quiet, rule, day)) return { heldBackBy: 'dailyLimit', news }
    const counted = event.kind === 'recovered' ? quiet : countFiring(quiet, rule, nowMs)
    if (counted.suspension !== undefined) {
      this.#rules.set(rule.id, counted)
      const suspended: QuietNews = { ruleId: rule.id, kind: 'suspended', reason: counted.suspension }
      return { heldBackBy: 'suspended', news: [...news, suspended] }
    }
    const told = countForDay(beginCooldown(counted, rule, nowMs), rule, day)
    this.#rules.set(rule.id, event.kind === 'recovered' ? endTold(told) : told)
    return { news }
  }

  /** Those whose end has passed are there until `due` is next asked. */
  snoozes(): AlertSnooze[] {
    return this.#snoozes
  }

  /** Takes the place of a snooze of the same scope. */
  snooze(scope: SnoozeScope, untilMs: number | null): void {
    this.endSnooze(scope)
    this.#snoozes = [...this.#snoozes, { scope, untilMs }]
  }

  endSnooze(scope: SnoozeScope): void {
    this.#snoozes = this.#snoozes.filter((snooze) => !isSameScope(snooze.scope, scope))
  }

  /**
   * The rule was made, edited or armed anew: it is quiet no more, unless snoozed. That it was warned of its end stays,
   * so that arming it does not warn a second time.
   */
  renew(rule: AlertRule): void {
    const { warnedOfMs } = this.of(rule.id)
    if (warnedOfMs === undefined) this.#rules.delete(rule.id)
    else this.#rules.set(rule.id, { warnedOfMs })
  }

  forget(ruleId: string): void {
    this.#rules.delete(ruleId)
    this.endSnooze({ of: 'rule', ruleId })
  }

  /** What has come due: cooldowns and snoozes that end, rules that expire. */
  due(rules: readonly AlertRule[], nowMs: number): { news: QuietNews[]; hasChanged: boolean } {
    const running = this.#snoozes.filter((snooze) => !hasEnded(snooze, nowMs))
    const seen = rules.flatMap((rule) => [this.#seeToCooldown(rule, nowMs), this.#seeToExpiry(rule, nowMs)])
    const hasChanged = running.length < this.#snoozes.length || seen.some((each) => each.hasChanged)
    this.#snoozes = running
    return { news: seen.flatMap(({ news }) => news), hasChanged }
  }

  /** The next time anything comes due; not after `nowMs` where something is due already. */
  nextDueMs(rules: readonly AlertRule[], nowMs: number): number | undefined {
    let dueMs = Infinity
    for (const { untilMs } of this.#snoozes) dueMs = Math.min(dueMs, untilMs ?? Infinity)
    for (const rule of rules) {
      const quiet = this.of(rule.id)
      const endMs = quiet.cooldown === undefined ? undefined : cooldownEndMs(quiet, rule, nowMs)
      const expiry = rule.expiresAt === undefined ? undefined : nextOfExpiry(quiet, rule, nowMs)
      dueMs = Math.min(dueMs, endMs ?? Infinity, expiry?.atMs ?? Infinity)
    }
    return dueMs === Infinity ? undefined : dueMs
  }

  /** Ends the cooldown when it is over, and sets its end right where the wall clock was set back. */
  #seeToCooldown(rule: AlertRule, nowMs: number): { news: QuietNews[]; hasChanged: boolean } {
    const quiet = this.of(rule.id)
    const endMs = cooldownEndMs(quiet, rule, nowMs)
    if (quiet.cooldown === undefined || endMs === undefined) return { news: [], hasChanged: false }
    const { cooldown, lastHeldBack, ...rest } = quiet
    if (endMs > nowMs) {
      if (endMs === cooldown.untilMs) return { news: [], hasChanged: false }
      this.#rules.set(rule.id, { ...quiet, cooldown: { ...cooldown, untilMs: endMs } })
      return { news: [], hasChanged: true }
    }
    this.#rules.set(rule.id, rest)
    if (cooldown.heldBack === 0) return { news: [], hasChanged: true }
    const over: QuietNews = {
      ruleId: rule.id,
      kind: 'cooldownOver',
      heldBackCount: cooldown.heldBack,
      ...(lastHeldBack !== undefined && { last: lastHeldBack }),
    }
    return { news: [this.#asSnoozed(over, rule, nowMs)], hasChanged: true }
  }

  #seeToExpiry(rule: AlertRule, nowMs: number): { news: QuietNews[]; hasChanged: boolean } {
    const quiet = this.of(rule.id)
    const next = nextOfExpiry(quiet, rule, nowMs)
    if (next === undefined || next.atMs > nowMs) return { news: [], hasChanged: false }
    const { kind } = next
    this.#rules.set(rule.id, {
      ...quiet,
      ...(kind === 'expired' ? { isExpired: true } : rule.expiresAt && { warnedOfMs: rule.expiresAt.atMs }),
    })
    return { news: [this.#asSnoozed({ ruleId: rule.id, kind }, rule, nowMs)], hasChanged: true }
  }

  #asSnoozed(news: QuietNews, rule: AlertRule, nowMs: number): QuietNews {
    const heldBackBy = snoozeOver(this.#snoozes, rule, nowMs)
    return heldBackBy === undefined ? news : { ...news, heldBackBy }
  }
}

function utcDay(ms: number): string {
  return new Date(ms).toISOString().slice(0, 10)
}
