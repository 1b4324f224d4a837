import { dependsOn } from '../../core/alerts'
import type { SilenceSeen } from '../../core/evaluation/observation'
import { fixingTime, lastFixingMs, nextFixingMs } from '../../core/fixings'
import type { AlertSnooze } from '../../core/alerts'
import { staleAfterMs } from '../../core/freshness'
import type { IndexId, Publication, Resolution } from '../../core/model'
import type { Clock } from '../base/clock'
import { nextDueMs } from './policy/notification-policy'
import type { RuleRecord } from './record'
import { ruleForTime } from './reduce'
import type { Place, RuleTable } from './rule-table'

/**
 * The longest delay of a timer. With a rule on silence it is shorter, because the cadence of an index may become known
 * or change.
 */
const maxDelayMs = 24 * 86_400_000
const maxSilenceDelayMs = 60_000
/** Delay before another check if nothing was due, for example after the wall clock was set back. */
const retryMs = 1_000
/** A timer that is later than this was suspended with the machine or the process. The feed was suspended too. */
const maxLatenessMs = 5_000
/** After a start, a wake or a reconnect, the service has this long to send a fixing that it has. */
const patienceMs = 60_000

interface Options {
  clock: Clock
  rules: () => RuleTable
  cadenceOf: (id: IndexId) => Resolution | undefined
  snoozes: () => readonly AlertSnooze[]
  /** Called when a cooldown, a snooze or a rule ends. */
  onEnd: () => void
  onSilent: (place: Place, seen: SilenceSeen) => void
  /** Called when a value came after a silence. */
  onResumed: (place: Place, publication: Publication) => void
  /** Called when the fixing due at `dueMs` is overdue. */
  onMissing: (place: Place, dueMs: number) => void
}

/**
 * One timer for everything that comes due: ends of cooldowns, snoozes and rules, silences, and overdue fixings.
 *
 * A silence (alert engine, 9) runs on the monotonic clock. It starts at the last value or at the creation of the rule.
 * It starts again when the machine wakes or the user reconnects. A value carried forward ends it, because the feed
 * works. An amendment of the last value does not. A rule that depends on the cadence of its index is not silent until
 * the cadence is known.
 *
 * A fixing is due at a time of day, by the service's time. A fixing that was due before the rule had a value counts
 * too. While the user is disconnected, nothing is silent or overdue.
 */
export class Agenda {
  readonly #options: Options
  /** The last value of every index, with or without rules. `atMs` is on the monotonic clock. */
  readonly #heard = new Map<IndexId, { publishedAtMs: number; atMs: number }>()
  #cancel: (() => void) | undefined
  #endMs = Infinity
  #fixingMs = Infinity
  /** When the timer fires, on the monotonic clock. */
  #timerMs = Infinity
  #silences: readonly Place[] = []
  #fixings: readonly Place[] = []
  #readyMs: number
  #isPaused = false
  /** True if rules, cooldowns, snoozes or expiries changed since the last plan. */
  #isOutdated = true
  #hasEnded = false

  constructor(options: Options) {
    this.#options = options
    this.#readyMs = options.clock.wallMs() + patienceMs
  }

  /** True if a cooldown, a snooze or a rule has ended. The timer may be late, for example after the machine slept. */
  get hasEnd(): boolean {
    return this.#endMs <= this.#options.clock.wallMs()
  }

