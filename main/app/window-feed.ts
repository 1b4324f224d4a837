/** What reaches the window, and when. */
import type { WindowSnapshot, WindowUpdate } from '../../protocol/desktop'
import type { Json } from '../../protocol/json'
import type { IndexId, Resolution } from '../../protocol/model'
import type { AppContext } from '../commands/context'
import type { Clock } from '../base/clock'
import { Throttle } from '../base/throttle'
import { Batcher } from '../ipc/batcher'
import { alertDocuments, allRowFacts, rowFacts, windowState } from './views'

/**
 * Follows the owners of everything the window shows and pushes their changes to it, each as often as a reader can use
 * it. Make it after those who must see a value before the window does.
 */
export class WindowFeed {
  readonly #context: AppContext
  readonly #placesWindows: boolean
  readonly #batcher: Batcher
  readonly #rows: RowPace
  readonly #alerts: AlertPushes

  constructor(
    context: AppContext,
    { send, placesWindows }: { send: (update: Json<WindowUpdate>) => void; placesWindows: boolean },
  ) {
    const { clock, quotes, connections } = context
    this.#context = context
    this.#placesWindows = placesWindows
    this.#batcher = new Batcher({
      clock,
      send,
      ageMs: (id) => quotes.store.ageMs(id),
      lists: () => ({ alerts: context.alerts.views(), inbox: context.alerts.inbox() }),
    })
    this.#rows = new RowPace({
      clock,
      resolutionOf: (id) => connections.resolutionOf(id),
      push: (id) => {
        this.#pushRow(id)
      },
    })
    this.#alerts = new AlertPushes(context, this.#batcher)
    this.#followValues()
    this.#followState()
  }

  /** Everything there is, numbered like the last push. */
  snapshot(): Json<WindowSnapshot> {
    const context = this.#context
    return this.#batcher.snapshot(
      context.quotes.store.all(),
      allRowFacts(context),
      windowState(context, { placesWindows: this.#placesWindows }),
    )
  }

  push(patch: WindowUpdate['state']): void {
    this.#batcher.stateChanged(patch)
  }

  /** Whether the window can be seen: else nothing is pushed. */
  watch(isVisible: boolean): void {
    this.#alerts.watch(isVisible)
    if (isVisible) this.#batcher.resume()
    else this.#batcher.pause()
  }

  /** Much is different, or something is gone, which no push can say: the page asks for a snapshot. */
  resync(): void {
    this.#batcher.resync()
  }

  /** The values of another service follow. */
  restart(): void {
    this.#rows.reset()
    this.#batcher.resync()
  }

  dispose(): void {
    this.#rows.reset()
    this.watch(false)
  }

  #followValues(): void {
    const { connections, quotes, page } = this.#context
    quotes.store.events.on('changed', ({ next }) => {
      this.#alerts.valueSeen()
      this.#batcher.quoteChanged(next)
      this.#rows.valueChanged(next.id)
    })
    quotes.store.events.on('received', ({ id, publication }) => {
      if (id === page.id) this.#batcher.pointPublished({ indexId: id, point: publication })
    })
    connections.events.on('caughtUp', ({ id }) => {
      this.#pushRow(id)
    })
    connections.events.on('dayFetched', ({ id }) => {
      this.#pushRow(id)
    })
    connections.events.on('refusalChanged', (id) => {
      this.#pushRow(id)
    })
    connections.events.on('moved', () => {
      this.resync()
    })
  }

  #followState(): void {
    const { connections, secrets, settings, alerts, dataWatch } = this.#context
    connections.events.on('statusChanged', () => {
      const { status, views } = connections
      this.push({ status, connections: views, secretsKept: secrets.kept() })
    })
    connections.events.on('catalogueChanged', () => {
      this.push({ catalogue: connections.catalogue })
    })
    connections.events.on('toolsChanged', () => {
      const { tools } = connections
      if (tools !== undefined) this.push({ tools })
    })
    settings.events.on('changed', (changed) => {
      this.push({ settings: changed })
    })
    alerts.events.on('changed', () => {
      this.#alerts.changed()
    })
    dataWatch.events.on('changed', (missingData) => {
      this.push({ missingData })
    })
  }

  #pushRow(id: IndexId): void {
    this.#batcher.rowChanged(rowFacts(this.#context, id))
  }
}

/** A trend gains a point a minute; between two points its last one moves. */
const trendSpacingMs = 5_000
const tickingResolutions: ReadonlySet<Resolution | undefined> = new Set(['PER_200MS', 'PER_SECOND', 'PER_MINUTE'])

/**
 * When to push what changes with a row's value, its trend and the reference of its change: at once for the first value
 * and for an index that publishes rarely, else every five seconds.
 */
export class RowPace {
  readonly #resolutionOf: (id: IndexId) => Resolution | undefined
  readonly #push: (id: IndexId) => void
  readonly #pushed = new Set<IndexId>()
  readonly #waiting = new Set<IndexId>()
  readonly #trends: Throttle

  constructor(options: {
    clock: Clock
    resolutionOf: (id: IndexId) => Resolution | undefined
    /** Pushes the row's facts as they are now. */
    push: (id: IndexId) => void
  }) {
    this.#resolutionOf = options.resolutionOf
    this.#push = options.push
    this.#trends = new Throttle({
      clock: options.clock,
      spacingMs: trendSpacingMs,
      first: 'afterSpacing',
      run: () => {
        for (const id of this.#waiting) options.push(id)
        this.#waiting.clear()
      },
    })
  }

  valueChanged(id: IndexId): void {
    const resolution = this.#resolutionOf(id)
    // While it is not known how often the index publishes it has no history.
    if (resolution === undefined) return
    if (!this.#pushed.has(id) || !tickingResolutions.has(resolution)) {
      this.#pushed.add(id)
      this.#push(id)
      return
    }
    this.#waiting.add(id)
    this.#trends.request()
  }

  /** All rows start again. */
  reset(): void {
    this.#trends.cancel()
    this.#pushed.clear()
    this.#waiting.clear()
  }
}

/** At most four pushes a second: rules and events may change with every value. */
const alertSpacingMs = 250
/** What rules compare, and how long they have held, changes with every value. */
const progressSpacingMs = 1_000

/** Pushes the alerts while the window is seen. */
export class AlertPushes {
  readonly #changes: Throttle
  readonly #progress: Throttle
  #isWatched = false

  constructor(
    { clock, alerts }: Pick<AppContext, 'clock' | 'alerts'>,
    batcher: Pick<Batcher, 'listsChanged' | 'stateChanged'>,
  ) {
    this.#changes = new Throttle({
      clock,
      spacingMs: alertSpacingMs,
      run: () => {
        batcher.stateChanged(alertDocuments(alerts))
        batcher.listsChanged()
      },
    })
    this.#progress = new Throttle({
      clock,
      spacingMs: progressSpacingMs,
      first: 'afterSpacing',
      run: () => {
        batcher.listsChanged()
      },
    })
  }

  changed(): void {
    if (this.#isWatched) this.#changes.request()
  }

  /** Rules have seen a value: nothing may have happened, and yet they are further on. */
  valueSeen(): void {
    if (this.#isWatched) this.#progress.request()
  }

  /** Whether anybody sees the window. One that is seen again asks for all there is by itself. */
  watch(isWatched: boolean): void {
    this.#isWatched = isWatched
    if (isWatched) return
    this.#changes.cancel()
    this.#progress.cancel()
  }
}
