/** What is known of an index, put together for those who watch over rules. */
import { hasData } from '../../protocol/freshness'
import type { IndexId } from '../../protocol/model'
import type { AppContext } from '../commands/context'
import type { WatchedIndex } from '../alerts/data-watch'
import type { OfferedIndex } from '../alerts/reach-watch'
import { listing } from '../connections/overall-status'

type Sources = Pick<AppContext, 'connections' | 'quotes'>

/** What is known of the data of an index. */
export function watchedIndex({ connections, quotes }: Sources, id: IndexId): WatchedIndex {
  const connection = connections.connectionOf(id)?.status.state
  const resolution = connections.resolutionOf(id)
  const quote = quotes.store.get(id)
  const ageMs = quotes.store.ageMs(id)
  return {
    ...(connection !== undefined && { connection }),
    ...(resolution !== undefined && { resolution }),
    ...(quote !== undefined && ageMs !== undefined && { value: { source: quote.source, ageMs } }),
    ...(quote !== undefined && { publishedAtMs: quote.publishedAtMs }),
  }
}

/** What services offer now, by index. A value that comes proves more than any list. */
export function offeredIndices(context: Sources): (id: IndexId) => OfferedIndex {
  const { connections, quotes } = context
  const listed = listing(connections)
  return (id) => {
    const index = listed.index(id)
    const isKnown = hasData(watchedIndex(context, id)) || listed.isKnown(id)
    const refusal = connections.refusal(id)
    const quote = quotes.store.get(id)
    return {
      ...(index !== undefined && { index }),
      ...(isKnown !== undefined && { isKnown }),
      ...(refusal !== undefined && { refusal }),
      ...(quote !== undefined && quote.source !== 'cache' && { receivedMs: quote.publishedAtMs }),
    }
  }
}
