import type { Client } from './client'
import type { Command } from './command'

/** Why a subscription is refused (spec 2.6). */
export const unrecognisedId = 'Unrecognised id'
/** The id is known, but has no such channel: a basket has no corporate action. */
export const unavailable = 'Stream not available for this id'

/**
 * One channel of the WebSocket interface, such as `value`. A further one is one more file with a class of this shape,
 * or with a `PublicationStream` where there is a message per value, named in the list in `channels.ts`.
 */
export interface Channel {
  /** Its name in the field `stream`. */
  readonly stream: string
  /** Sends the latest at once and what follows from then on; answers why not, if not. */
  subscribe(client: Client, command: Command): string | undefined
  /** Ends a subscription without a word; answers why not, if not. */
  unsubscribe(client: Client, command: Command): string | undefined
  /** The client is gone. */
  forget(client: Client): void
  /** How often there is something to send; `undefined` while nobody listens. */
  stepMs(): number | undefined
  /** Sends what was published after `afterMs` and until `untilMs`. */
  advance(afterMs: number, untilMs: number): void
}
