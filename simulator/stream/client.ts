import type { Duplex } from 'node:stream'
import type { WebSocket } from 'ws'

/** Unread data at which a client is dropped. It equals minutes of every tick of every index. */
const maxUnreadBytes = 4 * 1024 * 1024

/** How updates reach one client. Faults replace it (`faults/`). */
export type Delivery = (update: Buffer, send: (message: string | Buffer) => void) => void

const unchanged: Delivery = (update, send) => send(update)

/** One connected client. */
export class Client {
  readonly #socket: WebSocket
  readonly #tcp: Duplex
  readonly #log: (line: string) => void
  #delivery = unchanged
  #isFrozen = false

  constructor(socket: WebSocket, tcp: Duplex, log: (line: string) => void) {
    this.#socket = socket
    this.#tcp = tcp
    this.#log = log
  }

  /** Sends an update of a channel, given as its UTF-8 bytes. */
  publish(update: Buffer): void {
    this.#delivery(update, (message) => this.send(message))
  }

  /** Sets how updates are delivered from now on. Default: unchanged. */
  deliverBy(delivery: Delivery = unchanged): void {
    this.#delivery = delivery
  }

  /** Sends a text message. A client that does not read is cut. */
  send(message: string | Buffer): void {
    if (this.#isFrozen || this.#socket.readyState !== this.#socket.OPEN) return
    if (this.#socket.bufferedAmount > maxUnreadBytes) {
      this.#log('Dropped a client that reads too slowly.')
      this.drop()
      return
    }
    this.#socket.send(message, { binary: false })
  }

  /** Stops sending and reading, including pings, and keeps the connection open. The other end cannot notice. */
  freeze(): void {
    this.#isFrozen = true
    this.#socket.pause()
  }

  /** Closes the connection with a code and a reason. */
  close(code: number, reason: string): void {
    this.#socket.close(code, reason)
  }

  /** Sends a close frame and disconnects without waiting for the answer. */
  closeAtOnce(code: number, reason: string): void {
    this.#socket.close(code, reason)
    if (this.#tcp.writableLength > 0) this.drop()
    else this.#tcp.end(() => this.drop())
  }

  /** Disconnects without a close frame. */
  drop(): void {
    this.#socket.terminate()
  }
}
