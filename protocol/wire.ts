/** The service's WebSocket messages (spec sections 2, 4.1, 6). What the wire carries, not what the app makes of it. */
import type { RequestedResolution } from './model'

/** Channels of this version (spec 2.1, 2.2; further ones exist on the service). */
export const streams = ['value', 'constituents'] as const
export type Stream = (typeof streams)[number]

/** Spec 2.1. */
export interface SubscribeRequest {
  type: 'subscribe'
  stream: Stream
  id: string
  maxResolution?: RequestedResolution
}

/** Spec 2.3. Never acknowledged. */
export interface UnsubscribeRequest {
  type: 'unsubscribe'
  stream: Stream
  id: string
}

/** Spec 4.1: which streams the key may use. */
export interface InfoRequest {
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

/** Spec 2.6; older servers echo any failed command the same way (wire facts 1.2). */
export interface FailedCommandMessage {
  type: 'subscribe' | 'unsubscribe' | 'info'
  id?: string
  stream?: string
  success: false
  reason: string
}

/** Spec 4.1. */
export interface InfoMessage {
  type: 'info'
  streams: { id: string; maxResolution: string }[]
}

export type ServerMessage = ValueMessage | FailedCommandMessage | InfoMessage

/** Subprotocol by which a browser presents its key: `cfb`, key id, key secret (wire facts 1.1). */
export const keySubprotocol = 'cfb'
