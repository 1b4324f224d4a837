/** Decides what reaches a page, and when. All windows share it. */
import type { RowFacts, RowMean, WindowLists, WindowSnapshot, WindowState, WindowUpdate } from '../../protocol/desktop'
import type { Json } from '../../protocol/json'
import type { IndexId, Resolution } from '../../core/model'
import type { AlertEngine } from '../alerts/engine'
import type { Clock } from '../base/clock'
import { Throttle } from '../base/throttle'
import type { Connections } from '../connections/connections'
import type { Slice } from '../features/feature'
import { Batcher } from '../ipc/batcher'
import type { Formulas } from '../quotes/formulas'
import type { QuoteStore } from '../quotes/quote-store'
import type { SettingsStore } from '../storage/settings'

/** The sources of everything that pages show. */
export interface PageSources {
  clock: Clock
  store: QuoteStore
  formulas: Pick<Formulas, 'events'>
  connections: Pick<Connections, 'events' | 'resolutionOf'>
  settings: Pick<SettingsStore, 'get'>
  alerts: Pick<AlertEngine, 'events' | 'views' | 'inbox' | 'indexIds'>
  /** The small parts of the alerts' state, which are sent whole. */
  alertDocuments: () => Partial<WindowState>
  slices: readonly Slice[]
  state: () => WindowState
  rowFacts: (id: IndexId) => RowFacts
  /** The mean of the last minute of an index, if a list shows it. */
  meanOf?: (id: IndexId) => RowMean | undefined
  /** Registers a listener for when pages must ask for a snapshot. Returns its unsubscribe. */
  onResync: (run: () => void) => () => void
}

/** The part of the state that a page shows. */
export interface Shown {
  /** Called before a snapshot. Fixes which indices the page shows until the next snapshot. */
  settle?: () => void
  has: (id: IndexId) => boolean
  rowIds: () => Iterable<IndexId>
  /** True if each received value of the index is pushed, for a chart. None by default. */
  draws?: (id: IndexId) => boolean
  /** The part of a state that the page receives. May be empty. */
  cut: <State extends Partial<WindowState>>(state: State) => State
}

/**
 * Follows values, rows and the window's state, and pushes what a page shows, no faster than a reader can use it. Create
 * it after the subscribers that must see a value before the page does.
 */
export class PageFeed {
  readonly #sources: PageSources
  readonly #shown: Shown
  readonly #batcher: Batcher
  readonly #rows: RowPace
  readonly #alerts: AlertPushes
  readonly #stops: readonly ((() => void) | undefined)[]

