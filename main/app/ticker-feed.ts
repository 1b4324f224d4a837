/** What reaches the ticker, and when: of all that the window is sent, what the ticker shows. */
import type { WindowSnapshot, WindowState, WindowUpdate } from '../../protocol/desktop'
import type { Json } from '../../protocol/json'
import type { IndexId, Settings } from '../../protocol/model'
import type { AppContext } from '../commands/context'
import { Batcher } from '../ipc/batcher'
import { alertDocuments, glanceList, rowFacts } from './views'
import { AlertPushes, RowPace } from './window-feed'

/** Indices publish at the same second: collected, their values are one push and drawn once. */
const collectMs = 250

/** Follows the owners of what the ticker shows, as `WindowFeed` does for the window. */
export class TickerFeed {
  readonly #context: AppContext
  readonly #placesWindows: boolean
  readonly #batcher: Batcher
  readonly #rows: RowPace
  readonly #alerts: AlertPushes
  #ids: ReadonlySet<IndexId> = new Set()

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
      lists: () => this.#lists(),
      collectMs,
    })
    this.#rows = new RowPace({
      clock,
      resolutionOf: (id) => connections.resolutionOf(id),
      push: (id) => {
        this.#pushRow(id)
      },
    })
    this.#alerts = new AlertPushes(context, this.#batcher)
    this.#follow()
  }

  snapshot(): Json<WindowSnapshot> {
    const { quotes } = this.#context
    this.#ids = new Set(this.#shownIds())
    const shown = quotes.store.all().filter(({ id }) => this.#ids.has(id))
    return this.#batcher.snapshot(
      shown,
      [...this.#ids].map((id) => rowFacts(this.#context, id)),
      this.#state(),
    )
  }

  /** Whether the ticker can be seen: else nothing is pushed. */
  watch(isVisible: boolean): void {
    this.#alerts.watch(isVisible)
    if (isVisible) this.#batcher.resume()
    else this.#batcher.pause()
  }

  /** Much is different: the page asks for a snapshot. */
  resync(): void {
    this.#rows.reset()
    this.#batcher.resync()
  }

  dispose(): void {
    this.#rows.reset()
    this.watch(false)
  }

  #follow(): void {
    const { connections, quotes, settings, alerts, dataWatch } = this.#context
    quotes.store.events.on('changed', ({ next }) => {
      if (!this.#ids.has(next.id)) return
      this.#alerts.valueSeen()
      this.#batcher.quoteChanged(next)
      this.#rows.valueChanged(next.id)
    })
    const pushRow = (id: IndexId) => {
      if (this.#ids.has(id)) this.#pushRow(id)
    }
    connections.events.on('caughtUp', ({ id }) => {
      pushRow(id)
    })
    connections.events.on('dayFetched', ({ id }) => {
      pushRow(id)
    })
    connections.events.on('refusalChanged', pushRow)
    connections.events.on('moved', () => {
      this.resync()
    })
    connections.events.on('statusChanged', () => {
      this.#batcher.stateChanged({ status: connections.status })
    })
    connections.events.on('catalogueChanged', () => {
      this.#batcher.stateChanged({ catalogue: this.#state().catalogue })
    })
    settings.events.on('changed', (changed) => {
      const ids = this.#shownIds()
      // What it shows from now on it has not been sent.
      if (ids.length !== this.#ids.size || ids.some((id) => !this.#ids.has(id))) this.resync()
      else this.#batcher.stateChanged({ settings: tickerSettings(changed) })
    })
    alerts.events.on('changed', () => {
      this.#alerts.changed()
    })
    dataWatch.events.on('changed', (missingData) => {
      this.#batcher.stateChanged({ missingData })
    })
  }

  #shownIds(): IndexId[] {
    return glanceList(this.#context.settings.get()).entries.map(({ id }) => id)
  }

  #pushRow(id: IndexId): void {
    this.#batcher.rowChanged(rowFacts(this.#context, id))
  }

  #lists(): Pick<WindowState, 'alerts' | 'inbox'> {
    const { alerts } = this.#context
    return {
      alerts: alerts.views().filter(({ indexId }) => this.#ids.has(indexId)),
      inbox: alerts.inbox().filter(({ indexId, isRead }) => !isRead && this.#ids.has(indexId)),
    }
  }

  #state(): WindowState {
    const { settings, connections, alerts, dataWatch, appVersion } = this.#context
    return {
      status: connections.status,
      connections: [],
      settings: tickerSettings(settings.get()),
      catalogue: connections.catalogue.filter(({ id }) => this.#ids.has(id)),
      ...this.#lists(),
      ...alertDocuments(alerts),
      missingData: dataWatch.view,
      notices: [],
      secretsKept: {},
      placesWindows: this.#placesWindows,
      appVersion,
    }
  }
}

/** The preferences, and as the one list what the ticker shows: connections and lists are no business of its page. */
function tickerSettings(settings: Settings): Settings {
  return { ...settings, profiles: [], watchlists: [glanceList(settings)] }
}
