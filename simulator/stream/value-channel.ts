import type { RequestedResolution } from '../../protocol/model'
import { findIndex, type IndexDefinition } from '../catalogue'
import type { Publications, PublishedValue } from '../publications'
import { isWithin, resolutionOf } from '../schedule'
import type { Channel } from './channel'
import type { Client } from './client'
import type { Command } from './command'

/** A value update message (spec 2.4), its keys in the order in which the production service writes them. */
export function valueFrame(id: string, { time, value, ...flags }: PublishedValue): string {
  return JSON.stringify({ type: 'value', time, id, value, ...flags })
}

/** Who listens to an index and how closely. */
interface Audience {
  readonly index: IndexDefinition
  readonly clients: Map<Client, RequestedResolution>
}

/** The channel `value` (spec 2.1, 2.3, 2.4, 6). */
export class ValueChannel implements Channel {
  readonly stream = 'value'
  readonly #publications: Publications
  readonly #nowMs: () => number
  readonly #audiences = new Map<string, Audience>()

  constructor(publications: Publications, nowMs: () => number) {
    this.#publications = publications
    this.#nowMs = nowMs
  }

  subscribe(client: Client, { id, maxResolution = 'PER_SECOND' }: Command): string | undefined {
    const index = typeof id === 'string' ? findIndex(id) : undefined
    if (index === undefined) return 'Unrecognised id'
    if (maxResolution !== 'PER_SECOND' && maxResolution !== 'PER_200MS') return 'Unrecognised maxResolution'
    const audience = this.#audiences.get(index.id) ?? { index, clients: new Map<Client, RequestedResolution>() }
    this.#audiences.set(index.id, audience)
    audience.clients.set(client, maxResolution)
    client.send(valueFrame(index.id, this.#publications.latest(index, this.#nowMs(), maxResolution)))
    return undefined
  }

  unsubscribe(client: Client, { id }: Command): string | undefined {
    if (typeof id !== 'string' || findIndex(id) === undefined) return 'Unrecognised id'
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
    const frame = Buffer.from(valueFrame(index.id, published))
    for (const [client, resolution] of clients) if (isWithin(published.time, resolution)) client.send(frame)
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
