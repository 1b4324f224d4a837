import { findIndex } from '../catalogue'
import type { IndexDefinition } from '../index-definition'
import { corporateActionAt, corporateActionsBetween, type CorporateActionState } from '../corporate-actions'
import type { Channel, ChannelRefusal } from './channel'
import type { Client } from './client'
import type { Command } from './command'

/** The channel `active_corporate_action` (spec 4.1, 6.4), which real-time tokenized equities have. */
export class CorporateActionChannel implements Channel {
  readonly stream = 'active_corporate_action'
  readonly #seed: number
  readonly #nowMs: () => number
  readonly #subscribers = new Map<IndexDefinition, Set<Client>>()

  /** `nowMs` is the time of the market. */
  constructor(seed: number, nowMs: () => number) {
    this.#seed = seed
    this.#nowMs = nowMs
  }

  subscribe(client: Client, { id }: Command): ChannelRefusal | undefined {
    const index = typeof id === 'string' ? findIndex(id) : undefined
    if (index === undefined) return 'Unrecognised id'
    if (index.isTokenizedEquity !== true) return 'Stream not available for this id'
    const clients = this.#subscribers.get(index) ?? new Set<Client>()
    this.#subscribers.set(index, clients.add(client))
    client.publish(frameOf(index, corporateActionAt(this.#seed, index, this.#nowMs())))
    return undefined
  }

  unsubscribe(client: Client, { id }: Command): ChannelRefusal | undefined {
    const index = typeof id === 'string' ? findIndex(id) : undefined
    if (index === undefined) return 'Unrecognised id'
    this.#remove(client, index)
    return undefined
  }

  forget(client: Client): void {
    for (const index of this.#subscribers.keys()) this.#remove(client, index)
  }

  stepMs(): number | undefined {
    return this.#subscribers.size === 0 ? undefined : 1_000
  }

  advance(afterMs: number, untilMs: number): void {
    for (const [index, clients] of this.#subscribers) {
      for (const state of corporateActionsBetween(this.#seed, index, { afterMs, untilMs })) {
        const frame = frameOf(index, state)
        for (const client of clients) client.publish(frame)
      }
    }
  }

  #remove(client: Client, index: IndexDefinition): void {
    const clients = this.#subscribers.get(index)
    clients?.delete(client)
    if (clients?.size === 0) this.#subscribers.delete(index)
  }
}

function frameOf({ id }: IndexDefinition, { time, action }: CorporateActionState): Buffer {
  return Buffer.from(JSON.stringify({ type: 'active_corporate_action', time, id, action }))
}
