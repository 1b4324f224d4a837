import type {
  ConnectionState,
  ConstituentsPublication,
  CorporateAction,
  IndexId,
  MarketConditions,
  Publication,
  Resolution,
  Stream,
  Subscription,
} from '../../core/model'
import type { ClientMessage } from '../../protocol/wire'
import type { Clock } from '../base/clock'
import { redactor, type Counters, type Log } from '../base/log'
import { Emitter } from '../base/emitter'
import { sanitizeText } from '../base/sanitize'
import { Connection, feedTiming, type FeedTiming } from './connection'
import { decodeFrame, type Frame } from './decode'
import { DropWatch } from './drop-watch'
import { Quarantine } from './quarantine'
import type { FeedEndpoint } from './socket'
import {
  noRefusals,
  noSubscriptions,
  refusalsWithin,
  subscriptionCount,
  subscriptionMessages,
  wantedSubscriptions,
  type Refusals,
  type Subscriptions,
} from './subscriptions'

export interface FeedStatus {
  state: ConnectionState
  /** One sentence on the problem. Undefined if there is none. */
  problem?: string
  /** Time until the next attempt. Undefined if none is planned. */
  retryInMs?: number
  /** Streams subscribed on the current connection. */
  streamCount: number
  /** Number of unreadable messages while they continue. Undefined otherwise. */
  unreadableCount?: number
}

export interface FeedEvents {
  published: { id: IndexId; publication: Publication }
  /** `leftOut` is the number of constituents beyond the limit. */
  constituentsPublished: { id: IndexId; publication: ConstituentsPublication; leftOut: number }
  conditionsPublished: { id: IndexId; publication: MarketConditions }
  /** `action` is null if none is active. */
  corporateActionPublished: { id: IndexId; publishedAtMs: number; action: CorporateAction | null }
  /** The service refused this subscription, or the app no longer requests it because it broke the connection. */
  refused: { stream: Stream; id: IndexId; reason: string }
  streamsListed: { id: IndexId; maxResolution: Resolution }[]
  statusChanged: FeedStatus
  /** Connected and subscribed to everything wanted. The REST snapshot follows. */
  wentLive: null
}

const tooLargeReason =
  'Skipped until the next start: its messages exceeded 4 MB three times and dropped the whole connection.'

type OtherPublished = Extract<Frame, { kind: keyof typeof streamOf }>

/** The stream of a message. */
const streamOf = {
  constituents: 'constituents',
  conditions: 'rti_stats',
  corporateAction: 'active_corporate_action',
} as const satisfies Record<string, Stream>

/**
 * The stream as the app uses it: set what is wanted, receive what is published. After each reconnect everything wanted
 * is subscribed again (protocol, 4.1). Counts `feed.dropped` (unreadable), `feed.unknownTypes`, `feed.unwanted` (not
 * subscribed) and `feed.failedCommands`.
 */
export class FeedSession {
  readonly events: Emitter<FeedEvents>
  readonly #connection: Connection
  readonly #log: Log
  readonly #counters: Counters
  readonly #dropWatch: DropWatch
  readonly #redact: (text: string) => string
  readonly #quarantine = new Quarantine()
  #wanted: Subscriptions = noSubscriptions
  #sent: Subscriptions = noSubscriptions
  /** The part of `#sent` that the service refused. */
  #refused: Refusals = noRefusals()

