import { isJudgedBy, type AlertRule } from '../../core/alerts'
import { staleAfterMs } from '../../core/freshness'
import type { IndexId, Publication, Resolution } from '../../core/model'
import type { Clock } from '../base/clock'
import type { Observation } from '../../core/evaluation/observation'

/**
 * The timer is set no further ahead: timers reach 24 days alone, and the cadence of an index may become known, or
 * change, at any time.
 */
const maxAheadMs = 60_000
/** A timer this late has stood still with the machine or the process, and so has the feed. */
const maxLatenessMs = 5_000

interface Counter {
  readonly rule: AlertRule
  readonly afterMs: number | undefined
  /** By the monotonic clock. */
  sinceMs: number
  isSilent: boolean
}

/**
 * Counts how long nothing new has come of an index, for the rules that ask for it (alerts, 9): by the monotonic clock,
 * from the last value or from the moment the watch of the rule began, and again after the machine woke or the user
 * resumed; nothing is counted while the user wants nothing received. A value carried forward ends a silence, since the feed
 * works; an amendment of the last value does not, since it is not a new one. A rule that goes by the cadence of an index
 * is not silent before that is known.
 */
export class SilenceWatch {
  readonly #clock: Clock
  readonly #cadenceOf: (id: IndexId) => Resolution | undefined
  readonly #onSeen: (ruleId: string, seen: Observation) => void
  #rules: readonly { rule: AlertRule }[] = []
  #counters: ReadonlyMap<string, Counter> = new Map()
  #byIndex: ReadonlyMap<IndexId, readonly Counter[]> = new Map()
  /** Publish time of the last value of every index, also of those no rule asks for yet. */
  readonly #lastPublishedAtMs = new Map<IndexId, number>()
  #timer: { dueMs: number; cancel: () => void } | undefined
  #isPaused = false

  constructor(options: {
    clock: Clock
    cadenceOf: (id: IndexId) => Resolution | undefined
    onSeen: (ruleId: string, seen: Observation) => void
  }) {
    this.#clock = options.clock
    this.#cadenceOf = options.cadenceOf
    this.#onSeen = options.onSeen
  }

  /**
   * The rules there are now, the very same list while there are no others. Those without a silence are skipped, and those that stay
   * the same count on.
   */
  rulesChanged(rules: readonly { rule: AlertRule }[]): void {
    if (rules === this.#rules) return
    this.#rules = rules
    const counters = new Map<string, Counter>()
    const byIndex = new Map<IndexId, Counter[]>()
    for (const { rule } of rules) {
      if (!isJudgedBy(rule.terms, 'silence')) continue
      const counter = this.#counterOf(rule, rule.terms.afterMs)
      counters.set(rule.id, counter)
      const ofIndex = byIndex.get(rule.indexId)
      if (ofIndex === undefined) byIndex.set(rule.indexId, [counter])
      else ofIndex.push(counter)
    }
    this.#counters = counters
    this.#byIndex = byIndex
    this.#setTimer()
  }

  /** A new value has come. */
  noteActivity(id: IndexId, publication: Publication): void {
    if (this.#lastPublishedAtMs.get(id) === publication.publishedAtMs) return
    this.#lastPublishedAtMs.set(id, publication.publishedAtMs)
    const counters = this.#byIndex.get(id)
    if (counters === undefined) return
    const ended = counters.filter(({ isSilent }) => isSilent)
    const nowMs = this.#clock.monotonicMs()
    for (const counter of counters) {
      counter.isSilent = false
      counter.sinceMs = nowMs
    }
    this.#setTimer(counters)
    for (const { rule } of ended) this.#onSeen(rule.id, { kind: 'resumed', publication })
  }

  /** The machine woke: what was missed asleep is not a silence. One that began before goes on. */
  restart(): void {
    const nowMs = this.#clock.monotonicMs()
    for (const counter of this.#counters.values()) counter.sinceMs = nowMs
    // Its time has gone on with the clock, but it stood still with the machine: it would come late.
    this.#timer?.cancel()
    this.#timer = undefined
    this.#setTimer()
  }

  /** The user wants nothing received for now, or does again: what was not received is not a silence. */
  setPaused(isPaused: boolean): void {
    if (isPaused === this.#isPaused) return
    this.#isPaused = isPaused
    this.restart()
  }

  /** Other rules of another service: values of the one before say nothing of this one. */
  reset(): void {
    this.rulesChanged([])
    this.#lastPublishedAtMs.clear()
  }

  dispose(): void {
    this.rulesChanged([])
  }

  #counterOf(rule: AlertRule, afterMs: number | undefined): Counter {
    const kept = this.#counters.get(rule.id)
    if (kept?.rule.version === rule.version) return kept
    return { rule, afterMs, sinceMs: this.#clock.monotonicMs(), isSilent: false }
  }

  /** By the monotonic clock; never while silent or paused, or while the cadence is not known. */
  #dueMs({ rule, afterMs, sinceMs, isSilent }: Counter): number {
    if (isSilent || this.#isPaused) return Infinity
    if (afterMs !== undefined) return sinceMs + afterMs
    const cadence = this.#cadenceOf(rule.indexId)
    return cadence === undefined ? Infinity : sinceMs + staleAfterMs(cadence)
  }

  /** Sets the one timer to the nearest end of a count; a timer already set for no later stays. */
  #setTimer(counters: Iterable<Counter> = this.#counters.values()): void {
    if (this.#counters.size === 0) {
      this.#timer?.cancel()
      this.#timer = undefined
      return
    }
    let dueMs = this.#clock.monotonicMs() + maxAheadMs
    for (const counter of counters) dueMs = Math.min(dueMs, this.#dueMs(counter))
    if (this.#timer !== undefined && this.#timer.dueMs <= dueMs) return
    this.#timer?.cancel()
    const cancel = this.#clock.after(dueMs - this.#clock.monotonicMs(), () => this.#look(dueMs))
    this.#timer = { dueMs, cancel }
  }

  #look(plannedMs: number): void {
    this.#timer = undefined
    const nowMs = this.#clock.monotonicMs()
    if (nowMs > plannedMs + maxLatenessMs) {
      this.restart()
      return
    }
    const silent = [...this.#counters.values()].filter((counter) => this.#dueMs(counter) <= nowMs)
    for (const counter of silent) counter.isSilent = true
    this.#setTimer()
    for (const { rule } of silent) {
      const sinceMs = this.#lastPublishedAtMs.get(rule.indexId)
      this.#onSeen(rule.id, { kind: 'silent', atMs: this.#clock.wallMs(), ...(sinceMs !== undefined && { sinceMs }) })
    }
  }
}
