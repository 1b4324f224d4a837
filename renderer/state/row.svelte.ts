import type { QuoteUpdate, RowFacts } from '../../protocol/desktop'
import type { IndexId } from '../../core/model'
import { ageText } from '../format/age'
import { changeTexts } from '../format/change'
import { formatValue } from '../format/value'
import { display } from './display.svelte'

/** What the age of a row depends on, besides its value. Times are on the page's monotonic clock. */
interface AgeClock {
  agesAtMs: number
  isStaleAt(id: IndexId, nowMs: number): boolean
  isOverdueAt(id: IndexId, nowMs: number): boolean
}

function isSamePublication(a: QuoteUpdate, b: QuoteUpdate): boolean {
  return a.publishedAtMs === b.publishedAtMs && a.amendedAtMs === b.amendedAtMs && a.source === b.source
}

/** The page's state of one index. A change redraws the cells of this row only. */
export class Row {
  readonly id: IndexId
  readonly #clock: AgeClock
  #quote = $state.raw<QuoteUpdate>()
  facts = $state.raw<RowFacts>()
  /** When the value was received, and when its age was 0, on the page's monotonic clock. */
  #receivedAtMs = 0
  #bornAtMs = 0

  readonly valueText = $derived(this.quote && formatValue(this.quote.value, display))
  readonly change = $derived(
    this.quote && this.facts?.reference && changeTexts(this.facts.reference.value, this.quote.value, display),
  )
  readonly ageText = $derived(this.#quote === undefined ? '' : ageText(this.ageMs(this.#agesAtMs)))
  readonly isStale = $derived.by(() => this.#quote !== undefined && this.#clock.isStaleAt(this.id, this.#agesAtMs))
  readonly isOverdue = $derived.by(() => this.#quote !== undefined && this.#clock.isOverdueAt(this.id, this.#agesAtMs))

  constructor(id: IndexId, clock: AgeClock) {
    this.id = id
    this.#clock = clock
  }

  /** Undefined also while a formula has no value. Its previous value no longer counts. */
  get quote(): QuoteUpdate | undefined {
    return this.facts?.noValue === undefined ? this.#quote : undefined
  }

  /** The value may be newer than the last update of ages. */
  get #agesAtMs(): number {
    return Math.max(this.#clock.agesAtMs, this.#receivedAtMs)
  }

  ageMs(nowMs: number): number {
    return nowMs - this.#bornAtMs
  }

  /** Called by the mirror only. `receivedAtMs` is when `ageMs` of the update was true, on the page's monotonic clock. */
  applyQuote(quote: QuoteUpdate | undefined, receivedAtMs: number): void {
    const bornAtMs = receivedAtMs - (quote?.ageMs ?? 0)
    const isKnown = quote !== undefined && this.#quote !== undefined && isSamePublication(this.#quote, quote)
    // A value received again does not get younger.
    this.#bornAtMs = isKnown ? Math.min(this.#bornAtMs, bornAtMs) : bornAtMs
    this.#receivedAtMs = receivedAtMs
    this.#quote = quote
  }

  /** Called by the mirror only. */
  applyFacts(facts: RowFacts | undefined): void {
    this.facts = facts
  }
}

/**
 * Creates a row that lives as long as the page. Created inside a component, its derived values would stop updating when
 * that component goes, also for other components.
 */
export function createRow(id: IndexId, clock: AgeClock): Row {
  let row: Row | undefined
  $effect.root(() => {
    row = new Row(id, clock)
  })
  return row ?? new Row(id, clock)
}
