/** The service's WebSocket messages (spec sections 2, 4.1, 6). What the wire carries, not what the app makes of it. */
import type { RequestedResolution, Stream } from './model'

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

/** Spec 2.5. `divisor` and `exchanges` come with exchange-family indices alone. */
export interface ConstituentsMessage {
  type: 'constituents'
  time: number | string
  id: string
  value: string
  divisor?: string
  amendTime?: number
  repeatOfPreviousValue?: true
  constituents: {
    constituent: string
    value: string
    weightPercent: string
    exchanges?: { exchange: string; weightPercent: string }[]
  }[]
}

/** Beyond the spec (wire facts 1.3); the last four only where the index is set up for market conditions. */
export interface RtiStatsMessage extends Omit<ValueMessage, 'type'> {
  type: 'rti_stats'
  utilizedDepth?: string
  valueAsk?: string
  valueBid?: string
  midPrice?: string
}

/** Beyond the spec (wire facts 1.3). */
export interface WeightMessage {
  type: 'weight'
  id: string
  time?: number | string
  weights: Record<string, { weightPercent: string }>
}

/**
 * Spec 4.1, 6; its payload is not shown there, so this shape is our own (docs/decisions/0007-where-the-spec-is-silent.md).
 * `action` is null while none is active; its fields are shown as they come.
 */
export interface CorporateActionMessage {
  type: 'active_corporate_action'
  time: number | string
  id: string
  action: Record<string, unknown> | null
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
  streams: { id: string; maxResolution?: string }[]
}

export type ServerMessage =
  | ValueMessage
  | ConstituentsMessage
  | RtiStatsMessage
  | WeightMessage
  | CorporateActionMessage
  | FailedCommandMessage
  | InfoMessage

/** Subprotocol by which a browser presents its key: `cfb`, key id, key secret (wire facts 1.1). */
export const keySubprotocol = 'cfb'
