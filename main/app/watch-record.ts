import * as v from 'valibot'
import { timeSchema } from '../../core/shapes'
import type { TimeRange } from '../../core/ranges'
import type { Clock } from '../base/clock'
import type { JsonFile } from '../base/json-file'
import type { Log } from '../base/log'

/** Until when the app was watching, and whether it ended normally. */
const recordSchema = v.object({ untilMs: timeSchema, hasEnded: v.boolean() })

const everyMs = 60_000
/** The record is up to this old even if nothing was missed. */
const minUnwatchedMs = everyMs

/**
 * Records each minute that the app is watching. The next start can then report how long a crash, a power cut or a
 * forced quit interrupted it. A normal end is not reported.
 */
export class WatchRecord {
  readonly #options: { file: JsonFile; clock: Clock; log: Log }
  #cancel: (() => void) | undefined
  #hasEnded = false

  constructor(options: { file: JsonFile; clock: Clock; log: Log }) {
    this.#options = options
  }

  /**
   * Starts recording. Returns the unwatched time before this start if the previous run did not end normally. After a
   * crash even the shortest time is returned, from the time of the crash if it is known.
   */
  async begin(afterCrash?: { crashedAtMs?: number }): Promise<TimeRange | undefined> {
    const read = await this.#options.file.read()
    if (this.#hasEnded) return undefined
    const toMs = this.#options.clock.wallMs()
    this.#note()
    const record = v.safeParse(recordSchema, 'value' in read ? read.value : undefined)
    if (!record.success || record.output.hasEnded) return undefined
    const { untilMs } = record.output
    const fromMs = Math.max(untilMs, afterCrash?.crashedAtMs ?? 0)
    if (afterCrash !== undefined) return { fromMs: Math.min(fromMs, toMs), toMs }
    return toMs - fromMs > minUnwatchedMs ? { fromMs, toMs } : undefined
  }

  /** The app ends normally. Resolves when that is on the disk. */
  async end(): Promise<void> {
    const hasBegun = this.#cancel !== undefined
    this.#hasEnded = true
    this.#cancel?.()
    if (hasBegun) await this.#write()
  }

  #note(): void {
    void this.#write()
    this.#cancel = this.#options.clock.after(everyMs, () => this.#note())
  }

  async #write(): Promise<void> {
    const written = await this.#options.file.write({ untilMs: this.#options.clock.wallMs(), hasEnded: this.#hasEnded })
    if (!written.ok)
      this.#options.log.warn('The time of the last check could not be recorded', { problem: written.problem.message })
  }
}
