import { compareDecimals, parseDecimal, type Decimal } from '../../core/decimal'
import { parseFormula } from '../../core/formula-id'
import type { IndexId, Publication, Quote, QuoteSource } from '../../core/model'
import type { Clock } from '../base/clock'
import { Emitter } from '../base/emitter'
import {
  isFarFuture,
  compareVersions,
  isOtherSource,
  isSameVersion,
  noSource,
  type Source,
} from '../../core/publication'

export interface QuoteEvents {
  /**
   * A value became the latest. `previous` is the one before it from the same source, cached or received. `isBehind`:
   * the last value of another source is at least as new.
   */
  changed: { previous: Quote | undefined; next: Quote; by: Source; isBehind: boolean }
  /** A value older than the latest was amended or arrived late. The latest is unchanged. */
  past: { id: IndexId; publication: Publication; by: Source }
  /**
   * A received value that adds to the series: a new latest one, an amended one or a late one. Not a mean whose window has
   * not filled.
   */
  received: { id: IndexId; publication: Publication }
  /** Its time is too far in the future. */
  refused: { id: IndexId; publication: Publication }
}

interface Held {
  quote: Quote
  /** The connection that sent it. Undefined if unknown. */
  by: Source | undefined
  ageAtReceiptMs: number
  receivedAtMonotonicMs: number
}

/**
 * Owns the latest value of each index. Publications may arrive late, twice and in any order, from stream and REST. The
 * one with the latest published time wins, then the latest amendment.
 */
export class QuoteStore {
  readonly events: Emitter<QuoteEvents>
  readonly #clock: Clock
  readonly #held = new Map<IndexId, Held>()

  constructor(options: { clock: Clock; onError: (error: unknown) => void }) {
    this.#clock = options.clock
    this.events = new Emitter(options.onError)
  }

  /** Loads values of an earlier run. Emits nothing and replaces nothing. `sourceOf` returns their connection. */
  seed(quotes: readonly Quote[], sourceOf: (id: IndexId) => Source | undefined = () => undefined): void {
    const serviceMs = this.#clock.serviceMs()
    for (const quote of quotes) {
      if (this.#held.has(quote.id) || isFarFuture(quote, serviceMs)) continue
      this.#hold({ ...quote, source: 'cache' }, { by: sourceOf(quote.id), serviceMs })
    }
  }

  /** Treats the values of these ids as cached. */
  demote(ids: readonly IndexId[]): void {
    for (const id of ids) {
      const held = this.#held.get(id)
      if (held === undefined) continue
      this.#held.delete(id)
      this.seed([held.quote], () => held.by)
    }
  }

  /** The connection that sent the latest value. */
  sourceOf(id: IndexId): Source | undefined {
    return this.#held.get(id)?.by
  }

  /** True if the latest value is from another source. Values of two sources are not compared. */
  isOfOther(id: IndexId, by: Source): boolean {
    const held = this.#held.get(id)?.by
    return held !== undefined && isOtherSource(held, by)
  }

  /** Takes a received value. */
  apply(id: IndexId, publication: Publication, source: Exclude<QuoteSource, 'cache'>, by: Source = noSource): void {
    const serviceMs = this.#clock.serviceMs()
    if (isFarFuture(publication, serviceMs)) {
      this.events.emit('refused', { id, publication })
      return
    }
    const last = this.#held.get(id)
    const held = this.isOfOther(id, by) ? undefined : last
    const previous = held?.quote
    if (previous === undefined || isNews(publication, previous)) {
      const next: Quote = { ...publication, id, source }
      const jump = previous && jumpOf(previous, next)
      if (jump !== undefined) next.jump = jump
      this.#hold(next, { by, serviceMs })
      const isBehind = held !== last && publication.publishedAtMs <= (last?.quote.publishedAtMs ?? 0)
      this.events.emit('changed', { previous, next, by, isBehind })
    } else if (publication.publishedAtMs === previous.publishedAtMs) return
    else this.events.emit('past', { id, publication, by })
    if (publication.isFilling !== true) this.events.emit('received', { id, publication })
  }

  get(id: IndexId): Quote | undefined {
    return this.#held.get(id)?.quote
  }

  all(): Quote[] {
    return [...this.#held.values()].map((held) => held.quote)
  }

  /**
   * Milliseconds since the latest value was published. Measured once at receipt against the service's time, then
   * advanced by the monotonic clock. Changing the computer's clock makes nothing fresh or stale.
   */
  ageMs(id: IndexId): number | undefined {
    const held = this.#held.get(id)
    if (held === undefined) return undefined
    return held.ageAtReceiptMs + this.#clock.monotonicMs() - held.receivedAtMonotonicMs
  }

  forget(id: IndexId): void {
    this.#held.delete(id)
  }

  #hold(quote: Quote, { by, serviceMs }: { by: Source | undefined; serviceMs: number }): void {
    this.#held.set(quote.id, {
      quote,
      by,
      ageAtReceiptMs: Math.max(0, serviceMs - (quote.olderPartMs ?? quote.publishedAtMs)),
      receivedAtMonotonicMs: this.#clock.monotonicMs(),
    })
  }
}

/** Long enough to be noticed by somebody who glances at the window. */
const jumpKeptMs = 600_000
/** A jump moves the decimal point by this many places. */
const jumpPlaces = 2

/**
 * The jump to show with a new value: its own, or a recent one. Changes to or from zero do not count. Neither do those
 * of formulas, whose values may be near zero.
 */
function jumpOf({ jump, value: from, publishedAtMs: fromMs }: Quote, next: Quote): Quote['jump'] {
  const { id, value, publishedAtMs } = next
  if (publishedAtMs > fromMs && isHundredfold(from, value) && parseFormula(id) === undefined)
    return { from, publishedAtMs }
  if (jump === undefined || publishedAtMs - jump.publishedAtMs >= jumpKeptMs) return undefined
  const isItsAmendment = publishedAtMs === jump.publishedAtMs
  return isItsAmendment && !isHundredfold(jump.from, value) ? undefined : jump
}

function isHundredfold(before: string, after: string): boolean {
  // The usual case. So far from a hundredfold the error of floating-point numbers does not matter.
  const ratio = Math.abs(Number(before) / Number(after))
  if (ratio > 0.02 && ratio < 50) return false
  const [a, b] = [parseDecimal(before), parseDecimal(after)]
  if (a === undefined || b === undefined || a.sign === 0 || b.sign === 0) return false
  return isFarBelow(a, b) || isFarBelow(b, a)
}

function isFarBelow(a: Decimal, b: Decimal): boolean {
  return compareDecimals({ ...a, sign: 1, point: a.point + jumpPlaces }, { ...b, sign: 1 }) <= 0
}

/** A received value replaces a cached one of the same revision, even if its text differs. */
function isNews(publication: Publication, latest: Quote): boolean {
  if (latest.source === 'cache' && isSameVersion(publication, latest)) return true
  return compareVersions(publication, latest) > 0
}
