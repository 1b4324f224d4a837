import type {
  ConnectionState,
  IndexId,
  Publication,
  RequestedResolution,
  Resolution,
  WatchlistEntry,
} from '../../protocol/model'
import type { ClientMessage } from '../../protocol/wire'
import type { Clock } from '../base/clock'
import type { Counters } from '../base/counters'
import { Emitter } from '../base/emitter'
import { redactor } from '../base/log'
import type { Log } from '../base/log'
import type { Random } from '../base/random'
import { readWords } from '../base/untrusted-text'
import { Connection } from './connection'
import { decodeFrame } from './decode'
import { DropWatch } from './drop-watch'
import type { FeedEndpoint } from './socket'
import { subscriptionMessages, wantedSubscriptions } from './subscriptions'
import { feedTiming } from './timing'
import type { FeedTiming } from './timing'

export interface FeedStatus {
  state: ConnectionState
  /** One plain sentence on what is wrong; absent while all is well. */
  problem?: string
  /** Time until the next attempt; absent when none is planned. */
  retryInMs?: number
  /** Streams subscribed on the present connection. */
  streamCount: number
}

export interface FeedEvents {
  published: { id: IndexId; publication: Publication }
  /** The service refused to stream this id and says why. */
  refused: { id: IndexId; reason: string }
  streamsListed: { id: IndexId; maxResolution: Resolution }[]
  statusChanged: FeedStatus
  /** Connected and everything wanted asked for: the moment to take a REST snapshot. */
  wentLive: null
}

/**
 * The stream as the app sees it: say what is wanted, hear what is published. Connections come and go underneath; after
 * each, everything wanted is asked for again (spec 4.1). Counts `feed.dropped` (unreadable), `feed.unknownTypes`,
 * `feed.unwanted` (values of an index that is not subscribed) and `feed.failedCommands`.
 */
export class FeedSession {
  readonly events: Emitter<FeedEvents>
  readonly #connection: Connection
  readonly #log: Log
  readonly #counters: Counters
  readonly #dropWatch: DropWatch
  readonly #redact: (text: string) => string
  #wanted: ReadonlyMap<IndexId, RequestedResolution> = new Map()
  #sent: ReadonlyMap<IndexId, RequestedResolution> = new Map()
  /** Ids of `#sent` that the service refused. */
  #refused = new Set<IndexId>()

  constructor(options: {
    endpoint: FeedEndpoint
    clock: Clock
    random: Random
    log: Log
    counters: Counters
    timing?: Partial<FeedTiming>
  }) {
    const { endpoint, clock, random, log, counters } = options
    this.#log = log
    this.#counters = counters
    this.#dropWatch = new DropWatch(clock, log)
    this.#redact = redactor(() => [endpoint.keySecret])
    this.events = new Emitter((error) => {
      log.error('A listener of the feed failed', { error: String(error) })
    })
    this.#connection = new Connection({
      endpoint,
      clock,
      random,
      log,
      timing: { ...feedTiming, ...options.timing },
      listener: {
        opened: () => {
          this.#onOpened()
        },
        message: (text) => {
          this.#onMessage(text)
        },
        stateChanged: () => {
          this.#onStateChanged()
        },
      },
    })
  }

  /**
   * Takes the full list of what is wanted; the service is told the difference. An id it refused is asked for again once
   * it has left the list and come back, or on a new connection.
   */
  setWanted(entries: readonly WatchlistEntry[]): void {
    this.#wanted = wantedSubscriptions(entries)
    if (this.#connection.state !== 'live') return
    this.#sendWanted()
    this.#emitStatus()
  }

  start(): void {
    this.#connection.connect()
  }

  /** Connects anew at once: after "not authorised", instead of waiting, or when the network has changed. */
  reconnect(): void {
    this.#connection.connect()
  }

  dispose(): void {
    this.#connection.dispose()
  }

  status(): FeedStatus {
    const { state, problem, retryInMs } = this.#connection
    return {
      state,
      ...(problem === undefined ? {} : { problem }),
      ...(retryInMs === undefined ? {} : { retryInMs }),
      streamCount: this.#sent.size - this.#refused.size,
    }
  }

  #onOpened(): void {
    this.#send({ type: 'info' })
    this.#sendWanted()
    this.#emitStatus()
    this.events.emit('wentLive', null)
  }

  #onStateChanged(): void {
    this.#sent = new Map()
    this.#refused = new Set()
    this.#emitStatus()
  }

  #sendWanted(): void {
    for (const message of subscriptionMessages(this.#sent, this.#wanted, this.#refused)) this.#send(message)
    this.#sent = this.#wanted
    this.#refused = new Set([...this.#refused].filter((id) => this.#wanted.has(id)))
  }

  #send(message: ClientMessage): void {
    this.#connection.send(JSON.stringify(message))
  }

  #emitStatus(): void {
    this.events.emit('statusChanged', this.status())
  }

  #onMessage(text: string | undefined): void {
    const frame = decodeFrame(text)
    switch (frame.kind) {
      case 'value':
        if (this.#sent.has(frame.id)) this.events.emit('published', { id: frame.id, publication: frame.publication })
        else this.#counters.add('feed.unwanted')
        break
      case 'refused':
        this.#onRefused(frame.id, frame.reason)
        break
      case 'failedCommand':
        this.#counters.add('feed.failedCommands')
        this.#log.warn('The service says that a command failed', { command: frame.command, reason: frame.reason })
        break
      case 'streams':
        if (frame.unreadable > 0) this.#noteDropped('streams', text, frame.unreadable)
        this.events.emit('streamsListed', frame.streams)
        break
      case 'acknowledged':
        break
      case 'unknownType':
        this.#counters.add('feed.unknownTypes')
        this.#log.info('Message of an unknown type', { type: frame.type })
        break
      case 'unreadable':
        this.#noteDropped(frame.fault, text)
        break
    }
  }

  #onRefused(id: IndexId, serviceReason: string): void {
    if (!this.#sent.has(id)) {
      this.#counters.add('feed.unwanted')
      return
    }
    // The key goes first: cut in half it would no longer be recognised.
    const reason = readWords(this.#redact(serviceReason))
    this.#log.warn('The service refused an index', { id, reason })
    this.#refused.add(id)
    this.events.emit('refused', { id, reason })
    this.#emitStatus()
  }

  #noteDropped(fault: string, text = '', count = 1): void {
    this.#counters.add('feed.dropped', count)
    this.#dropWatch.note(fault, text)
  }
}
