/** The service's WebSocket messages (spec 2, 4.1): what the wire carries, not what the app makes of it. */
import type { RequestedResolution, Stream } from '../core/model'

/** Every channel of the service; the app does not ask for `weight` (wire facts 1.3). */
export type WireStream = Stream | 'weight'

/** Spec 2.1. */
export interface SubscribeRequest {
  type: 'subscribe'
  stream: Stream
  id: string
  maxResolution?: RequestedResolution
}

/** Spec 2.3. Never acknowledged. */
interface UnsubscribeRequest {
  type: 'unsubscribe'
  stream: Stream
  id: string
}

/** Spec 4.1: which streams the key may use. */
interface InfoRequest {
  type: 'info'
}

export type ClientMessage = SubscribeRequest | UnsubscribeRequest | InfoRequest

/** Spec 2.4. `time` is a number in every sample and a string in the field table; both are read. */
export interface ValueMessage {
  type: 'value'
  time: number | string
  id: string
  value: string
  amendTime?: number
  repeatOfPreviousValue?: true
}

/** The subprotocol that says that a key follows, and which the service selects: `cfb`, key id, key secret (wire facts 1.1). */
export const keySubprotocol = 'cfb'
