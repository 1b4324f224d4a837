/** What reaches the window: everything there is. */
import type { AppContext } from '../commands/context'
import { PageFeed, type FeedOptions } from './page-feed'
import { allRowFacts, windowState } from './views'

/** Follows the owners of everything the window shows. */
export function createWindowFeed(context: AppContext, { send, windowSystem }: FeedOptions): PageFeed {
  const {
    connections,
    quotes,
    chart,
    secrets,
    profiles,
    settings,
    alerts,
    absence,
    assistants,
    spreadsheets,
    toolCalls,
    unsaved,
    updates,
  } = context
  const shown = {
    has: () => true,
    rows: () => allRowFacts(context),
    lists: () => ({ alerts: alerts.views(), inbox: alerts.inbox() }),
    state: () => windowState(context, windowSystem),
  }
  const feed = new PageFeed(context, shown, { send })
  quotes.store.events.on('received', ({ id, publication }) => {
    if (chart.follows(id)) feed.pushPoint({ indexId: id, point: publication })
  })
  connections.events.on('statusChanged', () => {
    const { status, views } = connections
    feed.push({ status, connections: views })
  })
  secrets.events.on('changed', () => feed.push({ secretsKept: secrets.kept() }))
  profiles.events.on('awaitingKeyring', () => feed.push({ awaitingKeyring: profiles.awaitingKeyring }))
  connections.events.on('catalogueChanged', () => feed.push({ catalogue: connections.catalogue }))
  connections.events.on('toolsChanged', () => {
    const { tools } = connections
    if (tools !== undefined) feed.push({ tools })
  })
  settings.events.on('changed', (changed) => feed.push({ settings: changed }))
  absence.events.on('changed', () => feed.push({ away: absence.view }))
  assistants.events.on('changed', (view) => feed.push({ assistants: view }))
  spreadsheets.events.on('changed', (view) => feed.push({ spreadsheets: view }))
  toolCalls.events.on('changed', (calls) => feed.push({ toolCalls: [...calls] }))
  unsaved.events.on('changed', (view) => feed.push({ unsaved: view }))
  updates?.events.on('changed', (update) => feed.push({ update }))
  return feed
}
