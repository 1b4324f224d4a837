import { streams } from '../../core/model'
import type { IndexId, RequestedResolution, Stream, Subscription } from '../../core/model'
import type { ClientMessage, SubscribeRequest } from '../../protocol/wire'

/** The subscriptions of each stream. A stream without resolutions has the default one. */
export type Subscriptions = Readonly<Record<Stream, ReadonlyMap<IndexId, RequestedResolution>>>

/** The refused indices of each stream. A service may refuse thousands one by one. */
export type Refusals = Readonly<Record<Stream, Set<IndexId>>>

function byStream<T>(make: (stream: Stream) => T): Record<Stream, T> {
  return {
    value: make('value'),
    constituents: make('constituents'),
    active_corporate_action: make('active_corporate_action'),
    rti_stats: make('rti_stats'),
  }
}

export const noSubscriptions: Subscriptions = byStream(() => new Map())

export function noRefusals(): Refusals {
  return byStream(() => new Set())
}

/** Merges the wanted subscriptions: each stream of an index once, at its highest wanted resolution. */
export function wantedSubscriptions(list: readonly Subscription[]): Subscriptions {
  const wanted = byStream(() => new Map<IndexId, RequestedResolution>())
  for (const { stream, id, maxResolution } of list) {
    const isEveryTick = stream === 'value' && (maxResolution === 'PER_200MS' || wanted.value.get(id) === 'PER_200MS')
    wanted[stream].set(id, isEveryTick ? 'PER_200MS' : 'PER_SECOND')
  }
  return wanted
}

export function subscriptionCount(subscriptions: Subscriptions | Refusals): number {
  return streams.reduce((count, stream) => count + subscriptions[stream].size, 0)
}

/** The refusals of what is still wanted. An index that left the list and returns is requested again. */
export function refusalsWithin(refusals: Refusals, wanted: Subscriptions): Refusals {
  return byStream((stream) => new Set([...refusals[stream]].filter((id) => wanted[stream].has(id))))
}

/**
 * The messages that turn `sent` into `wanted` (protocol, 2.1 to 2.3). No message changes a resolution, so such an id is
 * unsubscribed and subscribed again. Refused subscriptions are neither requested again nor unsubscribed.
 */
export function subscriptionMessages(sent: Subscriptions, wanted: Subscriptions, refused: Refusals): ClientMessage[] {
  const leaving: ClientMessage[] = []
  const joining: ClientMessage[] = []
  for (const stream of streams) {
    for (const [id, resolution] of sent[stream]) {
      if (wanted[stream].get(id) === resolution || refused[stream].has(id)) continue
      leaving.push({ type: 'unsubscribe', stream, id })
    }
    for (const [id, resolution] of wanted[stream]) {
      if (sent[stream].get(id) === resolution || refused[stream].has(id)) continue
      joining.push(subscribe(stream, id, resolution))
    }
  }
  return [...leaving, ...joining]
}

/** One a second is the service's default and is left out. Servers without the parameter understand that too. */
function subscribe(stream: Stream, id: IndexId, resolution: RequestedResolution): SubscribeRequest {
  const request: SubscribeRequest = { type: 'subscribe', stream, id }
  return resolution === 'PER_200MS' ? { ...request, maxResolution: resolution } : request
}
