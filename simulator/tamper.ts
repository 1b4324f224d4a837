import type { IncomingMessage } from 'node:http'
import type { Duplex } from 'node:stream'
import type { WebSocket } from 'ws'
import type { Key } from './key'
import { Client } from './stream/client'
import type { Command } from './stream/command'

/** A stream message or REST response as a parsed object. */
export type Message = Readonly<Record<string, unknown>>

/** Changes to the traffic of one WebSocket connection. */
export interface ConnectionTamper {
  /** Returns the command to execute instead, or undefined for none. `send` sends a message that skips `sent`. */
  received?: (command: Command, send: (message: Message) => void) => Command | undefined
  /** Returns the messages to send instead. */
  sent?: (message: Message) => readonly Message[]
}

/** A REST response. */
export interface Reply {
  readonly status: number
  readonly body: Message
}

/**
 * A deliberate violation of the protocol that the conformance suite must detect. Neither the command nor the app can
 * enable one.
 */
export interface Tamper {
  /** Changes a request or a handshake of any interface before it is handled. */
  request?: (request: IncomingMessage, key: Key) => void
  /** Returns the REST response to send instead. `path` begins with a slash and includes the query. */
  reply?: (path: string, reply: Reply) => Reply
  /** Returns the JSON-RPC message of the assistant tools to send instead. */
  rpc?: (response: Message) => Message
  /** Called once for each connection, so that it can keep state. */
  connection?: () => ConnectionTamper
}

/** A client whose connection is tampered with. */
export class TamperedClient extends Client {
  readonly #tamper: ConnectionTamper

  constructor(socket: WebSocket, tcp: Duplex, log: (line: string) => void, tamper: ConnectionTamper) {
    super(socket, tcp, log)
    this.#tamper = tamper
  }

  /** The command to execute instead of this one. Undefined for none. */
  receive(command: Command): Command | undefined {
    const send = (message: Message) => super.send(JSON.stringify(message))
    return this.#tamper.received === undefined ? command : this.#tamper.received(command, send)
  }

  override send(message: string | Buffer): void {
    const { sent } = this.#tamper
    if (sent === undefined) super.send(message)
    else for (const changed of sent(JSON.parse(message.toString()) as Message)) super.send(JSON.stringify(changed))
  }
}
