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
   * A value became the latest. `previous` is the one before it of its source, cached or received; `isBehind`: what another
   * source said last is not older.
   */
  changed: { previous: Quote | undefined; next: Quote; by: Source; isBehind: boolean }
  /** A value older than the latest was amended, or came late: history has changed, the latest has not. */
  past: { id: IndexId; publication: Publication; by: Source }
  /** Whatever was received and adds to the series of the index: what became the latest, what was amended, what came late. */
  received: { id: IndexId; publication: Publication }
  /** Its time lies too far ahead to be true. */
  refused: { id: IndexId; publication: Publication }
}

interface Held {
  quote: Quote
  /** Whose value it is; absent where that is not known. */
  by: Source | undefined
  /** The value, read when it came. */
  decimal: Decimal | undefined
  ageAtReceiptMs: number
  receivedAtMonotonicMs: number
}

/**
 * Owner of the latest value of each index. Publications may come late, twice and in any order, from the stream and from
 * REST: the one with the greatest time and then the greatest time of amendment stays, whatever the order.
 */
export class QuoteStore {
  readonly events: Emitter<QuoteEvents>
  readonly #clock: Clock
  readonly #held = new Map<IndexId, Held>()

  constructor(options: { clock: Clock; onError: (error: unknown) => void }) {
    this.#clock = options.clock
    this.events = new Emitter(options.onError)
  }

  /** Fills in values kept from an earlier run. Emits nothing and replaces nothing. `sourceOf` says whose they are. */
  seed(quotes: readonly Quote[], sourceOf: (id: IndexId) => Source | undefined = () => undefined): void {
    const serviceMs = this.#clock.serviceMs()
    for (const quote of quotes) {
      if (this.#held.has(quote.id) || isFarFuture(quote, serviceMs)) continue
      this.#hold(
        { ...quote, source: 'cache' },
        { by: sourceOf(quote.id), decimal: parseDecimal(quote.value), serviceMs },
      )
    }
  }

  /** What is held of these counts as kept from before from now on. */
  demote(ids: readonly IndexId[]): void {
    for (const id of ids) {
      const held = this.#held.get(id)
      if (held === undefined) continue
      this.#held.delete(id)
      this.seed([held.quote], () => held.by)
    }
  }

  /** Whose value the latest one is. */
  sourceOf(id: IndexId): Source | undefined {
    return this.#held.get(id)?.by
  }

  /** Whether a value of this source would follow one of another: the two are not compared. */
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
      const decimal = parseDecimal(next.value)
      const jump = held && jumpOf(held, next, decimal)
      if (jump !== undefined) next.jump = jump
      this.#hold(next, { by, decimal, serviceMs })
      const isBehind = held !== last && publication.publishedAtMs <= (last?.quote.publishedAtMs ?? 0)
      this.events.emit('changed', { previous, next, by, isBehind })
    } else if (publication.publishedAtMs === previous.publishedAtMs) return
    else this.events.emit('past', { id, publication, by })
    this.events.emit('received', { id, publication })
  }

  get(id: IndexId): Quote | undefined {
    return this.#held.get(id)?.quote
  }

  all(): Quote[] {
    return [...this.#held.values()].map((held) => held.quote)
  }

  /**
   * Milliseconds since the latest value was published: read off the service's time once, at receipt, and counted on by the
   * monotonic clock, so that setting the clock makes nothing fresh or stale.
   */
  ageMs(id: IndexId): number | undefined {
    const held = this.#held.get(id)
    if (held === undefined) return undefined
    return held.ageAtReceiptMs + this.#clock.monotonicMs() - held.receivedAtMonotonicMs
  }

  forget(id: IndexId): void {
    this.#held.delete(id)
  }

  #hold(
    quote: Quote,
    { by, decimal, serviceMs }: { by: Source | undefined; decimal: Decimal | undefined; serviceMs: number },
  ): void {
    this.#held.set(quote.id, {
      quote,
      by,
      decimal,
      ageAtReceiptMs: Math.max(0, serviceMs - (quote.olderPartMs ?? quote.publishedAtMs)),
      receivedAtMonotonicMs: this.#clock.monotonicMs(),
    })
  }
}

/** Long enough to be seen by who glances at the window. */
const jumpKeptMs = 600_000
/** How far the point of a decimal moves in a jump. */
const jumpPlaces = 2

/**
 * The jump to say with a new value: its own, or the one of a few minutes ago. To zero and from it are none, and neither are
 * those of a formula, whose value may be near zero at any time.
 */
function jumpOf({ quote, decimal: before }: Held, next: Quote, decimal: Decimal | undefined): Quote['jump'] {
  const { jump, value: from, publishedAtMs: fromMs } = quote
  const { id, publishedAtMs } = next
  if (publishedAtMs > fromMs && isHundredfold(before, decimal) && parseFormula(id) === undefined)
    return { from, publishedAtMs }
  if (jump === undefined || publishedAtMs - jump.publishedAtMs >= jumpKeptMs) return undefined
  const isItsAmendment = publishedAtMs === jump.publishedAtMs
  return isItsAmendment && !isHundredfold(parseDecimal(jump.from), decimal) ? undefined : jump
}

function isHundredfold(a: Decimal | undefined, b: Decimal | undefined): boolean {
  if (a === undefined || b === undefined || a.sign === 0 || b.sign === 0) return false
  // As nearly always.
  if (Math.abs(a.point - b.point) < jumpPlaces) return false
  return isFarBelow(a, b) || isFarBelow(b, a)
}

function isFarBelow(a: Decimal, b: Decimal): boolean {
  return compareDecimals({ ...a, sign: 1, point: a.point + jumpPlaces }, { ...b, sign: 1 }) <= 0
}

/** A cached value gives way to the service's word on the same revision, whatever that says. */
function isNews(publication: Publication, latest: Quote): boolean {
  if (latest.source === 'cache' && isSameVersion(publication, latest)) return true
  return compareVersions(publication, latest) > 0
}
