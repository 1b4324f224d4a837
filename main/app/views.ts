/** What the window and the tray show, gathered from its owners. */
import type { RowFacts, WindowState, WindowSystem } from '../../protocol/desktop'
import { serviceIds } from '../../core/formula-id'
import { isStale, staleAfterMs } from '../../core/freshness'
import { glanceList } from '../../protocol/glance'
import type { IndexId, Quote, WatchlistEntry } from '../../core/model'
import { muteOf } from '../../core/snoozes'
import { isStaleIndex } from '../access/latest'
import type { AppContext } from '../commands/context'
import { trayView, type TrayView } from '../desktop/tray-view'

/** The rows of all lists. */
export function listedEntries(settings: AppContext['settings']): WatchlistEntry[] {
  return settings.get().watchlists.flatMap((list) => list.entries)
}

/** What is shown somewhere by its own id, in a list or not: what is pinned, and what the ticker shows while it is open. */
export function glanceIds(settings: AppContext['settings']): IndexId[] {
  const { pinnedIds, tickerIds, showsTicker } = settings.get()
  return showsTicker ? [...pinnedIds, ...tickerIds] : pinnedIds
}

export function rowFacts({ connections, quotes, formulas }: AppContext, id: IndexId): RowFacts {
  const refusal = connections.refusal(id)
  const noValue = formulas.noValue(id)
  return {
    id,
    ...(refusal !== undefined && { refusal }),
    ...(noValue !== undefined && { noValue }),
    ...quotes.history.facts(id),
  }
}

/** The facts of every row on screen, of what alerts wait for, and of the open page. */
export function allRowFacts(context: AppContext): RowFacts[] {
  const ids = new Set(listedEntries(context.settings).map((entry) => entry.id))
  for (const id of context.alerts.indexIds()) ids.add(id)
  if (context.page.id !== undefined) ids.add(context.page.id)
  return [...ids].map((id) => rowFacts(context, id))
}

/** The small parts of the alerts, which are sent whole. */
export function alertDocuments(
  alerts: AppContext['alerts'],
): Pick<WindowState, 'unreadCount' | 'olderEventsVersion' | 'snoozes'> {
  return {
    unreadCount: alerts.unreadCount(),
    olderEventsVersion: alerts.olderEventsVersion(),
    snoozes: alerts.snoozes(),
  }
}

export function windowState(context: AppContext, windowSystem: WindowSystem): WindowState {
  const { settings, secrets, alerts, judging, dataWatch, connections, page, notices, unsaved, absence, updates } =
    context
  const { appVersion } = context
  const { tools } = connections
  const { assistants, spreadsheets, toolCalls, profiles } = context
  const opened = page.view()
  return {
    status: connections.status,
    connections: connections.views,
    settings: settings.get(),
    catalogue: connections.catalogue,
    alerts: alerts.views(),
    inbox: alerts.inbox(),
    ...alertDocuments(alerts),
    missingData: dataWatch.view,
    judging: judging.view,
    notices: notices.all(),
    unsaved: unsaved.view,
    away: absence.view,
    ...(tools === undefined ? {} : { tools }),
    toolCalls: [...toolCalls.view],
    assistants: assistants.view,
    spreadsheets: spreadsheets.view,
    ...(opened === undefined ? {} : { opened }),
    secretsKept: secrets.kept(),
    awaitingKeyring: profiles.awaitingKeyring,
    ...windowSystem,
    appVersion,
    ...(updates !== undefined && { update: updates.state }),
  }
}

export function presentTrayView(
  context: Pick<AppContext, 'settings' | 'quotes' | 'connections' | 'alerts' | 'judging' | 'dataWatch'>,
  nowMs: number,
): TrayView {
  const { settings, quotes, connections, alerts, judging, dataWatch } = context
  const preferences = settings.get()
  const { timeZone, grouping } = preferences
  const shown = glanceList(preferences).entries.flatMap(({ id }): Quote[] => {
    const quote = quotes.store.get(id)
    return quote === undefined ? [] : [quote]
  })
  const muted = muteOf(alerts.snoozes())
  const isMuted = muted !== undefined && (muted.untilMs === null || muted.untilMs > nowMs)
  const mute = isMuted ? { mutedUntilMs: muted.untilMs } : {}
  const counts = { unread: alerts.unreadCount(), withoutData: dataWatch.view.ruleCount, isPaused: connections.isPaused }
  // Windows keeps 127 characters of it and cuts the rest off, wherever that is.
  const room = process.platform === 'win32' ? { maxTooltip: 127 } : {}
  const staleInMs = Math.min(
    ...shown
      .flatMap(({ id }) => serviceIds(id))
      .flatMap((id) => {
        const [ageMs, resolution] = [quotes.store.ageMs(id), connections.resolutionOf(id)]
        return ageMs === undefined || resolution === undefined || isStale(ageMs, resolution)
          ? []
          : [staleAfterMs(resolution) - ageMs]
      }),
  )
  const view = trayView(connections.status, shown, {
    ...room,
    ...counts,
    nowMs,
    judging: judging.view,
    ticker: preferences,
    timeZone,
    grouping,
    isStale: (id) => isStaleIndex(context, id),
    ...mute,
  })
  return { ...view, ...(staleInMs !== Infinity && { staleInMs }) }
}