  /** `collectMs` is passed to the batcher. */
  constructor(
    sources: PageSources,
    shown: Shown,
    options: { send: (update: Json<WindowUpdate>) => void; collectMs?: number },
  ) {
    const { clock, store, connections } = sources
    this.#sources = sources
    this.#shown = shown
    const { meanOf } = sources
    const ageMs = (id: IndexId) => store.ageMs(id)
    this.#batcher = new Batcher({ ...options, ...(meanOf && { meanOf }), clock, ageMs, lists: () => this.#lists() })
    this.#rows = new RowPace({
      clock,
      resolutionOf: (id) => connections.resolutionOf(id),
      push: (id) => this.#pushRow(id),
    })
    this.#alerts = new AlertPushes(sources, this.#batcher)
    this.#stops = this.#follow()
  }

  /** Everything the page shows, under the number of the last push. */
  snapshot(): Json<WindowSnapshot> {
    const { settle, has, rowIds, cut } = this.#shown
    const { store, rowFacts, state } = this.#sources
    settle?.()
    const quotes = store.all().filter(({ id }) => has(id))
    return this.#batcher.snapshot(quotes, [...rowIds()].map(rowFacts), cut(state()))
  }

  push(patch: Partial<WindowState>): void {
    this.#batcher.stateChanged(this.#shown.cut(patch))
  }

  /** Nothing is pushed while the page is not visible. */
  watch(isVisible: boolean): void {
    this.#alerts.watch(isVisible)
    this.#rows.watch(isVisible)
    if (isVisible) this.#batcher.resume()
    else this.#batcher.pause()
  }

  /** Makes the page ask for a snapshot, after changes that no push can express. */
  resync(): void {
    this.#batcher.resync()
  }

  /** Call when another service's values follow. */
  restart(): void {
    this.#rows.reset()
    this.resync()
  }

  dispose(): void {
    for (const stop of this.#stops) stop?.()
    this.#rows.reset()
    this.watch(false)
  }

  #lists(): WindowLists {
    const { alerts } = this.#sources
    return this.#shown.cut({ alerts: alerts.views(), inbox: alerts.inbox() })
  }

  /** Returns the unsubscribe functions. */
  #follow() {
    const { connections, store, formulas, alerts, slices, onResync } = this.#sources
    return [
      store.events.on('changed', ({ next }) => {
        if (!this.#shown.has(next.id)) return
        this.#alerts.valueSeen()
        this.#batcher.quoteChanged(next)
        this.#rows.valueChanged(next.id)
      }),
      store.events.on('received', ({ id, publication }) => {
        if (this.#shown.draws?.(id) === true) this.#batcher.pointPublished({ indexId: id, point: publication })
      }),
      connections.events.on('caughtUp', ({ id }) => this.#pushRow(id)),
      connections.events.on('dayFetched', ({ id }) => this.#pushRow(id)),
      connections.events.on('refusalChanged', (id) => this.#pushRow(id)),
      formulas.events.on('noValueChanged', (id) => this.#pushRow(id)),
      alerts.events.on('changed', () => this.#alerts.changed()),
      onResync(() => this.resync()),
      ...slices.map(({ now, follow }) => follow(() => this.push(now()))),
    ]
  }

  #pushRow(id: IndexId): void {
    if (this.#shown.has(id)) this.#batcher.rowChanged(this.#sources.rowFacts(id))
  }
}

/** A trend gains a point each minute. In between, its last point moves. */
const trendSpacingMs = 5_000
/** Rows pushed in one turn. More would block main, and cost the page a frame. */
const rowsInTurn = 50
/** Time between two such turns. */
const turnSpacingMs = 20
const tickingResolutions: ReadonlySet<Resolution | undefined> = new Set(['PER_200MS', 'PER_SECOND', 'PER_MINUTE'])

interface RowPaceOptions {
  clock: Clock
  resolutionOf: (id: IndexId) => Resolution | undefined
  /** Pushes the current facts of the row. */
  push: (id: IndexId) => void
}

/**
 * Decides when to push a row's facts: its value, trend and reference of change. Immediately for the first value and for
 * an index that publishes rarely, otherwise every five seconds.
 */
export class RowPace {
  readonly #options: RowPaceOptions
  readonly #pushed = new Set<IndexId>()
  readonly #waiting = new Set<IndexId>()
  readonly #trends: Throttle
  /** Rows left for the next turns. */
  readonly #due = new Set<IndexId>()
  #cancelTurn: (() => void) | undefined
  #isWatched = false

  constructor(options: RowPaceOptions) {
    this.#options = options
    this.#trends = new Throttle({
      clock: options.clock,
      spacingMs: trendSpacingMs,
      first: 'afterSpacing',
      run: () => {
        for (const id of this.#waiting) this.#due.add(id)
        this.#waiting.clear()
        if (this.#cancelTurn === undefined) this.#pushTurn()
      },
    })
  }

  valueChanged(id: IndexId): void {
    const resolution = this.#options.resolutionOf(id)
    // An index of unknown frequency has no trend.
    if (resolution === undefined) return
    if (!this.#isWatched) {
      // A page that opens gets the trend in its snapshot.
      this.#pushed.add(id)
      return
    }
    if (!this.#pushed.has(id) || !tickingResolutions.has(resolution)) {
      this.#pushed.add(id)
      this.#options.push(id)
      return
    }
    this.#waiting.add(id)
    this.#trends.request()
  }

  /** Rows are pushed while the page is visible. A page that becomes visible asks for a snapshot itself. */
  watch(isWatched: boolean): void {
    this.#isWatched = isWatched
    if (!isWatched) this.#drop()
  }

  /** Treats every row as not yet pushed. */
  reset(): void {
    this.#pushed.clear()
    this.#drop()
  }

  #drop(): void {
    this.#trends.cancel()
    this.#cancelTurn?.()
    this.#cancelTurn = undefined
    this.#waiting.clear()
    this.#due.clear()
  }

  #pushTurn(): void {
    for (const id of [...this.#due].slice(0, rowsInTurn)) {
      this.#due.delete(id)
      this.#options.push(id)
    }
    this.#cancelTurn = undefined
    if (this.#due.size === 0) return
    this.#cancelTurn = this.#options.clock.after(turnSpacingMs, () => this.#pushTurn())
  }
}

/** At most four pushes a second, because rules and events may change with every value. */
const alertSpacingMs = 250
/** The compared value and the hold time of a rule change with every value. */
const progressSpacingMs = 1_000

/** Pushes the alerts while the window is visible. */
export class AlertPushes {
  readonly #changes: Throttle
  readonly #progress: Throttle
  #isWatched = false

  constructor(
    { clock, alertDocuments }: Pick<PageSources, 'clock' | 'alertDocuments'>,
    batcher: Pick<Batcher, 'listsChanged' | 'stateChanged'>,
  ) {
    this.#changes = new Throttle({
      clock,
      spacingMs: alertSpacingMs,
      // On the next turn, so that other listeners of the change have finished.
      first: 'nextTurn',
      run: () => {
        batcher.stateChanged(alertDocuments())
        batcher.listsChanged()
      },
    })
    this.#progress = new Throttle({
      clock,
      spacingMs: progressSpacingMs,
      first: 'afterSpacing',
      run: () => batcher.listsChanged(),
    })
  }

  changed(): void {
    if (this.#isWatched) this.#changes.request()
  }

  /** Call when rules have seen a value. Their progress may have changed even if nothing fired. */
  valueSeen(): void {
    if (this.#isWatched) this.#progress.request()
  }

  /** A window that becomes visible asks for a snapshot itself. */
  watch(isWatched: boolean): void {
    this.#isWatched = isWatched
    if (isWatched) return
    this.#changes.cancel()
    this.#progress.cancel()
  }
}
