import type { Client } from './client'
import type { Command } from './command'

/**
 * One channel of the WebSocket interface, such as `value`. A further one is one more file with a class of this shape,
 * named in the list in `server.ts`.
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
