import { findIndex } from '../catalogue'
import type { IndexDefinition } from '../index-definition'
import { corporateActionAt, corporateActionsBetween, type CorporateActionState } from '../corporate-actions'
import { unavailable, unrecognisedId, type Channel } from './channel'
import type { Client } from './client'
import type { Command } from './command'

/** The channel `active_corporate_action` (spec 4.1, 6.4): tokenized equities of type rti have it. */
export class CorporateActionChannel implements Channel {
  readonly stream = 'active_corporate_action'
  readonly #seed: number
  readonly #nowMs: () => number
  readonly #audiences = new Map<IndexDefinition, Set<Client>>()

  /** `nowMs` is the time of the market. */
  constructor(seed: number, nowMs: () => number) {
    this.#seed = seed
    this.#nowMs = nowMs
  }

  subscribe(client: Client, { id }: Command): string | undefined {
    const index = typeof id === 'string' ? findIndex(id) : undefined
    if (index === undefined) return unrecognisedId
    if (index.isTokenizedEquity !== true) return unavailable
    const audience = this.#audiences.get(index) ?? new Set<Client>()
    this.#audiences.set(index, audience.add(client))
    client.publish(frameOf(index, corporateActionAt(this.#seed, index, this.#nowMs())))
    return undefined
  }

  unsubscribe(client: Client, { id }: Command): string | undefined {
    const index = typeof id === 'string' ? findIndex(id) : undefined
    if (index === undefined) return unrecognisedId
    this.#leave(client, index)
    return undefined
  }

  forget(client: Client): void {
    for (const index of this.#audiences.keys()) this.#leave(client, index)
  }

  stepMs(): number | undefined {
    return this.#audiences.size === 0 ? undefined : 1_000
  }

  advance(afterMs: number, untilMs: number): void {
    for (const [index, clients] of this.#audiences) {
      for (const state of corporateActionsBetween(this.#seed, index, { afterMs, untilMs })) {
        const frame = frameOf(index, state)
        for (const client of clients) client.publish(frame)
      }
    }
  }

  #leave(client: Client, index: IndexDefinition): void {
    const audience = this.#audiences.get(index)
    audience?.delete(client)
    if (audience?.size === 0) this.#audiences.delete(index)
  }
}

function frameOf({ id }: IndexDefinition, { time, action }: CorporateActionState): Buffer {
  return Buffer.from(JSON.stringify({ type: 'active_corporate_action', time, id, action }))
}
