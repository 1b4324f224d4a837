/** WebSocket messages of the service (protocol, 2), as they are sent. */
import type { RequestedResolution, Stream } from '../core/model'

/** All channels of the service. The app does not use `weight` (protocol, 2.10). */
export type WireStream = Stream | 'weight'

/** Protocol, 2.1. */
export interface SubscribeRequest {
  type: 'subscribe'
  stream: Stream
  id: string
  maxResolution?: RequestedResolution
}

/** Protocol, 2.3. Never acknowledged. */
interface UnsubscribeRequest {
  type: 'unsubscribe'
  stream: Stream
  id: string
}

/** Protocol, 2.11: which streams the key may use. */
interface InfoRequest {
  type: 'info'
}

export type ClientMessage = SubscribeRequest | UnsubscribeRequest | InfoRequest

/** Protocol, 2.4. `time` is a number in every sample and a string in the provider's field table. Both are read. */
export interface ValueMessage {
  type: 'value'
  time: number | string
  id: string
  value: string
  amendTime?: number
  repeatOfPreviousValue?: true
}

/** The subprotocol that announces a key: `cfb`, key id, key secret. The service selects it (protocol, 5). */
export const keySubprotocol = 'cfb'
