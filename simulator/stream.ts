import type { WebSocket } from 'ws'
import type { RequestedResolution } from '../protocol/model'
import type { Board } from './board'
import type { CatalogueEntry } from './catalogue'
import type { SimulatorClock } from './clock'
import { readCommand, unknownIdReason } from './commands'
import type { Command } from './commands'
import { failureFrame, infoFrame, valueFrame } from './encode'
import { tickMs } from './publications'
import type { Publications, Published } from './publications'

const stepMs = 200
/** A value reaches its subscribers a little after its calculation time (wire facts 1.3). */
const publicationDelayMs = 40
/** After a longer pause of this process, what was missed is not sent in one burst. */
const longestCatchUpMs = 10_000
/** A client that reads so much slower than it is sent to is dropped. */
const mostBufferedBytes = 4 << 20

/** A connected client and the resolution of each index it is subscribed to. */
interface Client {
  readonly socket: WebSocket
  readonly resolutions: Map<string, RequestedResolution>
}

/**
 * The `value` channel (spec 2.1, 2.3, 2.4, 6) for all clients, on one timer. A frame is made once for all who get it,
 * and only for indices that somebody is subscribed to.
 */
export class Stream {
  readonly #board: Board
  readonly #publications: Publications
  readonly #clock: SimulatorClock
  readonly #log: (line: string) => void
  readonly #clients = new Set<Client>()
  readonly #subscribers = new Map<string, Set<Client>>()
  #sentUpToMs: number
  #cancelTick: () => void = () => undefined

  constructor(options: {
    board: Board
    publications: Publications
    clock: SimulatorClock
    log: (line: string) => void
  }) {
    this.#board = options.board
    this.#publications = options.publications
    this.#clock = options.clock
    this.#log = options.log
    this.#sentUpToMs = this.#dueMs()
    this.#scheduleTick()
  }

  accept(socket: WebSocket): void {
    const client: Client = { socket, resolutions: new Map() }
    this.#clients.add(client)
    socket.on('message', (data: Buffer, isBinary) => {
      this.#onMessage(client, isBinary ? '' : data.toString('utf8'))
    })
    // What is wrong with a frame ends the connection; ws does that by itself.
    socket.on('error', (error) => {
      this.#log(`a client sent a broken frame: ${error.message}`)
    })
    socket.on('close', () => {
      this.#clients.delete(client)
      for (const subscribers of this.#subscribers.values()) subscribers.delete(client)
    })
  }

  /** Sends a value that was published by hand. */
  publish(entry: CatalogueEntry, published: Published): void {
    this.#send(entry, published)
  }

  /** Sends a text to every client as it is. */
  sendRaw(text: string): void {
    for (const { socket } of this.#clients) socket.send(text)
  }

  dispose(): void {
    this.#cancelTick()
  }

  #onMessage(client: Client, text: string): void {
    const read = readCommand(text)
    switch (read.kind) {
      case 'command':
        this.#run(client, read.command)
        return
      case 'failed':
        client.socket.send(failureFrame(read.echo, read.reason))
        return
      case 'unreadable':
        this.#log(`a client sent something that is no command: ${JSON.stringify(text.slice(0, 80))}`)
    }
  }

  #run(client: Client, command: Command): void {
    switch (command.kind) {
      case 'info':
        client.socket.send(infoFrame(this.#board.entries))
        return
      case 'subscribe':
        this.#subscribe(client, command.id, command.resolution)
        return
      case 'unsubscribe':
        client.resolutions.delete(command.id)
        this.#subscribers.get(command.id)?.delete(client)
    }
  }

  #subscribe(client: Client, id: string, resolution: RequestedResolution): void {
    const entry = this.#board.find(id)
    if (entry === undefined) {
      client.socket.send(failureFrame({ type: 'subscribe', id, stream: 'value' }, unknownIdReason))
      return
    }
    client.resolutions.set(id, resolution)
    const subscribers = this.#subscribers.get(id) ?? new Set()
    this.#subscribers.set(id, subscribers.add(client))
    const latest = this.#board.latest(entry, this.#sentUpToMs, resolution)
    if (latest !== undefined) client.socket.send(valueFrame(id, latest))
  }

  /** The last tick that is due to be sent. */
  #dueMs(): number {
    return Math.floor((this.#clock.nowMs() - publicationDelayMs) / stepMs) * stepMs
  }

  #scheduleTick(): void {
    const waitMs = this.#sentUpToMs + stepMs + publicationDelayMs - this.#clock.nowMs()
    this.#cancelTick = this.#clock.after(Math.max(0, waitMs), () => {
      this.#sendDue()
      this.#scheduleTick()
    })
  }

  #sendDue(): void {
    const dueMs = this.#dueMs()
    this.#sentUpToMs = Math.max(this.#sentUpToMs, dueMs - longestCatchUpMs)
    while (this.#sentUpToMs < dueMs) {
      this.#sentUpToMs += stepMs
      this.#sendTick(this.#sentUpToMs)
    }
  }

  #sendTick(timeMs: number): void {
    for (const [id, subscribers] of this.#subscribers) {
      const entry = subscribers.size > 0 && !this.#board.isByHand(id) ? this.#board.find(id) : undefined
      if (entry === undefined) continue
      if (this.#isPublished(entry, timeMs)) this.#send(entry, this.#publications.at(entry, timeMs, timeMs))
      const amendment = this.#publications.amendmentAt(entry, timeMs)
      if (amendment !== undefined) this.#send(entry, amendment)
    }
  }

  #isPublished(entry: CatalogueEntry, timeMs: number): boolean {
    if (entry.fixing === undefined) return timeMs % tickMs(entry) === 0
    // Fixings are on the hour: the calendar is asked once an hour.
    return timeMs % 3_600_000 === 0 && this.#publications.latestTime(entry, timeMs, 'PER_SECOND') === timeMs
  }

  #send(entry: CatalogueEntry, published: Published): void {
    const frame = valueFrame(entry.id, published)
    const isOnSecond = published.time % 1_000 === 0
    for (const client of this.#subscribers.get(entry.id) ?? []) {
      if (!isOnSecond && client.resolutions.get(entry.id) !== 'PER_200MS') continue
      if (client.socket.bufferedAmount > mostBufferedBytes) client.socket.terminate()
      else client.socket.send(frame)
    }
  }
}
