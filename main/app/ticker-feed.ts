/** What reaches the ticker: of all that the window is sent, what the ticker shows. */
import { noAssistants } from '../../protocol/assistants'
import type { WindowState } from '../../protocol/desktop'
import { formulaParts } from '../../core/formula-id'
import { tickerList } from '../../protocol/glance'
import type { IndexId, Settings } from '../../core/model'
import type { AppContext } from '../commands/context'
import { PageFeed, type FeedOptions } from './page-feed'
import { alertDocuments, rowFacts } from './views'

/** Indices publish at the same second: collected, their values are one push and drawn once. */
const collectMs = 250

/** Follows the owners of what the ticker shows. */
export function createTickerFeed(context: AppContext, { send, windowSystem }: FeedOptions): PageFeed {
  const { connections, settings, alerts, judging, dataWatch, appVersion } = context
  let ids: ReadonlySet<IndexId> = new Set()
  // Of a formula its parts too: whether it is stale they say.
  const chosenIds = () => new Set(tickerList(settings.get()).entries.flatMap(({ id }) => [id, ...formulaParts(id)]))
  const catalogue = () => connections.catalogue.filter(({ id }) => ids.has(id))
  const lists = () => ({
    alerts: alerts.views().filter(({ indexId }) => ids.has(indexId)),
    inbox: alerts.inbox().filter(({ indexId, isRead }) => !isRead && ids.has(indexId)),
  })
  const state = (): WindowState => ({
    status: connections.status,
    connections: [],
    settings: tickerSettings(settings.get()),
    catalogue: catalogue(),
    ...lists(),
    ...alertDocuments(alerts),
    missingData: dataWatch.view,
    judging: judging.view,
    toolCalls: [],
    assistants: noAssistants,
    spreadsheets: { hasToken: false },
    notices: [],
    unsaved: null,
    away: null,
    secretsKept: {},
    awaitingKeyring: [],
    ...windowSystem,
    appVersion,
  })
  const shown = {
    settle: () => {
      ids = chosenIds()
    },
    has: (id: IndexId) => ids.has(id),
    rows: () => [...ids].map((id) => rowFacts(context, id)),
    lists,
    state,
  }
  const feed = new PageFeed(context, shown, { send, collectMs })
  connections.events.on('statusChanged', () => feed.push({ status: connections.status }))
  connections.events.on('catalogueChanged', () => feed.push({ catalogue: catalogue() }))
  settings.events.on('changed', (changed) => {
    const chosen = chosenIds()
    // What it shows from now on it has not been sent.
    if (chosen.size !== ids.size || [...chosen].some((id) => !ids.has(id))) feed.resync()
    else feed.push({ settings: tickerSettings(changed) })
  })
  return feed
}

/** The preferences, and as the one list what the ticker shows: connections and lists are no business of its page. */
function tickerSettings(settings: Settings): Settings {
  return { ...settings, profiles: [], watchlists: [tickerList(settings)] }
}
