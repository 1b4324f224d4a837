import type { IndexId, Quote } from '../../core/model'
import type {
  ChartTick,
  QuoteUpdate,
  RowFacts,
  RowMean,
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
/** Thousands of alerts in one push would block main for several frames. */
const maxEntriesInPush = 500

interface Options {
  clock: Clock
  /** Sends one push to the page. */
  send: (update: Json<WindowUpdate>) => void
  /** Age of an index's latest value in milliseconds. */
  ageMs: (id: IndexId) => number | undefined
  /** The mean of its last minute, if a list shows it. */
  meanOf?: (id: IndexId) => RowMean | undefined
  /** The current lists. An entry keeps its identity until it changes. */
  lists: () => WindowLists
  /** How long each push waits to collect changes. Without it, pushes leave 4 ms apart, the first on the next turn. */
  collectMs?: number
  /** Maximum number of list entries in one push or snapshot. 500 by default. */
  maxEntries?: number
}

/**
 * Turns changes into numbered pushes. A push has the newest quote and row facts of each index, the newest of each part
 * of the state, and the list entries that changed since the last push. It leaves on the next turn, or when the spacing
 * is over. Nothing is collected while no window is visible (`pause`). `resume` then skips a number. The page sees the
 * gap and asks for a snapshot, as after any other loss.
 */
export class Batcher {
  readonly #pushes: Throttle
  readonly #options: Required<Pick<Options, 'ageMs' | 'lists' | 'maxEntries' | 'meanOf' | 'send'>>
  readonly #sentAlerts = new SentEntries<WindowLists['alerts'][number]>()
  readonly #sentInbox = new SentEntries<WindowLists['inbox'][number]>()
  readonly #quotes = new Map<IndexId, Quote>()
  readonly #rows = new Map<IndexId, RowFacts>()
  #state: WindowUpdate['state'] = {}
  #areListsDue = false
  /** The next push must be sent, even empty: its number shows the page that one is missing. */
  #hasGap = false
  #points: ChartTick[] = []
  #number = 0
  #isPaused = true

  constructor({ clock, collectMs, ...options }: Options) {
    this.#options = { maxEntries: maxEntriesInPush, meanOf: () => undefined, ...options }
    this.#pushes = new Throttle({
      clock,
      spacingMs: collectMs ?? spacingMs,
      first: collectMs === undefined ? 'nextTurn' : 'afterSpacing',
      run: () => this.#push(),
    })
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

  /** Every point is sent, because a chart shows all of them. */
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

  /** The lists may have changed. Sends only entries that did. */
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

  /** Pushes again. The missing number makes the page ask for a snapshot. */
  resume(): void {
    if (!this.#isPaused) return
    this.#isPaused = false
    this.#number++
    const { alerts, inbox } = this.#options.lists()
    this.#sentAlerts.begin(alerts)
    this.#sentInbox.begin(inbox)
    this.#hasGap = true
    this.#pushes.request()
  }

  /** Makes the page ask for a snapshot. */
  resync(): void {
    if (this.#isPaused) return
    this.pause()
    this.resume()
  }

  /**
   * The whole state, under the number of the last push. Later pushes have greater numbers. If there are more alerts
   * than fit one push, the rest follow in pushes.
   */
  snapshot(quotes: readonly Quote[], rows: RowFacts[], state: WindowState): Json<WindowSnapshot> {
    const alerts = state.alerts.slice(0, this.#options.maxEntries)
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
    this.#options.send(toJson(update))
    if (lists?.alerts?.put.length === this.#options.maxEntries) this.listsChanged()
  }

  /** Undefined if no entry changed. */
  #listChanges(): WindowUpdate['lists'] {
    const now = this.#options.lists()
    const alerts = this.#sentAlerts.takeChanges(now.alerts, this.#options.maxEntries)
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
    const mean = this.#options.meanOf(quote.id)
    return { ...quote, ageMs: this.#options.ageMs(quote.id) ?? 0, ...(mean !== undefined && { mean }) }
  }
}
