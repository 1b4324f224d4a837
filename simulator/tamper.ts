import type { IncomingMessage } from 'node:http'
import type { Duplex } from 'node:stream'
import type { WebSocket } from 'ws'
import type { Key } from './key'
import { Client } from './stream/client'
import type { Command } from './stream/command'

/** A message of the stream, or an answer of REST, as the object that it is. */
export type Message = Readonly<Record<string, unknown>>

/** What goes wrong on one WebSocket connection. */
export interface LineTamper {
  /** What is obeyed in the place of a command; `undefined` for nothing. `say` sends a message past `sent`. */
  heard?: (command: Command, say: (message: Message) => void) => Command | undefined
  /** What goes out in the place of a message. */
  sent?: (message: Message) => readonly Message[]
}

/** An answer of REST. */
export interface Reply {
  readonly status: number
  readonly body: Message
}

/**
 * A deliberate violation of the spec, by which the conformance suite is itself checked: a suite that still passes is
 * blind. Neither the command nor the app has a way to ask for one.
 */
export interface Tamper {
  /** Changes a request or a handshake, of any interface, before it is judged. */
  request?: (request: IncomingMessage, key: Key) => void
  /** What is answered in the place of a REST answer; `path` begins with a slash and has the query with it. */
  reply?: (path: string, reply: Reply) => Reply
  /** What is answered in the place of an answer of the assistant tools, a JSON-RPC message. */
  rpc?: (answer: Message) => Message
  /** Called once for each connection, so that it can keep what it has seen. */
  line?: () => LineTamper
}

/** A client whose connection is tampered with. */
export class TamperedClient extends Client {
  readonly #tamper: LineTamper

  constructor(socket: WebSocket, line: Duplex, log: (line: string) => void, tamper: LineTamper) {
    super(socket, line, log)
    this.#tamper = tamper
  }

  /** What is obeyed in the place of a command. */
  hear(command: Command): Command | undefined {
    const say = (message: Message) => {
      super.send(JSON.stringify(message))
    }
    return this.#tamper.heard === undefined ? command : this.#tamper.heard(command, say)
  }

  override send(message: string | Buffer): void {
    const { sent } = this.#tamper
    if (sent === undefined) super.send(message)
    else for (const other of sent(JSON.parse(message.toString()) as Message)) super.send(JSON.stringify(other))
  }
}
