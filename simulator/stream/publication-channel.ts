import type { RequestedResolution, Stream } from '../../protocol/model'
import { findIndex } from '../catalogue'
import type { IndexDefinition } from '../index-definition'
import type { Publications, PublishedValue } from '../publications'
import { isWithin, resolutionOf } from '../schedule'
import { unavailable, unrecognisedId, type Channel } from './channel'
import type { Client } from './client'
import type { Command } from './command'

/** What is special about a channel that has a message for every value of an index. */
export interface PublicationStream {
  readonly stream: Stream
  /** Whether a subscription may ask for every tick (spec 2.1); elsewhere the field has no meaning and is not read. */
  readonly hasResolution: boolean
  offers(index: IndexDefinition): boolean
  /** The message for a value. */
  frame(index: IndexDefinition, published: PublishedValue): string
}

/** Who listens to an index and how closely. */
interface Audience {
  readonly index: IndexDefinition
  readonly clients: Map<Client, RequestedResolution>
}

/** A channel that sends the most recent value of an index at once, then each one as it is published (spec 4.1, 6). */
export class PublicationChannel implements Channel {
  readonly stream: Stream
  readonly #kind: PublicationStream
  readonly #publications: Publications
  readonly #nowMs: () => number
  readonly #audiences = new Map<string, Audience>()

  /** `nowMs` is the time of the market. */
  constructor(kind: PublicationStream, publications: Publications, nowMs: () => number) {
    this.stream = kind.stream
    this.#kind = kind
    this.#publications = publications
    this.#nowMs = nowMs
  }

  /** The indices somebody listens to. */
  get heard(): IndexDefinition[] {
    return [...this.#audiences.values()].map(({ index }) => index)
  }

  subscribe(client: Client, { id, maxResolution = 'PER_SECOND' }: Command): string | undefined {
    const index = typeof id === 'string' ? findIndex(id) : undefined
    if (index === undefined) return unrecognisedId
    if (!this.#kind.offers(index)) return unavailable
    const resolution = this.#kind.hasResolution ? maxResolution : 'PER_SECOND'
    if (resolution !== 'PER_SECOND' && resolution !== 'PER_200MS') return 'Invalid maxResolution'
    const audience = this.#audiences.get(index.id) ?? { index, clients: new Map<Client, RequestedResolution>() }
    this.#audiences.set(index.id, audience)
    audience.clients.set(client, resolution)
    client.publish(Buffer.from(this.#kind.frame(index, this.#publications.latest(index, this.#nowMs(), resolution))))
    return undefined
  }

  unsubscribe(client: Client, { id }: Command): string | undefined {
    if (typeof id !== 'string' || findIndex(id) === undefined) return unrecognisedId
    this.#leave(client, id)
    return undefined
  }

  forget(client: Client): void {
    for (const id of this.#audiences.keys()) this.#leave(client, id)
  }

  stepMs(): number | undefined {
    if (this.#audiences.size === 0) return undefined
    return [...this.#audiences.values()].some(hearsEveryTick) ? 200 : 1_000
  }

  advance(afterMs: number, untilMs: number): void {
    for (const audience of this.#audiences.values()) {
      const resolution = hearsEveryTick(audience) ? 'PER_200MS' : 'PER_SECOND'
      const published = this.#publications.between(audience.index, afterMs, untilMs, resolution)
      for (const value of published) this.#send(audience, value)
    }
  }

  /** Sends a value to everybody who hears it by its time. */
  announce(index: IndexDefinition, published: PublishedValue): void {
    const audience = this.#audiences.get(index.id)
    if (audience !== undefined) this.#send(audience, published)
  }

  #send({ index, clients }: Audience, published: PublishedValue): void {
    // Encoded once for all.
    const frame = Buffer.from(this.#kind.frame(index, published))
    for (const [client, resolution] of clients) if (isWithin(published.time, resolution)) client.publish(frame)
  }

  #leave(client: Client, id: string): void {
    const audience = this.#audiences.get(id)
    audience?.clients.delete(client)
    if (audience?.clients.size === 0) this.#audiences.delete(id)
  }
}

/** Whether somebody asked for every tick of an index that has more than one a second. */
function hearsEveryTick({ index, clients }: Audience): boolean {
  return resolutionOf(index.schedule) === 'PER_200MS' && [...clients.values()].includes('PER_200MS')
}
