import type { RowFacts, WindowState } from '../protocol/desktop'
import type { IndexId, Quote, WatchlistEntry } from '../protocol/model'
import type { AlertEngine } from './alerts/engine'
import type { Notices } from './app-notices'
import type { Services } from './app-services'
import type { Values } from './app-values'
import { trayView, type TrayView } from './desktop/tray-view'
import type { Secrets } from './storage/secrets'
import type { SettingsStore } from './storage/settings'

/** The owners of all that is shown. */
export interface Owners {
  settings: SettingsStore
  secrets: Secrets
  values: Values
  alerts: AlertEngine
  services: Services
  notices: Notices
  appVersion: string
}

/** The rows of all lists. */
export function listedEntries(settings: SettingsStore): WatchlistEntry[] {
  return settings.get().watchlists.flatMap((list) => list.entries)
}

/** What the service is asked for: the rows, and what alerts wait for. An alert does not end with its row. */
export function wantedEntries(settings: SettingsStore, alerts: AlertEngine): WatchlistEntry[] {
  const waiting = alerts.views().filter((alert) => alert.phase !== 'triggered')
  const forAlerts = waiting.map(({ indexId }): WatchlistEntry => ({ id: indexId, maxResolution: 'PER_SECOND' }))
  return [...listedEntries(settings), ...forAlerts]
}

export function rowFacts({ services, values }: Owners, id: IndexId): RowFacts {
  const refusal = services.connection?.refusal(id)
  return { id, ...(refusal === undefined ? {} : { refusal }), ...values.history.facts(id) }
}

/** The facts of every row on screen. */
export function allRowFacts(owners: Owners): RowFacts[] {
  const ids = new Set(listedEntries(owners.settings).map((entry) => entry.id))
  return [...ids].map((id) => rowFacts(owners, id))
}

export function windowState({ settings, secrets, alerts, services, notices, appVersion }: Owners): WindowState {
  const secretKept = secrets.kept()
  return {
    status: services.status,
    settings: settings.get(),
    catalogue: services.connection?.catalogue ?? [],
    alerts: alerts.views(),
    inbox: alerts.inbox(),
    notices: notices.all(),
    ...(secretKept === undefined ? {} : { secretKept }),
    appVersion,
  }
}

/** The tray shows the first list. */
export function presentTrayView({ settings, values, services, alerts }: Owners, nowMs: number): TrayView {
  const [first] = settings.get().watchlists
  const quotes = (first?.entries ?? []).flatMap((entry): Quote[] => {
    const quote = values.store.get(entry.id)
    return quote === undefined ? [] : [quote]
  })
  return trayView(services.status, quotes, { unread: alerts.unreadCount(), nowMs })
}
