/** The indices shown at a glance, in the tray and on the ticker, as a list. */
import type { IndexId, Settings, Watchlist } from '../core/model'

const maxUnpinned = 5

function listOf(id: string, name: string, ids: readonly IndexId[]): Watchlist {
  return { id, name, entries: ids.map((each) => ({ id: each, maxResolution: 'PER_SECOND' })) }
}

/** The tray's indices: the pinned ones, or if none are pinned the first of the first list. */
export function glanceList({ pinnedIds, watchlists }: Pick<Settings, 'pinnedIds' | 'watchlists'>): Watchlist {
  if (pinnedIds.length > 0) return listOf('pinned', 'Pinned', pinnedIds)
  const { id = '', name = '', entries = [] } = watchlists[0] ?? {}
  return { id, name, entries: entries.slice(0, maxUnpinned) }
}

/** The ticker's indices: those chosen for it, or if none are chosen the tray's. */
export function tickerList(settings: Pick<Settings, 'pinnedIds' | 'watchlists' | 'tickerIds'>): Watchlist {
  const { tickerIds } = settings
  return tickerIds.length > 0 ? listOf('ticker', 'Ticker', tickerIds) : glanceList(settings)
}
