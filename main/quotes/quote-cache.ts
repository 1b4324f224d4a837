import * as v from 'valibot'
import { isDecimalText } from '../../protocol/decimal'
import { indexIdPattern } from '../../protocol/shapes'
import type { Quote } from '../../protocol/model'
import type { Clock } from '../base/clock'
import type { JsonFile, JsonRead } from '../base/json-file'
import type { Log } from '../base/log'

const version = 1
const leastPauseMs = 5_000

const timeMs = v.pipe(v.number(), v.safeInteger(), v.minValue(0))
const quoteSchema = v.object({
  id: v.pipe(v.string(), v.regex(indexIdPattern)),
  value: v.pipe(v.string(), v.check(isDecimalText)),
  publishedAtMs: timeMs,
  amendedAtMs: v.exactOptional(timeMs),
  isRepeatOfPrevious: v.exactOptional(v.literal(true)),
})
const versionSchema = v.object({ version: v.pipe(v.number(), v.integer(), v.minValue(1)) })
const documentSchema = v.object({ quotes: v.array(v.unknown()) })

/** Whether a cache file is worth keeping in its place; one of a later version is. */
export function isQuoteCache(value: unknown): boolean {
  const written = v.safeParse(versionSchema, value)
  return written.success && (written.output.version > version || v.is(documentSchema, value))
}

/** The latest values on the disk, for a start without a service. At most one write in five seconds. */
export class QuoteCache {
  readonly #file: JsonFile
  readonly #clock: Clock
  readonly #log: Log
  readonly #latest: () => Quote[]
  #isOurs = true
  #cancelWrite: (() => void) | undefined
  #writing: Promise<void> = Promise.resolve()

  constructor(options: { file: JsonFile; clock: Clock; log: Log; latest: () => Quote[] }) {
    this.#file = options.file
    this.#clock = options.clock
    this.#log = options.log
    this.#latest = options.latest
  }

  /** Reads the values of an earlier run. A single bad one is left out; the file of a later version is left alone. */
  async load(): Promise<{ quotes: Quote[]; read: JsonRead['kind'] }> {
    const read = await this.#file.read()
    const value = 'value' in read ? read.value : undefined
    if (v.is(versionSchema, value) && value.version > version) {
      this.#isOurs = false
      this.#log.warn('The value cache is of a newer version: neither read nor written', { file: this.#file.name })
    }
    const document = v.safeParse(documentSchema, value)
    if (!this.#isOurs || !document.success) return { quotes: [], read: read.kind }
    const quotes = document.output.quotes.flatMap((saved): Quote[] => {
      const quote = v.safeParse(quoteSchema, saved)
      return quote.success ? [{ ...quote.output, source: 'cache' }] : []
    })
    const unreadable = document.output.quotes.length - quotes.length
    if (unreadable > 0) this.#log.warn('Some cached values could not be read', { count: unreadable })
    return { quotes, read: read.kind }
  }

  /** Says that a value was received; values from the cache itself are no news to it. */
  noteChange(): void {
    if (!this.#isOurs || this.#cancelWrite !== undefined) return
    this.#cancelWrite = this.#clock.after(leastPauseMs, () => {
      this.#write()
    })
  }

  /** Writes what is not yet written, now; done when no write is running. */
  async flush(): Promise<void> {
    if (this.#cancelWrite !== undefined) this.#write()
    await this.#writing
  }

  #write(): void {
    this.#cancelWrite?.()
    this.#cancelWrite = undefined
    this.#writing = this.#file.write({ version, quotes: this.#latest().map(toSaved) }).then((outcome) => {
      if (outcome.ok) return
      this.#log.warn('The latest values could not be saved', { problem: outcome.problem.message })
    })
  }
}

function toSaved({ id, value, publishedAtMs, amendedAtMs, isRepeatOfPrevious }: Quote): Omit<Quote, 'source'> {
  return {
    id,
    value,
    publishedAtMs,
    ...(amendedAtMs !== undefined && { amendedAtMs }),
    ...(isRepeatOfPrevious && { isRepeatOfPrevious }),
  }
}
