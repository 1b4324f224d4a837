import type { Client } from './client'
import type { Command } from './command'

/** Why a channel refuses a command (spec 2.6). */
export type ChannelRefusal =
  | 'Unrecognised id'
  /** The id is known but has no such channel: a basket has no corporate action. */
  | 'Stream not available for this id'
  | 'Invalid maxResolution'

/**
 * One channel of the WebSocket interface, such as `value`. A further one is one more file with a class of this shape,
 * or with a `PublicationStream` where there is a message per value, listed in `channels.ts`.
 */
export interface Channel {
  /** Its name in the field `stream`. */
  readonly stream: string
  /** Sends the latest at once and what follows from then on; returns why not if refused. */
  subscribe(client: Client, command: Command): ChannelRefusal | undefined
  /** Ends a subscription without an answer; returns why not if refused. */
  unsubscribe(client: Client, command: Command): ChannelRefusal | undefined
  /** Ends all subscriptions of a client that is gone. */
  forget(client: Client): void
  /** How often there is something to send; `undefined` without subscribers. */
  stepMs(): number | undefined
  /** Sends what was published after `afterMs` and until `untilMs`. */
  advance(afterMs: number, untilMs: number): void
}
