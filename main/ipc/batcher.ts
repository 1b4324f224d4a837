import type { IndexId, Quote } from '../../core/model'
import type {
  ChartTick,
  QuoteUpdate,
  RowFacts,
  WindowLists,
  WindowSnapshot,
  WindowState,
  WindowUpdate,
} from '../../protocol/desktop'
import { type Json, toJson } from '../../protocol/json'
import type { Clock } from '../base/clock'
import { Throttle } from '../base/throttle'
import { SentEntries } from './sent-entries'

/** At most 250 pushes a second. */
const spacingMs = 4
/** Thousands of alerts in one push would hold main up for some frames. */
const maxEntriesInPush = 500

interface Options {
  clock: Clock
  /** Hands one push to the page. */
  send: (update: Json<WindowUpdate>) => void
  /** Age of an index's latest value in milliseconds. */
  ageMs: (id: IndexId) => number | undefined
  /** The lists as they are now. An entry is the very same object while nothing of it has changed. */
  lists: () => WindowLists
  /** Every push waits this long and carries all that came meanwhile; absent: pushes leave at once, 4 ms apart. */
  collectMs?: number
  /** Of a list, in one push or snapshot; 500 where it is absent. */
  maxEntries?: number
}

/**
 * Turns changes into numbered pushes. Of each index only the newest quote and row facts are sent, of each part of the
 * state the newest, of a list the entries that are different from what was sent last. A push leaves on the next turn when
 * the last one is long enough ago, else when the spacing is over.
 *
 * While nobody looks (`pause`) nothing is collected. `resume` then skips a number, by which the page sees that it missed
 * something and asks for a snapshot: the same way it heals from any other loss.
 */
export class Batcher {
  readonly #pushes: Throttle
  readonly #send: (update: Json<WindowUpdate>) => void
  readonly #ageMs: (id: IndexId) => number | undefined
  readonly #lists: () => WindowLists
  readonly #maxEntries: number
  readonly #sentAlerts = new SentEntries<WindowLists['alerts'][number]>()
  readonly #sentInbox = new SentEntries<WindowLists['inbox'][number]>()
  readonly #quotes = new Map<IndexId, Quote>()
  readonly #rows = new Map<IndexId, RowFacts>()
  #state: WindowUpdate['state'] = {}
  #areListsDue = false
  /** The next push says by its number that one is missing, whatever else is in it. */
  #hasGap = false
  #points: ChartTick[] = []
  #number = 0
  #isPaused = true

  constructor({ clock, send, ageMs, lists, collectMs, maxEntries = maxEntriesInPush }: Options) {
    this.#pushes = new Throttle({
      clock,
      spacingMs: collectMs ?? spacingMs,
      first: collectMs === undefined ? 'nextTurn' : 'afterSpacing',
      run: () => this.#push(),
    })
    this.#send = send
    this.#ageMs = ageMs
    this.#lists = lists
    this.#maxEntries = maxEntries
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

  stateChanged(patch: WindowUpdate['state']): void {
    if (this.#isPaused) return
    Object.assign(this.#state, patch)
    this.#pushes.request()
  }

  /** The lists may be different; nothing is sent where they are not. */
  listsChanged(): void {
    if (this.#isPaused) return
    this.#areListsDue = true
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
    const { alerts, inbox } = this.#lists()
    this.#sentAlerts.begin(alerts)
    this.#sentInbox.begin(inbox)
    this.#hasGap = true
    this.#pushes.request()
  }

  /** Makes the page ask for a snapshot, whatever it has seen. */
  resync(): void {
    if (this.#isPaused) return
    this.pause()
    this.resume()
  }

  /**
   * All there is, under the number of the last push: what is pushed later has a greater one. Of more alerts than one push has
   * the first; the others follow in pushes.
   */
  snapshot(quotes: readonly Quote[], rows: RowFacts[], state: WindowState): Json<WindowSnapshot> {
    const alerts = state.alerts.slice(0, this.#maxEntries)
    this.#sentAlerts.noteSnapshot(state.alerts, alerts.length)
    this.#sentInbox.noteSnapshot(state.inbox, state.inbox.length)
    if (alerts.length < state.alerts.length) this.listsChanged()
    const aged = quotes.map((quote) => this.#withAge(quote))
    return toJson({ number: this.#number, quotes: aged, rows, state: { ...state, alerts } })
  }

  #push(): void {
    const lists = this.#areListsDue ? this.#listChanges() : undefined
    const isEmpty = this.#quotes.size + this.#rows.size + this.#points.length === 0
    if (isEmpty && lists === undefined && Object.keys(this.#state).length === 0 && !this.#hasGap) return
    const update: WindowUpdate = {
      number: ++this.#number,
      quotes: [...this.#quotes.values()].map((quote) => this.#withAge(quote)),
      rows: [...this.#rows.values()],
      state: this.#state,
      ...(lists !== undefined && { lists }),
      ...(this.#points.length > 0 && { points: this.#points }),
    }
    this.#clear()
    this.#send(toJson(update))
    if (lists?.alerts?.put.length === this.#maxEntries) this.listsChanged()
  }

  /** Nothing where all entries are the same. */
  #listChanges(): WindowUpdate['lists'] {
    const now = this.#lists()
    const alerts = this.#sentAlerts.takeChanges(now.alerts, this.#maxEntries)
    const inbox = this.#sentInbox.takeChanges(now.inbox, Infinity)
    if (alerts === undefined && inbox === undefined) return undefined
    return { ...(alerts !== undefined && { alerts }), ...(inbox !== undefined && { inbox }) }
  }

  #clear(): void {
    this.#quotes.clear()
    this.#rows.clear()
    this.#state = {}
    this.#points = []
    this.#areListsDue = false
    this.#hasGap = false
  }

  #withAge(quote: Quote): QuoteUpdate {
    return { ...quote, ageMs: this.#ageMs(quote.id) ?? 0 }
  }
}
