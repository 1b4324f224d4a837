import type { RequestedResolution } from '../../core/model'
import type { WireStream } from '../../protocol/wire'
import { findIndex } from '../catalogue'
import type { IndexDefinition } from '../index-definition'
import { isWithin, resolutionOf } from '../schedule'
import type { Client } from './client'
import type { Command } from './command'

/** Why a channel refuses a command (protocol, 2.6). */
export type ChannelRefusal =
  | 'Unrecognised id'
  /** The id is known but lacks this channel. For example, a basket has no corporate action. */
  | 'Stream not available for this id'
  | 'Invalid maxResolution'

/** The message about an index at a time. */
interface Published {
  readonly time: number
}

/** The definition of a channel. Add others as further values of this shape, listed in `channels.ts`. */
export interface ChannelKind<P extends Published> {
  /** Its name in the field `stream`. */
  readonly stream: WireStream
  /** Whether a subscription may request every tick (protocol, 2.1). Other channels ignore the field. */
  readonly hasResolution?: boolean
  offers(index: IndexDefinition): boolean
  latest(index: IndexDefinition, nowMs: number, resolution: RequestedResolution): P
  /** Messages published after `afterMs`, up to and including `untilMs`, ascending. */
  between(index: IndexDefinition, afterMs: number, untilMs: number, resolution: RequestedResolution): readonly P[]
  message(index: IndexDefinition, published: P): object
}

/** The subscribers of an index and their resolutions. */
type Subscribers = Map<Client, RequestedResolution>

/**
 * A channel of the WebSocket interface. Sends the latest message of an index at once, then each one when it is
 * published (protocol, 4.1 and 6).
 */
export class Channel<P extends Published = Published> {
  readonly stream: WireStream
  readonly #kind: ChannelKind<P>
  readonly #nowMs: () => number
  readonly #subscribers = new Map<IndexDefinition, Subscribers>()

  /** `nowMs` is the time of the market. */
  constructor(kind: ChannelKind<P>, nowMs: () => number) {
    this.stream = kind.stream
    this.#kind = kind
    this.#nowMs = nowMs
  }

  /** The indices with a subscriber. */
  get subscribedIndices(): IndexDefinition[] {
    return [...this.#subscribers.keys()]
  }

  /** Returns the reason if refused. */
  subscribe(client: Client, { id, maxResolution = 'PER_SECOND' }: Command): ChannelRefusal | undefined {
    const index = indexNamed(id)
    if (index === undefined) return 'Unrecognised id'
    if (!this.#kind.offers(index)) return 'Stream not available for this id'
    const resolution = this.#kind.hasResolution === true ? maxResolution : 'PER_SECOND'
    if (resolution !== 'PER_SECOND' && resolution !== 'PER_200MS') return 'Invalid maxResolution'
    const subscribers: Subscribers = this.#subscribers.get(index) ?? new Map()
    this.#subscribers.set(index, subscribers.set(client, resolution))
    client.publish(this.#frame(index, this.#kind.latest(index, this.#nowMs(), resolution)))
    return undefined
  }

  /** Ends a subscription without an answer. Returns the reason if refused. */
  unsubscribe(client: Client, { id }: Command): ChannelRefusal | undefined {
    const index = indexNamed(id)
    if (index === undefined) return 'Unrecognised id'
    this.#remove(client, index)
    return undefined
  }

  /** Ends all subscriptions of a disconnected client. */
  forget(client: Client): void {
    for (const index of this.#subscribers.keys()) this.#remove(client, index)
  }

  /** Interval at which messages may be due, in ms. Undefined without subscribers. */
  stepMs(): number | undefined {
    if (this.#subscribers.size === 0) return undefined
    return [...this.#subscribers].some(([index, clients]) => wantsEveryTick(index, clients)) ? 200 : 1_000
  }

  /** Sends the messages published after `afterMs`, up to and including `untilMs`. */
  advance(afterMs: number, untilMs: number): void {
    for (const [index, clients] of this.#subscribers) {
      const resolution = wantsEveryTick(index, clients) ? 'PER_200MS' : 'PER_SECOND'
      for (const each of this.#kind.between(index, afterMs, untilMs, resolution)) this.publish(index, each)
    }
  }

  /** Sends a message to the subscribers whose resolution includes its time. */
  publish(index: IndexDefinition, published: P): void {
    const clients = this.#subscribers.get(index)
    if (clients === undefined) return
    // Encoded once for all clients.
    const frame = this.#frame(index, published)
    for (const [client, resolution] of clients) if (isWithin(published.time, resolution)) client.publish(frame)
  }

  #frame(index: IndexDefinition, published: P): Buffer {
    return Buffer.from(JSON.stringify(this.#kind.message(index, published)))
  }

  #remove(client: Client, index: IndexDefinition): void {
    const clients = this.#subscribers.get(index)
    clients?.delete(client)
    if (clients?.size === 0) this.#subscribers.delete(index)
  }
}

function indexNamed(id: unknown): IndexDefinition | undefined {
  return typeof id === 'string' ? findIndex(id) : undefined
}

/** Whether a client wants every tick of an index that has more than one a second. */
function wantsEveryTick({ schedule }: IndexDefinition, clients: Subscribers): boolean {
  return resolutionOf(schedule) === 'PER_200MS' && [...clients.values()].includes('PER_200MS')
}
