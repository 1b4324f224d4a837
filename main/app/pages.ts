/** The window shows everything, the ticker a part of it. */
import { noAssistants } from '../../protocol/assistants'
import type { WindowState, WindowUpdate } from '../../protocol/desktop'
import { tickerList } from '../../protocol/glance'
import type { Json } from '../../protocol/json'
import { formulaParts } from '../../core/formula-id'
import type { IndexId, Settings } from '../../core/model'
import { listedEntries } from '../features/lists'
import { PageFeed, type PageSources } from './page-feed'

type Send = (update: Json<WindowUpdate>) => void

interface Opened {
  page: { id?: IndexId | undefined }
  chart: { follows: (id: IndexId) => boolean }
}

/** Rows are those of the lists, the alerts and the open page. Pushes each received value of the indices in charts. */
export function createWindowFeed(sources: PageSources, { page, chart }: Opened, send: Send): PageFeed {
  const rowIds = () => {
    const listed = listedEntries(sources.settings.get()).map(({ id }) => id)
    return new Set([...listed, ...sources.alerts.indexIds(), ...(page.id === undefined ? [] : [page.id])])
  }
  const feed = new PageFeed(sources, { has: () => true, rowIds, cut: (state) => state }, { send })
  sources.store.events.on('received', ({ id, publication }) => {
    if (chart.follows(id)) feed.pushPoint({ indexId: id, point: publication })
  })
  return feed
}

/** Indices publish at the same second. Collected, their values are one push and are drawn once. */
const collectMs = 250

/** Parts of the state that the ticker's page does not get. */
const withheld = {
  connections: [],
  tools: undefined,
  toolCalls: [],
  assistants: noAssistants,
  spreadsheets: { hasToken: false },
  notices: [],
  unsaved: null,
  away: null,
  latePastVersion: 0,
  opened: undefined,
  secretsKept: {},
  awaitingKeyring: [],
  update: undefined,
} satisfies Partial<WindowState>

/** The feed of the ticker. Call `settingsChanged` after each change of the settings. */
export function createTickerFeed(sources: PageSources, send: Send) {
  let ids: ReadonlySet<IndexId> = new Set()
  // Includes the parts of formulas, which decide whether a formula is stale.
  const chosenIds = () =>
    new Set(tickerList(sources.settings.get()).entries.flatMap(({ id }) => [id, ...formulaParts(id)]))
  const cut = <State extends Partial<WindowState>>(state: State): State => {
    const shown = { ...state }
    for (const name in shown)
      if (name in withheld) Object.assign(shown, { [name]: withheld[name as keyof typeof withheld] })
    if (shown.settings) shown.settings = tickerSettings(shown.settings)
    if (shown.catalogue) shown.catalogue = shown.catalogue.filter(({ id }) => ids.has(id))
    if (shown.alerts) shown.alerts = shown.alerts.filter(({ indexId }) => ids.has(indexId))
    if (shown.inbox) shown.inbox = shown.inbox.filter(({ indexId, isRead }) => !isRead && ids.has(indexId))
    return shown
  }
  const shown = { settle: () => (ids = chosenIds()), has: (id: IndexId) => ids.has(id), rowIds: () => ids, cut }
  // Nothing is pushed for withheld parts.
  const slices = sources.slices.filter(({ now }) => !Object.keys(now()).every((name) => name in withheld))
  const feed = new PageFeed({ ...sources, slices }, shown, { send, collectMs })
  return {
    feed,
    settingsChanged(changed: Settings) {
      const chosen = chosenIds()
      // The ticker does not have the newly chosen indices yet.
      if (chosen.size !== ids.size || [...chosen].some((id) => !ids.has(id))) feed.resync()
      else feed.push({ settings: changed })
    },
  }
}

/** Preferences, with the ticker's indices as the only list. */
function tickerSettings(settings: Settings): Settings {
  return { ...settings, profiles: [], webhooks: [], watchlists: [tickerList(settings)] }
}
