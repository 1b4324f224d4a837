import type { Duplex } from 'node:stream'
import type { WebSocket } from 'ws'

/** What a client may leave unread before it is dropped: minutes of every tick of everything. */
const mostUnreadBytes = 4 * 1024 * 1024

/** What becomes of updates on their way to one client. A fault puts another one in its place (`faults/`). */
export type Delivery = (update: Buffer, send: (message: string | Buffer) => void) => void

const faithful: Delivery = (update, send) => {
  send(update)
}

/** One connected client, as the channels see it. */
export class Client {
  readonly #socket: WebSocket
  readonly #line: Duplex
  readonly #log: (line: string) => void
  #delivery = faithful
  #isFrozen = false

  constructor(socket: WebSocket, line: Duplex, log: (line: string) => void) {
    this.#socket = socket
    this.#line = line
    this.#log = log
  }

  /** Sends an update of a channel, given as its UTF-8 bytes. */
  publish(update: Buffer): void {
    this.#delivery(update, (message) => {
      this.send(message)
    })
  }

  /** From now on updates go this way; as they are when none is given. */
  deliverBy(delivery: Delivery = faithful): void {
    this.#delivery = delivery
  }

  /** Sends a text message. A client that does not read what it asked for is cut. */
  send(message: string | Buffer): void {
    if (this.#isFrozen || this.#socket.readyState !== this.#socket.OPEN) return
    if (this.#socket.bufferedAmount > mostUnreadBytes) {
      this.#log('dropped a client that reads too slowly')
      this.drop()
      return
    }
    this.#socket.send(message, { binary: false })
  }

  /** Nothing is sent or read any more, not even a ping, and the line stays open: the other end cannot tell. */
  freeze(): void {
    this.#isFrozen = true
    this.#socket.pause()
  }

  /** Ends the connection with a code and a reason. */
  close(code: number, reason: string): void {
    this.#socket.close(code, reason)
  }

  /** Says goodbye and hangs up without waiting for the answer. */
  leave(code: number, reason: string): void {
    this.#socket.close(code, reason)
    if (this.#line.writableLength > 0) this.drop()
    else
      this.#line.end(() => {
        this.drop()
      })
  }

  /** Cuts the line without a word. */
  drop(): void {
    this.#socket.terminate()
  }
}
