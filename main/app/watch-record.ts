import * as v from 'valibot'
import { timeSchema } from '../../core/shapes'
import type { TimeRange } from '../../core/ranges'
import type { Clock } from '../base/clock'
import type { JsonFile } from '../base/json-file'
import type { Log } from '../base/log'

/** Until when the app has watched, and whether it ended in order. */
const recordSchema = v.object({ untilMs: timeSchema, hasEnded: v.boolean() })

const everyMs = 60_000
/** The record is that old where nothing was missed. */
const minUnwatchedMs = everyMs

/**
 * Notes each minute on the disk that the app watches, so that the next start can say what a crash, a power cut or a forced
 * quit cost. An end in order is the user's own doing, and not reported.
 */
export class WatchRecord {
  readonly #file: JsonFile
  readonly #clock: Clock
  readonly #log: Log
  #cancel: (() => void) | undefined
  #hasEnded = false

  constructor({ file, clock, log }: { file: JsonFile; clock: Clock; log: Log }) {
    this.#file = file
    this.#clock = clock
    this.#log = log
  }

  /**
   * Begins to note. Answers the time before this start that nobody watched, where the run before did not end in order. A
   * start after a crash answers the shortest time too, from the crash where it was told when that was.
   */
  async begin(afterCrash?: { crashedAtMs?: number }): Promise<TimeRange | undefined> {
    const read = await this.#file.read()
    if (this.#hasEnded) return undefined
    const toMs = this.#clock.wallMs()
    this.#note()
    const record = v.safeParse(recordSchema, 'value' in read ? read.value : undefined)
    if (!record.success || record.output.hasEnded) return undefined
    const { untilMs } = record.output
    const fromMs = Math.max(untilMs, afterCrash?.crashedAtMs ?? 0)
    if (afterCrash !== undefined) return { fromMs: Math.min(fromMs, toMs), toMs }
    return toMs - fromMs > minUnwatchedMs ? { fromMs, toMs } : undefined
  }

  /** The app ends in order: done when that is on the disk. */
  async end(): Promise<void> {
    const hasBegun = this.#cancel !== undefined
    this.#hasEnded = true
    this.#cancel?.()
    if (hasBegun) await this.#write()
  }

  #note(): void {
    void this.#write()
    this.#cancel = this.#clock.after(everyMs, () => this.#note())
  }

  async #write(): Promise<void> {
    const written = await this.#file.write({ untilMs: this.#clock.wallMs(), hasEnded: this.#hasEnded })
    if (!written.ok)
      this.#log.warn('The time of the last check could not be recorded', { problem: written.problem.message })
  }
}
