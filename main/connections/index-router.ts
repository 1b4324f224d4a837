import type { IndexId } from '../../core/model'

/** What the router needs to know of a connection. */
export interface Candidate {
  id: string
  /** True if its catalogue arrived in this run. */
  isKnown: () => boolean
  /** True if its catalogue has the index. */
  lists: (id: IndexId) => boolean
}

interface Held {
  owner: string
  /** True if the catalogues of all earlier connections were known. */
  isSettled: boolean
}

/**
 * Assigns each index to exactly one connection: the first in the user's order whose catalogue lists it. It stays there
 * while that catalogue lists it. An index that no catalogue lists goes to the first connection. If an earlier
 * connection's catalogue arrives later and lists the index, the index moves once.
 */
export class IndexRouter {
  readonly #held = new Map<IndexId, Held>()
  #candidates: readonly Candidate[] = []

  /** Takes the connections in the user's order. Indices of connections that are gone become unassigned. */
  setCandidates(candidates: readonly Candidate[]): void {
    this.#candidates = candidates
    const known = new Set(candidates.map(({ id }) => id))
    for (const [id, { owner }] of this.#held) if (!known.has(owner)) this.#held.delete(id)
  }

  /** Assigns these ids and releases all others. Returns the ids that have moved. */
  assign(ids: ReadonlySet<IndexId>): IndexId[] {
    for (const id of this.#held.keys()) if (!ids.has(id)) this.#held.delete(id)
    return [...ids].filter((id) => {
      const before = this.#held.get(id)?.owner
      const owner = this.ownerOf(id)
      if (owner !== undefined) this.#held.set(id, { owner, isSettled: this.#isFirstKnown(owner) })
      return before !== undefined && before !== owner
    })
  }

  /** Releases all ids of this connection before it is replaced. Returns them. */
  release(candidateId: string): IndexId[] {
    const held = [...this.#held].flatMap(([id, { owner }]) => (owner === candidateId ? [id] : []))
    for (const id of held) this.#held.delete(id)
    return held
  }

  /** The connection that answers for an index, or that would if the index were wanted. Undefined without a connection. */
  ownerOf(id: IndexId): string | undefined {
    const held = this.#held.get(id)
    // Loops, because each value asks several times.
    if (held?.isSettled === true) {
      for (const candidate of this.#candidates)
        if (candidate.id === held.owner && candidate.lists(id)) return held.owner
    }
    for (const candidate of this.#candidates) if (candidate.lists(id)) return candidate.id
    return this.#candidates[0]?.id
  }

  #isFirstKnown(owner: string): boolean {
    const before = this.#candidates.slice(
      0,
      this.#candidates.findIndex(({ id }) => id === owner),
    )
    return before.every(({ isKnown }) => isKnown())
  }
}
