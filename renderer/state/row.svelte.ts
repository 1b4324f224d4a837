import type { QuoteUpdate, RowFacts } from '../../protocol/desktop'
import type { IndexId } from '../../core/model'
import { createSubscriber } from 'svelte/reactivity'
import { ageText } from '../format/age'
import { changeTexts } from '../format/change'
import { formatValue } from '../format/value'
import { display } from './display.svelte'

function isSamePublication(a: QuoteUpdate, b: QuoteUpdate): boolean {
  return a.publishedAtMs === b.publishedAtMs && a.amendedAtMs === b.amendedAtMs && a.source === b.source
}

/** What the page knows of one index. A change touches the cells of this row and nothing else. */
export class Row {
  readonly id: IndexId
  #quote = $state.raw<QuoteUpdate>()
  facts = $state.raw<RowFacts>()
  #ageText = $state('')
  #isStale = $state(false)
  #staleAt: (nowMs: number) => boolean = () => false
  #isWatched = false
  /** Called by whatever reads the age on screen, so that the age of a row out of sight is not counted. */
  readonly #watchAge = createSubscriber(() => {
    this.#isWatched = true
    // The age is asked for while the page is being drawn: it is written a moment later.
    queueMicrotask(() => this.refreshAge(performance.now(), this.#staleAt))
    return () => (this.#isWatched = false)
  })
  /** When the value had no age, on the page's monotonic clock. */
  #bornAtMs = 0

  readonly valueText = $derived(this.quote && formatValue(this.quote.value, display))
  readonly change = $derived(
    this.quote && this.facts?.reference && changeTexts(this.facts.reference.value, this.quote.value, display),
  )

  constructor(id: IndexId) {
    this.id = id
  }

  /** Absent also while a formula has no value: what it had before is none any more. */
  get quote(): QuoteUpdate | undefined {
    return this.facts?.noValue === undefined ? this.#quote : undefined
  }

  get ageText(): string {
    this.#watchAge()
    return this.#ageText
  }

  get isStale(): boolean {
    this.#watchAge()
    return this.#isStale
  }

  ageMs(nowMs: number): number {
    return nowMs - this.#bornAtMs
  }

  /** For the mirror alone. `receivedAtMs` is when `ageMs` of the update was true, on the page's monotonic clock. */
  applyQuote(quote: QuoteUpdate | undefined, receivedAtMs: number): void {
    const bornAtMs = receivedAtMs - (quote?.ageMs ?? 0)
    const isKnown = quote !== undefined && this.#quote !== undefined && isSamePublication(this.#quote, quote)
    // A value received again is not younger than it was.
    this.#bornAtMs = isKnown ? Math.min(this.#bornAtMs, bornAtMs) : bornAtMs
    this.#quote = quote
  }

  /** For the mirror alone. */
  applyFacts(facts: RowFacts | undefined): void {
    this.facts = facts
  }

  /** Counts the age on, while it is on screen; writes only what reads differently. `staleAt`: whether the value is stale then. */
  refreshAge(nowMs: number, staleAt: (nowMs: number) => boolean): void {
    this.#staleAt = staleAt
    if (!this.#isWatched) return
    const ageMs = this.ageMs(nowMs)
    this.#ageText = this.#quote === undefined ? '' : ageText(ageMs)
    this.#isStale = this.#quote !== undefined && staleAt(nowMs)
  }
}

/**
 * Makes a row that lives as long as the page. Made by a part of the page that asks for it first, it would else stop
 * counting with that part, and others would read what was true then.
 */
export function createRow(id: IndexId): Row {
  let row: Row | undefined
  $effect.root(() => {
    row = new Row(id)
  })
  return row ?? new Row(id)
}
