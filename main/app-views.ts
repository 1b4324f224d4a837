import type { RowFacts, WindowState } from '../protocol/desktop'
import type { IndexId, Quote, Subscription, WatchlistEntry } from '../protocol/model'
import type { AlertEngine } from './alerts/engine'
import { alertSubscriptions } from './app-alert-subscriptions'
import type { Diagnosis } from './app-diagnosis'
import type { Notices } from './app-notices'
import type { Profiles } from './app-profiles'
import type { Services } from './app-services'
import type { Values } from './app-values'
import type { Clock } from './base/clock'
import type { ChartSource } from './chart/chart-source'
import { trayView, type TrayView } from './desktop/tray-view'
import type { ConstituentBases } from './index-page/constituent-bases'
import type { IndexPage } from './index-page/index-page'
import { pageSubscriptions } from './index-page/page-subscriptions'
import type { Secrets } from './storage/secrets'
import type { SettingsStore } from './storage/settings'

/** The owners of all that is shown. */
export interface Owners {
  settings: SettingsStore
  secrets: Secrets
  values: Values
  alerts: AlertEngine
  services: Services
  profiles: Profiles
  page: IndexPage
  chart: ChartSource
  bases: ConstituentBases
  notices: Notices
  diagnosis: Diagnosis
  clock: Clock
  appVersion: string
}

/** The rows of all lists. */
export function listedEntries(settings: SettingsStore): WatchlistEntry[] {
  return settings.get().watchlists.flatMap((list) => list.entries)
}

/**
 * What the service is asked for: the rows, what is pinned, what alerts wait for, and the open page. Neither a pin nor an
 * alert ends with its row.
 */
export function wantedSubscriptions({ settings, alerts, services, page }: Owners): Subscription[] {
  return [
    ...listedEntries(settings).map((entry): Subscription => ({ stream: 'value', ...entry })),
    ...settings.get().pinnedIds.map((id): Subscription => ({ stream: 'value', id, maxResolution: 'PER_SECOND' })),
    ...alertSubscriptions(alerts.listening(), (id) => services.resolutionOf(id)),
    ...(page.id === undefined ? [] : pageSubscriptions(page.id, services.resolutionOf(page.id))),
  ]
}

export function rowFacts({ services, values }: Owners, id: IndexId): RowFacts {
  const refusal = services.refusal(id)
  return { id, ...(refusal === undefined ? {} : { refusal }), ...values.history.facts(id) }
}

/** The facts of every row on screen, of what alerts wait for, and of the open page. */
export function allRowFacts(owners: Owners): RowFacts[] {
  const ids = new Set(listedEntries(owners.settings).map((entry) => entry.id))
  for (const { indexId } of owners.alerts.views()) ids.add(indexId)
  if (owners.page.id !== undefined) ids.add(owners.page.id)
  return [...ids].map((id) => rowFacts(owners, id))
}

export function windowState(owners: Owners): WindowState {
  const { settings, secrets, alerts, services, page, notices, appVersion } = owners
  const { tools } = services
  const opened = page.view()
  return {
    status: services.status,
    connections: services.views,
    settings: settings.get(),
    catalogue: services.catalogue,
    alerts: alerts.views(),
    inbox: alerts.inbox(),
    unreadCount: alerts.unreadCount(),
    snoozes: alerts.snoozes(),
    notices: notices.all(),
    ...(tools === undefined ? {} : { tools }),
    ...(opened === undefined ? {} : { opened }),
    secretsKept: secrets.kept(),
    appVersion,
  }
}

/** The tray shows what is pinned, all of it; while nothing is, the first list. */
export function presentTrayView({ settings, values, services, alerts }: Owners, nowMs: number): TrayView {
  const { pinnedIds, watchlists, timeZone } = settings.get()
  const ids = pinnedIds.length > 0 ? pinnedIds : (watchlists[0]?.entries ?? []).map(({ id }) => id)
  const quotes = ids.flatMap((id): Quote[] => {
    const quote = values.store.get(id)
    return quote === undefined ? [] : [quote]
  })
  const mostValues = pinnedIds.length > 0 ? { mostValues: pinnedIds.length } : {}
  const muted = alerts.snoozes().find(({ scope }) => scope.of === 'all')
  const isMuted = muted !== undefined && (muted.untilMs === null || muted.untilMs > nowMs)
  const mute = isMuted ? { mutedUntilMs: muted.untilMs } : {}
  return trayView(services.status, quotes, { unread: alerts.unreadCount(), nowMs, timeZone, ...mostValues, ...mute })
}
