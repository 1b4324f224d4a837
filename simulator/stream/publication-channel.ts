import type { RequestedResolution } from '../../core/model'
import type { WireStream } from '../../protocol/wire'
import { findIndex } from '../catalogue'
import type { IndexDefinition } from '../index-definition'
import type { Publications, PublishedValue } from '../publications'
import { isWithin, resolutionOf } from '../schedule'
import type { Channel, ChannelRefusal } from './channel'
import type { Client } from './client'
import type { Command } from './command'

/** What defines a channel with a message for every value of an index. */
export interface PublicationStream {
  readonly stream: WireStream
  /** Whether a subscription may request every tick (spec 2.1); other channels ignore the field. */
  readonly hasResolution: boolean
  offers(index: IndexDefinition): boolean
  /** The message for a value. */
  frame(index: IndexDefinition, published: PublishedValue): string
}

/** The subscribers of an index and their resolutions. */
interface Subscribers {
  readonly index: IndexDefinition
  readonly clients: Map<Client, RequestedResolution>
}

/** A channel that sends the most recent value of an index at once, then each one as it is published (spec 4.1, 6). */
export class PublicationChannel implements Channel {
  readonly stream: WireStream
  readonly #kind: PublicationStream
  readonly #publications: Publications
  readonly #nowMs: () => number
  readonly #subscribers = new Map<string, Subscribers>()

  /** `nowMs` is the time of the market. */
  constructor(kind: PublicationStream, publications: Publications, nowMs: () => number) {
    this.stream = kind.stream
    this.#kind = kind
    this.#publications = publications
    this.#nowMs = nowMs
  }

  /** The indices with a subscriber. */
  get subscribedIndices(): IndexDefinition[] {
    return [...this.#subscribers.values()].map(({ index }) => index)
  }

  subscribe(client: Client, { id, maxResolution = 'PER_SECOND' }: Command): ChannelRefusal | undefined {
    const index = typeof id === 'string' ? findIndex(id) : undefined
    if (index === undefined) return 'Unrecognised id'
    if (!this.#kind.offers(index)) return 'Stream not available for this id'
    const resolution = this.#kind.hasResolution ? maxResolution : 'PER_SECOND'
    if (resolution !== 'PER_SECOND' && resolution !== 'PER_200MS') return 'Invalid maxResolution'
    const subscribers = this.#subscribers.get(index.id) ?? { index, clients: new Map<Client, RequestedResolution>() }
    this.#subscribers.set(index.id, subscribers)
    subscribers.clients.set(client, resolution)
    client.publish(Buffer.from(this.#kind.frame(index, this.#publications.latest(index, this.#nowMs(), resolution))))
    return undefined
  }

  unsubscribe(client: Client, { id }: Command): ChannelRefusal | undefined {
    if (typeof id !== 'string' || findIndex(id) === undefined) return 'Unrecognised id'
    this.#remove(client, id)
    return undefined
  }

  forget(client: Client): void {
    for (const id of this.#subscribers.keys()) this.#remove(client, id)
  }

  stepMs(): number | undefined {
    if (this.#subscribers.size === 0) return undefined
    return [...this.#subscribers.values()].some(wantsEveryTick) ? 200 : 1_000
  }

  advance(afterMs: number, untilMs: number): void {
    for (const subscribers of this.#subscribers.values()) {
      const resolution = wantsEveryTick(subscribers) ? 'PER_200MS' : 'PER_SECOND'
      const published = this.#publications.between(subscribers.index, afterMs, untilMs, resolution)
      for (const value of published) this.#send(subscribers, value)
    }
  }

  /** Sends a value to the subscribers whose resolution includes its time. */
  publish(index: IndexDefinition, published: PublishedValue): void {
    const subscribers = this.#subscribers.get(index.id)
    if (subscribers !== undefined) this.#send(subscribers, published)
  }

  #send({ index, clients }: Subscribers, published: PublishedValue): void {
    // Encoded once for all clients.
    const frame = Buffer.from(this.#kind.frame(index, published))
    for (const [client, resolution] of clients) if (isWithin(published.time, resolution)) client.publish(frame)
  }

  #remove(client: Client, id: string): void {
    const subscribers = this.#subscribers.get(id)
    subscribers?.clients.delete(client)
    if (subscribers?.clients.size === 0) this.#subscribers.delete(id)
  }
}

/** Whether a client wants every tick of an index that has more than one a second. */
function wantsEveryTick({ index, clients }: Subscribers): boolean {
  return resolutionOf(index.schedule) === 'PER_200MS' && [...clients.values()].includes('PER_200MS')
}
