/** Skips values that change no rule of their index. */
import type { Publication, Resolution } from '../../core/model'
import type { Source } from '../../core/publication'
import { noteQuiet, quietUntil } from './fold'
import { isAfterEnd, lastKnownMs, type RuleRecord } from './record'
import { maxUneventful, type PassedTick, type Tick } from './trace'

/**
 * The interval of values that change no rule of an index, around a value that changed none. A rule's answer depends only
 * on how a value compares with the rule's edges. So a later value between the same edges changes nothing either.
 *
 * Values and edges are compared as floating-point numbers. Rounding may make two numbers equal, but never reverses their
 * order. So if two of them differ, the exact numbers have the same order. Equal ones are left to the exact comparison.
 *
 * `settle` adds the skipped values to the memory of the rules. Call it before their memory is read.
 */
export class QuietBand {
  readonly #records: readonly RuleRecord[]
  readonly #above: number
  readonly #below: number
  readonly #source: Source
  readonly #cadence: Resolution | undefined
  readonly #beforeMs: number
  #lastMs: number
  /** How many more values may be passed over. */
  #left: number
  /** Values since the last `settle`. The newest are kept in two ring buffers. */
  #count = 0
  readonly #publications: Publication[] = []
  readonly #timesMs: number[] = []

  private constructor(
    records: readonly RuleRecord[],
    { source, cadence }: Tick,
    bounds: { above: number; below: number; beforeMs: number; lastMs: number; left: number },
  ) {
    this.#records = records
    this.#source = source
    this.#cadence = cadence
    this.#above = bounds.above
    this.#below = bounds.below
    this.#beforeMs = bounds.beforeMs
    this.#lastMs = bounds.lastMs
    this.#left = bounds.left
  }

  /** Undefined if a rule must see the next value. `tick` is the last value, which `pass` has shown to each rule. */
  static around(all: readonly RuleRecord[], tick: Tick): QuietBand | undefined {
    const { publication } = tick
    const { publishedAtMs } = publication
    const value = Number(publication.value)
    // A zero may be sent by mistake.
    const bounds = { above: -Infinity, below: Infinity, beforeMs: Infinity, lastMs: publishedAtMs, left: Infinity }
    if (value > 0) bounds.above = 0
    else bounds.below = 0
    const records: RuleRecord[] = []
    for (const record of all) {
      const { run, state, memory } = record
      bounds.lastMs = Math.max(bounds.lastMs, run.sinceMs, lastKnownMs(record) ?? 0)
      if (isAfterEnd(run.rule, publishedAtMs)) continue
      if (memory.trace.newestPassed !== tick) return undefined
      const { beforeMs, count } = quietUntil(record)
      bounds.beforeMs = Math.min(bounds.beforeMs, beforeMs)
      bounds.left = Math.min(bounds.left, count)
      for (const edge of state.isDone ? [] : memory.edges) {
        if (edge < value) bounds.above = Math.max(bounds.above, edge)
        else if (edge > value) bounds.below = Math.min(bounds.below, edge)
        else return undefined
      }
      records.push(record)
    }
    return new QuietBand(records, tick, bounds)
  }

  /** Passes a value over. Returns false if a rule must see it. */
  take(publication: Publication, source: Source, cadence: Resolution | undefined, atMs: number): boolean {
    const { publishedAtMs, isRepeatOfPrevious } = publication
    const value = Number(publication.value)
    if (!(value > this.#above && value < this.#below) || this.#left === 0) return false
    if (publishedAtMs <= this.#lastMs || publishedAtMs >= this.#beforeMs) return false
    if (source !== this.#source || cadence !== this.#cadence) return false
    if (isRepeatOfPrevious === true) return false
    this.#lastMs = publishedAtMs
    this.#left--
    const at = this.#count++ % maxUneventful
    this.#publications[at] = publication
    this.#timesMs[at] = atMs
    return true
  }

  /** Brings the memory of the rules up to date. */
  settle(): void {
    const count = this.#count
    if (count === 0) return
    this.#count = 0
    const newest: PassedTick[] = []
    for (let back = Math.min(count, maxUneventful); back > 0; back--) {
      const at = (count - back) % maxUneventful
      const [publication, atMs] = [this.#publications[at], this.#timesMs[at]]
      if (publication !== undefined && atMs !== undefined) newest.push({ publication, cadence: this.#cadence, atMs })
    }
    for (const record of this.#records) noteQuiet(record, count, newest)
  }
}
