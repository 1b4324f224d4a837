import { fixingTime, lastFixingMs, nextFixingMs } from '../../core/fixings'
import type { IndexId, Resolution } from '../../core/model'
import type { Clock } from '../base/clock'
import type { ActiveRule } from './active-rule'
import { DueTimer } from './due-timer'

/** After a start, a wake or a pause the service sends what it has: so long a fixing that is there may take to come. */
const patienceMs = 60_000
/** A timer this late has stood still with the machine or the process, and so has the feed. */
const maxLatenessMs = 5_000

interface Options {
  clock: Clock
  cadenceOf: (id: IndexId) => Resolution | undefined
  /** When the fixing was due that a rule last said to be missing. */
  saidMs: (active: ActiveRule) => number | undefined
  /** The fixing that was due then has not come in time. */
  onMissing: (active: ActiveRule, dueMs: number) => void
}

/**
 * Looks for fixings that do not come, for the rules that wait for them: by the service's time, since a fixing is due at a
 * time of day. What was due before the rule had a value, and was not there yet, counts too. While the user wants nothing
 * received nothing is missing.
 */
export class FixingWatch {
  readonly #options: Options
  readonly #timer: DueTimer
  #given: readonly ActiveRule[] = []
  #rules: readonly ActiveRule[] = []
  #plannedMs = Infinity
  #readyMs: number
  #isPaused = false

  constructor(options: Options) {
    const { clock } = options
    this.#options = options
    this.#readyMs = clock.wallMs() + patienceMs
    this.#timer = new DueTimer(clock, () => this.#look())
  }

  /** The rules there are now, the very same list while there are no others; those that wait for no fixing are skipped. */
  rulesChanged(rules: readonly ActiveRule[]): void {
    if (rules === this.#given) return
    this.#given = rules
    this.#rules = rules.filter(({ rule }) => 'graceMs' in rule.terms)
    this.#plan()
  }

  /** The machine woke, or another service answers from now on: what was missed is still to come. */
  restart(): void {
    this.#readyMs = this.#options.clock.wallMs() + patienceMs
    this.#plan()
  }

  /** The user wants nothing received for now, or does again. */
  setPaused(isPaused: boolean): void {
    if (isPaused === this.#isPaused) return
    this.#isPaused = isPaused
    this.restart()
  }

  /** No rules any more, until others are there. */
  reset(): void {
    this.rulesChanged([])
    this.restart()
  }

  #look(): void {
    const nowMs = this.#options.clock.wallMs()
    if (nowMs - this.#plannedMs > maxLatenessMs) {
      this.restart()
      return
    }
    for (const active of nowMs < this.#readyMs ? [] : this.#rules) {
      const { missingMs } = this.#standing(active)
      if (missingMs !== undefined) this.#options.onMissing(active, missingMs)
    }
    this.#plan()
  }

  /** The timer waits for the nearest end of a grace, and for nothing that is missing already before the service had time. */
  #plan(): void {
    const { clock } = this.#options
    const nowMs = clock.wallMs()
    // Timers go by the computer's clock, which may be minutes off the service's.
    const aheadMs = nowMs - clock.serviceMs()
    const times = this.#isPaused
      ? []
      : this.#rules.map((active) => {
          const { missingMs, nextMs } = this.#standing(active)
          return missingMs === undefined ? nextMs + aheadMs : Math.max(nowMs, this.#readyMs)
        })
    this.#plannedMs = Math.min(Infinity, ...times)
    this.#timer.plan(this.#plannedMs === Infinity ? undefined : this.#plannedMs)
  }

  /** The fixing that a rule misses now, by when it was due, and when to look next; both by the service's time. */
  #standing(active: ActiveRule): { missingMs?: number; nextMs: number } {
    const nowMs = this.#options.clock.serviceMs()
    const { rule, state, run } = active
    const time = fixingTime(rule.indexId)
    if (!('graceMs' in rule.terms) || time === undefined || state.isDone) return { nextMs: Infinity }
    const { graceMs } = rule.terms
    const onBusinessDays = this.#options.cadenceOf(rule.indexId) === 'BUSINESS_DAYS'
    const dueMs = lastFixingMs(time, nowMs - graceMs, onBusinessDays)
    const isMissing = dueMs > (state.fixedMs ?? run.startedAtMs) && dueMs > (this.#options.saidMs(active) ?? 0)
    const nextMs = nextFixingMs(time, nowMs - graceMs, onBusinessDays) + graceMs
    return { nextMs, ...(isMissing && { missingMs: dueMs }) }
  }
}