  constructor(options: {
    endpoint: FeedEndpoint
    clock: Clock
    random: () => number
    log: Log
    counters: Counters
    timing?: Partial<FeedTiming>
  }) {
    const { endpoint, clock, random, log, counters } = options
    this.#log = log
    this.#counters = counters
    this.#dropWatch = new DropWatch({ clock, log, onChange: () => this.#emitStatus() })
    this.#redact = redactor(() => [endpoint.keySecret])
    this.events = new Emitter((error) => log.error('A listener of the feed failed', { error: String(error) }))
    this.#connection = new Connection({
      endpoint,
      clock,
      random,
      log,
      timing: { ...feedTiming, ...options.timing },
      listener: {
        opened: () => this.#onOpened(),
        message: (text) => this.#onMessage(text),
        ended: ({ kind }) => this.#quarantine.ended(kind === 'tooLarge'),
        stateChanged: () => this.#onStateChanged(),
      },
    })
  }

  /**
   * Takes the full list of what is wanted and sends the difference. A refused subscription is retried on a new
   * connection, or after it has left the list and returned.
   */
  setWanted(subscriptions: readonly Subscription[]): void {
    this.#wanted = wantedSubscriptions(subscriptions)
    if (this.#connection.state !== 'live') return
    const { streamCount } = this.status()
    this.#sendWanted()
    // Every connection is called when one of them has something new, so most calls change nothing.
    if (this.status().streamCount !== streamCount) this.#emitStatus()
  }

  /** Connects or reconnects now: after "not authorised", instead of waiting, or after a network change. */
  connect(): void {
    this.#connection.connect()
  }

  dispose(): void {
    this.#dropWatch.dispose()
    this.#connection.dispose()
  }

  status(): FeedStatus {
    const { state, problem, retryInMs } = this.#connection
    const unreadableCount = this.#dropWatch.persistentCount
    return {
      state,
      problem,
      retryInMs,
      streamCount: subscriptionCount(this.#sent) - subscriptionCount(this.#refused),
      unreadableCount,
    }
  }

  #onOpened(): void {
    this.#send({ type: 'info' })
    this.#sendWanted()
    this.#emitStatus()
    this.events.emit('wentLive', null)
  }

  #onStateChanged(): void {
    this.#sent = noSubscriptions
    this.#refused = noRefusals()
    this.#emitStatus()
  }

  #sendWanted(): void {
    const stream = 'constituents'
    const isNewlyLeftOut = (id: IndexId) => this.#wanted[stream].has(id) && !this.#refused[stream].has(id)
    const leftOut = [...this.#quarantine.leftOut].filter(isNewlyLeftOut)
    for (const id of leftOut) this.#refused[stream].add(id)
    for (const message of subscriptionMessages(this.#sent, this.#wanted, this.#refused)) this.#send(message)
    this.#sent = this.#wanted
    this.#refused = refusalsWithin(this.#refused, this.#wanted)
    for (const id of leftOut) this.events.emit('refused', { stream, id, reason: tooLargeReason })
  }

  #send(message: ClientMessage): void {
    this.#connection.send(JSON.stringify(message))
    this.#quarantine.sent(message)
  }

  #emitStatus(): void {
    this.events.emit('statusChanged', this.status())
  }

  #onMessage(text: string | undefined): void {
    const frame = decodeFrame(text)
    switch (frame.kind) {
      case 'value':
        if (this.#sent.value.has(frame.id)) {
          this.events.emit('published', { id: frame.id, publication: frame.publication })
        } else this.#counters.add('feed.unwanted')
        break
      case 'refused':
        this.#onRefused(frame)
        break
      case 'failedCommand':
        this.#counters.add('feed.failedCommands')
        this.#log.warn('The provider says that a command failed', { command: frame.command, reason: frame.reason })
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
        if (frame.constituentsOf !== undefined) this.#quarantine.answered(frame.constituentsOf)
        this.#noteDropped(frame.fault, text)
        break
      default:
        this.#onPublished(frame)
    }
  }

  #onPublished(frame: OtherPublished): void {
    if (!this.#sent[streamOf[frame.kind]].has(frame.id)) {
      this.#counters.add('feed.unwanted')
      return
    }
    switch (frame.kind) {
      case 'constituents':
        this.#quarantine.answered(frame.id)
        this.events.emit('constituentsPublished', frame)
        break
      case 'conditions':
        this.events.emit('conditionsPublished', frame)
        break
      case 'corporateAction':
        this.events.emit('corporateActionPublished', frame)
        break
    }
  }

  #onRefused({ stream, id, reason: serviceReason }: Extract<Frame, { kind: 'refused' }>): void {
    if (!this.#sent[stream].has(id)) {
      this.#counters.add('feed.unwanted')
      return
    }
    // The key is removed first: a truncated key would not be recognised.
    const reason = sanitizeText(this.#redact(serviceReason))
    this.#log.warn('The provider refused a subscription', { stream, id, reason })
    if (stream === 'constituents') this.#quarantine.answered(id)
    this.#refused[stream].add(id)
    this.events.emit('refused', { stream, id, reason })
    this.#emitStatus()
  }

  #noteDropped(fault: string, text = '', count = 1): void {
    this.#counters.add('feed.dropped', count)
    this.#dropWatch.note(fault, text, count)
  }
}
