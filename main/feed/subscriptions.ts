import type { IndexId, RequestedResolution, WatchlistEntry } from '../../protocol/model'
import type { ClientMessage, SubscribeRequest, UnsubscribeRequest } from '../../protocol/wire'

export type Subscriptions = ReadonlyMap<IndexId, RequestedResolution>

/** What the entries of all lists ask for: each id once; every tick wins over one a second. */
export function wantedSubscriptions(entries: readonly WatchlistEntry[]): Map<IndexId, RequestedResolution> {
  const wanted = new Map<IndexId, RequestedResolution>()
  for (const { id, maxResolution } of entries) {
    if (wanted.get(id) !== 'PER_200MS') wanted.set(id, maxResolution)
  }
  return wanted
}

/**
 * The messages that turn `sent` into `wanted` (spec 2.1, 2.3). There is no message to change a resolution: such an id is
 * left and joined again. An id of `refused` is not asked for again, and there is nothing to leave.
 */
export function subscriptionMessages(
  sent: Subscriptions,
  wanted: Subscriptions,
  refused: ReadonlySet<IndexId>,
): ClientMessage[] {
  const leaving: ClientMessage[] = []
  const joining: ClientMessage[] = []
  for (const [id, resolution] of sent) {
    if (wanted.get(id) !== resolution && !refused.has(id)) leaving.push(unsubscribe(id))
  }
  for (const [id, resolution] of wanted) {
    if (sent.get(id) !== resolution && !refused.has(id)) joining.push(subscribe(id, resolution))
  }
  return [...leaving, ...joining]
}

/** One a second is the service's default and goes unsaid: servers older than the parameter understand that too. */
function subscribe(id: IndexId, resolution: RequestedResolution): SubscribeRequest {
  const request: SubscribeRequest = { type: 'subscribe', stream: 'value', id }
  return resolution === 'PER_200MS' ? { ...request, maxResolution: resolution } : request
}

function unsubscribe(id: IndexId): UnsubscribeRequest {
  return { type: 'unsubscribe', stream: 'value', id }
}
