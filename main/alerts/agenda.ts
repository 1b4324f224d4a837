import { dependsOn } from '../../core/alerts'
import type { SilenceSeen } from '../../core/evaluation/observation'
import { fixingTime, lastFixingMs, nextFixingMs } from '../../core/fixings'
import { staleAfterMs } from '../../core/freshness'
import type { IndexId, Publication, Resolution } from '../../core/model'
import type { Clock } from '../base/clock'
import type { RuleRecord } from './record'
import type { Place, RuleTable } from './rule-table'

/** The longest a timer can wait. While silences are counted less: the cadence of an index may become known, or change. */
const maxDelayMs = 24 * 86_400_000
const maxSilenceDelayMs = 60_000
/** Delay before another look if nothing came due, as after the wall clock was set back. */
const retryMs = 1_000
/** A timer later than this was suspended with the machine or the process, as was the feed. */
const maxLatenessMs = 5_000
/** After a start, a wake or a pause, the service gets this long to send a fixing it has. */
const patienceMs = 60_000

interface Options {
  clock: Clock
  rules: () => RuleTable
  cadenceOf: (id: IndexId) => Resolution | undefined
  /** The wall time at which a cooldown, a snooze or a rule ends next. */
  nextEndMs: () => number
  /** That time has come. */
  onEnd: () => void
  onSilent: (place: Place, seen: SilenceSeen) => void
  /** A value has come after a silence. */
  onResumed: (place: Place, publication: Publication) => void
  /** The fixing that was due then has not come in time. */
  onMissing: (place: Place, dueMs: number) => void
}

/**
 * All that comes due, by one timer: the ends of cooldowns, snoozes and rules, silences, and fixings that do not come.
 *
 * A silence (alert engine, 9) is counted by the monotonic clock, from the last value or from the moment the rule began, and again
 * after the machine woke or the user resumed. A value carried forward ends it, since the feed works; an amendment of the last
 * value does not. A rule that goes by the cadence of an index is not silent before that is known.
 *
 * A fixing is due at a time of day, by the service's time. What was due before the rule had a value, and was not there yet,
 * counts too. While the user wants nothing received nothing is silent or missing.
 */
export class Agenda {
  readonly #options: Options
  /** The last value of every index, also of those no rule asks for yet; `atMs` by the monotonic clock. */
  readonly #heard = new Map<IndexId, { publishedAtMs: number; atMs: number }>()
  #cancel: (() => void) | undefined
  #endMs = Infinity
  #fixingMs = Infinity
  /** By the monotonic clock. */
  #timerMs = Infinity
  #silences: readonly Place[] = []
  #fixings: readonly Place[] = []
  #readyMs: number
  #isPaused = false

  constructor(options: Options) {
    this.#options = options
    this.#readyMs = options.clock.wallMs() + patienceMs
  }

  /** Whether a cooldown, a snooze or a rule is over, also where the timer is late, as it is after the machine slept. */
  get hasEnd(): boolean {
    return this.#endMs <= this.#options.clock.wallMs()
  }

  /** A new value has come. */
  heard(id: IndexId, publication: Publication): void {
    const { clock, rules, onResumed } = this.#options
    const last = this.#heard.get(id)
    if (last?.publishedAtMs === publication.publishedAtMs) return
    this.#heard.set(id, { publishedAtMs: publication.publishedAtMs, atMs: clock.monotonicMs() })
    if (this.#silences.length === 0) return
    const silences = rules()
      .observingOf(id)
      .filter(({ record }) => record.memory.quiet !== undefined)
    const ended = silences.filter(({ record }) => record.memory.quiet?.isSilent === true)
    for (const { record } of ended) record.memory.quiet = { sinceMs: clock.monotonicMs(), isSilent: false }
    if (silences.some(({ record }) => this.#silentMs(record) < this.#timerMs)) this.#setTimer()
    for (const place of ended) onResumed(place, publication)
  }

  /** Plans anew: there are other rules, or cooldowns, snoozes and ends. */
  plan(): void {
    const { rules, nextEndMs, clock } = this.#options
    const table = rules()
    this.#endMs = nextEndMs()
    this.#silences = table.watched('silence')
    for (const { record } of this.#silences) record.memory.quiet ??= { sinceMs: clock.monotonicMs(), isSilent: false }
    this.#fixings = table.watched('fixing')
    this.#planFixings()
    this.#setTimer()
  }

  /** A rule may end sooner than planned. */
  bringForward(endMs: number): void {
    if (endMs >= this.#endMs) return
    this.#endMs = endMs
    this.#setTimer()
  }

  /** The machine woke. Time asleep does not count as silence. A silence from before continues. */
  restart(): void {
    this.#restartSilences()
    this.#restartFixings()
    // Timers stood still with the machine: this one would come late.
    this.#setTimer()
  }

  /** The user wants nothing received for now, or does again. */
  setPaused(isPaused: boolean): void {
    if (isPaused === this.#isPaused) return
    this.#isPaused = isPaused
    this.restart()
  }

  /** Nothing is due any more, until rules of another service are planned: values of the one before say nothing of it. */
  clear(): void {
    this.#heard.clear()
    this.#endMs = Infinity
    this.#fixingMs = Infinity
    this.#silences = []
    this.#fixings = []
    this.#restartFixings()
    this.#setTimer()
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

  /** When a rule is silent, by the monotonic clock. */
  #silentMs({ run: { rule }, memory: { quiet } }: RuleRecord): number {
    if (!dependsOn(rule.terms, 'silence') || quiet === undefined || quiet.isSilent || this.#isPaused) return Infinity
    const cadence = this.#options.cadenceOf(rule.indexId)
    const afterMs = rule.terms.afterMs ?? (cadence === undefined ? Infinity : staleAfterMs(cadence))
    return Math.max(quiet.sinceMs, this.#heard.get(rule.indexId)?.atMs ?? -Infinity) + afterMs
  }

  /** The nearest end of a grace; what is missing already waits until the service had time to send it. */
  #planFixings(): void {
    const { clock } = this.#options
    const nowMs = clock.wallMs()
    // Timers go by the computer's clock, which may be minutes off the service's.
    const aheadMs = nowMs - clock.serviceMs()
    this.#fixingMs = Infinity
    for (const { record } of this.#isPaused ? [] : this.#fixings) {
      const { missingMs, nextMs } = this.#fixingOf(record)
      const dueMs = missingMs === undefined ? nextMs + aheadMs : Math.max(nowMs, this.#readyMs)
      this.#fixingMs = Math.min(this.#fixingMs, dueMs)
    }
  }

  /** The fixing that a rule misses now, by when it was due, and when to look next; both by the service's time. */
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
