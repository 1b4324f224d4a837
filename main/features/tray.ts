import { serviceIds } from '../../core/formula-id'
import { isStale, staleAfterMs } from '../../core/freshness'
import { muteOf } from '../../core/snoozes'
import { glanceList } from '../../protocol/glance'
import { isStaleIndex, type Owners } from '../access/latest'
import type { DataWatch } from '../alerts/data-watch'
import { trayView, type TrayQuote, type TrayView } from '../desktop/tray-view'

type Sources = Pick<Owners, 'settings' | 'quotes' | 'connections' | 'alerts' | 'judging'> & { dataWatch: DataWatch }

/** What the tray shows, collected from the features. */
export function presentTrayView(sources: Sources, nowMs: number): TrayView {
  const { settings, quotes, connections, alerts, judging, dataWatch } = sources
  const preferences = settings.get()
  const shown = glanceList(preferences).entries.flatMap(({ id }): TrayQuote[] => {
    const quote = quotes.store.get(id)
    return quote === undefined ? [] : [{ ...quote, reference: quotes.pastValues.facts(id).reference }]
  })
  const muted = muteOf(alerts.snoozes())
  const isMuted = muted !== undefined && (muted.untilMs === null || muted.untilMs > nowMs)
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
  return trayView(connections.status, shown, {
    nowMs,
    preferences,
    judging: judging.view,
    unread: alerts.unreadCount(),
    withoutData: dataWatch.view.ruleCount,
    isPaused: connections.isPaused,
    isStale: (id) => isStaleIndex(sources, id),
    mutedUntilMs: isMuted ? muted.untilMs : undefined,
    // Windows cuts the tooltip after 127 characters.
    maxTooltip: process.platform === 'win32' ? 127 : Infinity,
    staleInMs: staleInMs === Infinity ? undefined : staleInMs,
  })
}
