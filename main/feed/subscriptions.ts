import { streams } from '../../core/model'
import type { IndexId, RequestedResolution, Stream, Subscription } from '../../core/model'
import type { ClientMessage, SubscribeRequest } from '../../protocol/wire'

/** What is asked for of each index, stream by stream. A stream without a choice of resolutions has the default one. */
export type Subscriptions = Readonly<Record<Stream, ReadonlyMap<IndexId, RequestedResolution>>>

/** The indices that the service refused, stream by stream; it may refuse thousands, one after the other. */
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

/** What all askers want together: each stream of an index once; every tick wins over one a second. */
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

/** The refusals of what is still wanted: what left the list and comes back is asked for again. */
export function refusalsWithin(refusals: Refusals, wanted: Subscriptions): Refusals {
  return byStream((stream) => new Set([...refusals[stream]].filter((id) => wanted[stream].has(id))))
}

/**
 * The messages that turn `sent` into `wanted` (spec 2.1, 2.2, 2.3). There is no message to change a resolution: such an
 * id is left and joined again. What the service refused is not asked for again, and there is nothing to leave.
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

/** One a second is the service's default and goes unsaid: servers older than the parameter understand that too. */
function subscribe(stream: Stream, id: IndexId, resolution: RequestedResolution): SubscribeRequest {
  const request: SubscribeRequest = { type: 'subscribe', stream, id }
  return resolution === 'PER_200MS' ? { ...request, maxResolution: resolution } : request
}