  /** Call for each new value. */
  heard(id: IndexId, publication: Publication): void {
    const { clock, rules, onResumed } = this.#options
    const last = this.#heard.get(id)
    if (last?.publishedAtMs === publication.publishedAtMs) return
    if (last === undefined) this.#heard.set(id, { publishedAtMs: publication.publishedAtMs, atMs: clock.monotonicMs() })
    else {
      last.publishedAtMs = publication.publishedAtMs
      last.atMs = clock.monotonicMs()
    }
    if (this.#silences.length === 0) return
    const silences = rules()
      .observingOf(id)
      .filter(({ record }) => record.memory.quiet !== undefined)
    const ended = silences.filter(({ record }) => record.memory.quiet?.isSilent === true)
    for (const { record } of ended) record.memory.quiet = { sinceMs: clock.monotonicMs(), isSilent: false }
    if (silences.some(({ record }) => this.#silentMs(record) < this.#timerMs)) this.#setTimer()
    for (const place of ended) onResumed(place, publication)
  }

  /** Call when rules, cooldowns, snoozes or expiries changed. The next `plan` then has an effect. */
  outdate(): void {
    this.#isOutdated = true
  }

  plan(): void {
    if (this.#hasEnded || !this.#isOutdated) return
    this.#isOutdated = false
    const { rules, clock } = this.#options
    const table = rules()
    this.#endMs = this.#nextEndMs(table.timed())
    this.#silences = table.watched('silence')
    for (const { record } of this.#silences) record.memory.quiet ??= { sinceMs: clock.monotonicMs(), isSilent: false }
    this.#fixings = table.watched('fixing')
    this.#planFixings()
    this.#setTimer()
  }

  /** Call when one of these rules may end sooner than planned. */
  bringForward(places: readonly Place[]): void {
    const endMs = this.#nextEndMs(places)
    if (endMs >= this.#endMs) return
    this.#endMs = endMs
    this.#setTimer()
  }

  /** Call when the machine woke. Time asleep does not count as silence. A silence from before continues. */
  restart(): void {
    this.#restartSilences()
    this.#restartFixings()
    // Timers stopped while the machine slept, so this one would be late.
    this.#setTimer()
  }

  /** Call when the user disconnected all connections, or reconnected. */
  setPaused(isPaused: boolean): void {
    if (isPaused === this.#isPaused) return
    this.#isPaused = isPaused
    this.restart()
  }

  /** Forgets all due times before another service is used. Values of the old service say nothing about the new one. */
  clear(): void {
    this.#heard.clear()
    this.#endMs = Infinity
    this.#fixingMs = Infinity
    this.#silences = []
    this.#fixings = []
    this.#restartFixings()
    this.#setTimer()
  }

  /** Ends all timers. */
  dispose(): void {
    this.#hasEnded = true
    this.clear()
  }

  /** The wall time of the next end of a snooze or of one of these rules or cooldowns. */
  #nextEndMs(places: readonly Place[]): number {
    const { clock, snoozes } = this.#options
    const nowMs = clock.wallMs()
    let endMs = Infinity
    for (const { untilMs } of snoozes()) endMs = Math.min(endMs, untilMs ?? Infinity)
    for (const { record } of places) endMs = Math.min(endMs, nextDueMs(ruleForTime(record), record.policy, nowMs))
    return endMs
  }

  #restartSilences(): void {
    const sinceMs = this.#options.clock.monotonicMs()
    for (const { record } of this.#silences) {
      record.memory.quiet = { sinceMs, isSilent: record.memory.quiet?.isSilent ?? false }
    }
  }

  #restartFixings(): void {
    this.#readyMs = this.#options.clock.wallMs() + patienceMs
    this.#planFixings()
  }

  #setTimer(): void {
    const { clock } = this.#options
    this.#cancel?.()
    this.#cancel = undefined
    this.#timerMs = Infinity
    const wallDelayMs = Math.min(this.#endMs, this.#fixingMs) - clock.wallMs()
    let delayMs = wallDelayMs > 0 ? Math.min(wallDelayMs, maxDelayMs) : retryMs
    if (wallDelayMs === Infinity && this.#silences.length === 0) return
    if (this.#silences.length > 0) {
      let silentMs = Infinity
      for (const { record } of this.#silences) silentMs = Math.min(silentMs, this.#silentMs(record))
      delayMs = Math.min(delayMs, Math.max(0, silentMs - clock.monotonicMs()), maxSilenceDelayMs)
    }
    this.#timerMs = clock.monotonicMs() + delayMs
    this.#cancel = clock.after(delayMs, () => this.#look())
  }

  #look(): void {
    const { clock, onEnd, onMissing, onSilent } = this.#options
    const wallMs = clock.wallMs()
    const nowMs = clock.monotonicMs()
    if (nowMs > this.#timerMs + maxLatenessMs) this.#restartSilences()
    if (wallMs > this.#fixingMs + maxLatenessMs) this.#restartFixings()
    const silent = this.#silences.filter(({ record }) => this.#silentMs(record) <= nowMs)
    for (const { record } of silent) record.memory.quiet = { sinceMs: nowMs, isSilent: true }
    if (this.hasEnd) onEnd()
    for (const place of silent) {
      const sinceMs = this.#heard.get(place.record.run.rule.indexId)?.publishedAtMs
      onSilent(place, { kind: 'silent', atMs: wallMs, sinceMs })
    }
    if (this.#fixingMs <= wallMs) {
      for (const place of this.#fixings) {
        const { missingMs } = this.#fixingOf(place.record)
        if (missingMs !== undefined) onMissing(place, missingMs)
      }
    }
    this.#planFixings()
    this.#setTimer()
  }

  /** When a rule becomes silent, on the monotonic clock. */
  #silentMs({ run: { rule }, memory: { quiet } }: RuleRecord): number {
    if (!dependsOn(rule.terms, 'silence') || quiet === undefined || quiet.isSilent || this.#isPaused) return Infinity
    const cadence = this.#options.cadenceOf(rule.indexId)
    const afterMs = rule.terms.afterMs ?? (cadence === undefined ? Infinity : staleAfterMs(cadence))
    return Math.max(quiet.sinceMs, this.#heard.get(rule.indexId)?.atMs ?? -Infinity) + afterMs
  }

  /** Plans the next end of a grace. An overdue fixing waits until the service had time to send it. */
  #planFixings(): void {
    const { clock } = this.#options
    const nowMs = clock.wallMs()
    // Timers use the computer's clock, which may be minutes off the service's.
    const aheadMs = nowMs - clock.serviceMs()
    this.#fixingMs = Infinity
    for (const { record } of this.#isPaused ? [] : this.#fixings) {
      const { missingMs, nextMs } = this.#fixingOf(record)
      const dueMs = missingMs === undefined ? nextMs + aheadMs : Math.max(nowMs, this.#readyMs)
      this.#fixingMs = Math.min(this.#fixingMs, dueMs)
    }
  }

  /** The due time of the fixing that is overdue now, and when to check next. Both are in the service's time. */
  #fixingOf({ run, state, policy }: RuleRecord): { missingMs?: number; nextMs: number } {
    const nowMs = this.#options.clock.serviceMs()
    const { rule } = run
    const time = fixingTime(rule.indexId)
    if (!('graceMs' in rule.terms) || time === undefined || state.isDone) return { nextMs: Infinity }
    const { graceMs } = rule.terms
    const onBusinessDays = this.#options.cadenceOf(rule.indexId) === 'BUSINESS_DAYS'
    const dueMs = lastFixingMs(time, nowMs - graceMs, onBusinessDays)
    const isMissing = dueMs > (state.fixedMs ?? run.startedAtMs) && dueMs > (policy.missedMs ?? 0)
    const nextMs = nextFixingMs(time, nowMs - graceMs, onBusinessDays) + graceMs
    return { nextMs, missingMs: isMissing ? dueMs : undefined }
  }
}
