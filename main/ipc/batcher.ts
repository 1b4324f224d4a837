import type { IndexId, Quote } from '../../protocol/model'
import type {
  ChartTick,
  QuoteUpdate,
  RowFacts,
  WindowSnapshot,
  WindowState,
  WindowUpdate,
} from '../../protocol/desktop'
import { type Json, toJson } from '../../protocol/json'
import type { Clock } from '../base/clock'
import { Throttle } from '../base/throttle'

/** At most 250 pushes a second. */
const spacingMs = 4

interface Options {
  clock: Clock
  /** Hands one push to the page. */
  send: (update: Json<WindowUpdate>) => void
  /** Age of an index's latest value in milliseconds. */
  ageMs: (id: IndexId) => number | undefined
}

/**
 * Turns changes into numbered pushes. Of each index only the newest quote and row facts are sent, of each part of the
 * state the newest. A push leaves on the next turn when the last one is long enough ago, else when the spacing is over.
 *
 * While nobody looks (`pause`) nothing is collected. `resume` then skips a number, by which the page sees that it missed
 * something and asks for a snapshot: the same way it heals from any other loss.
 */
export class Batcher {
  readonly #pushes: Throttle
  readonly #send: (update: Json<WindowUpdate>) => void
  readonly #ageMs: (id: IndexId) => number | undefined
  readonly #quotes = new Map<IndexId, Quote>()
  readonly #rows = new Map<IndexId, RowFacts>()
  #state: Partial<WindowState> = {}
  #points: ChartTick[] = []
  #number = 0
  #isPaused = true

  constructor({ clock, send, ageMs }: Options) {
    this.#pushes = new Throttle({
      clock,
      spacingMs,
      first: 'nextTurn',
      run: () => {
        this.#push()
      },
    })
    this.#send = send
    this.#ageMs = ageMs
  }

  quoteChanged(quote: Quote): void {
    if (this.#isPaused) return
    this.#quotes.set(quote.id, quote)
    this.#pushes.request()
  }

  rowChanged(row: RowFacts): void {
    if (this.#isPaused) return
    this.#rows.set(row.id, row)
    this.#pushes.request()
  }

  /** Every one is sent: a chart shows them all. */
  pointPublished(tick: ChartTick): void {
    if (this.#isPaused) return
    this.#points.push(tick)
    this.#pushes.request()
  }

  stateChanged(patch: Partial<WindowState>): void {
    if (this.#isPaused) return
    Object.assign(this.#state, patch)
    this.#pushes.request()
  }

  /** Stops pushing until `resume`: no window is visible. */
  pause(): void {
    this.#isPaused = true
    this.#pushes.cancel()
    this.#clear()
  }

  /** Pushes again; the page learns by the missing number that it has to ask for a snapshot. */
  resume(): void {
    if (!this.#isPaused) return
    this.#isPaused = false
    this.#number++
    this.#pushes.request()
  }

  /** Makes the page ask for a snapshot, whatever it has seen. */
  resync(): void {
    if (this.#isPaused) return
    this.pause()
    this.resume()
  }

  /** All there is, under the number of the last push: what is pushed later has a greater one. */
  snapshot(quotes: readonly Quote[], rows: RowFacts[], state: WindowState): Json<WindowSnapshot> {
    const aged = quotes.map((quote) => this.#withAge(quote))
    return toJson({ number: this.#number, quotes: aged, rows, state })
  }

  #push(): void {
    const update: WindowUpdate = {
      number: ++this.#number,
      quotes: [...this.#quotes.values()].map((quote) => this.#withAge(quote)),
      rows: [...this.#rows.values()],
      state: this.#state,
      ...(this.#points.length > 0 && { points: this.#points }),
    }
    this.#clear()
    this.#send(toJson(update))
  }

  #clear(): void {
    this.#quotes.clear()
    this.#rows.clear()
    this.#state = {}
    this.#points = []
  }

  #withAge(quote: Quote): QuoteUpdate {
    return { ...quote, ageMs: this.#ageMs(quote.id) ?? 0 }
  }
}
