/** What is known of an index, for the alerts' checks of data and validity. */
import { formulaParts } from '../../core/formula-id'
import { hasData } from '../../core/freshness'
import type { IndexId } from '../../core/model'
import type { Owners } from '../access/latest'
import type { WatchedIndex } from '../alerts/data-watch'
import type { OfferedIndex } from '../alerts/reach-watch'
import { listing } from '../connections/overall-status'

type Sources = Pick<Owners, 'connections' | 'quotes'>

/** The data of an index. For a formula, that of its part without data, if there is one. */
export function watchedIndex(sources: Sources, id: IndexId): WatchedIndex {
  const { connections, quotes } = sources
  const parts = formulaParts(id).map((part) => watchedIndex(sources, part))
  const [part] = parts.toSorted((a, b) => Number(hasData(a)) - Number(hasData(b)))
  if (part !== undefined) return part
  const quote = quotes.store.get(id)
  const ageMs = quotes.store.ageMs(id)
  return {
    connection: connections.connectionOf(id)?.status.state,
    resolution: connections.resolutionOf(id),
    value: quote === undefined || ageMs === undefined ? undefined : { source: quote.source, ageMs },
    publishedAtMs: quote?.publishedAtMs,
  }
}

/** What services offer now, by index. A received value counts more than any list. */
export function offeredIndices(context: Sources): (id: IndexId) => OfferedIndex {
  const { connections, quotes } = context
  const listed = listing(connections)
  return (id) => {
    const quote = quotes.store.get(id)
    return {
      index: listed.index(id),
      isKnown: hasData(watchedIndex(context, id)) || listed.isKnown(id),
      refusal: connections.refusal(id),
      receivedMs: quote?.source === 'cache' ? undefined : quote?.publishedAtMs,
    }
  }
}
