import type { IndexId } from '../protocol/model'

/** A connection as far as the choice between several needs to know it. */
export interface Candidate {
  id: string
  /** Whether its catalogue has the index. */
  lists: (id: IndexId) => boolean
}

/**
 * Which connection answers for an index: exactly one. The first in the user's order whose catalogue lists it, and then
 * that one as long as it does; an index that no catalogue lists is asked of the first connection.
 */
export class IndexRouter {
  readonly #owners = new Map<IndexId, string>()
  #candidates: readonly Candidate[] = []

  /** Takes the connections in the user's order. What is held by one that is gone is held by none. */
  setCandidates(candidates: readonly Candidate[]): void {
    this.#candidates = candidates
    const known = new Set(candidates.map(({ id }) => id))
    for (const [id, owner] of this.#owners) if (!known.has(owner)) this.#owners.delete(id)
  }

  /** Gives each of these ids its connection, and lets go of all others. Answers those that another one held before. */
  assign(ids: ReadonlySet<IndexId>): IndexId[] {
    for (const id of this.#owners.keys()) if (!ids.has(id)) this.#owners.delete(id)
    return [...ids].filter((id) => {
      const before = this.#owners.get(id)
      const owner = this.ownerOf(id)
      if (owner !== undefined) this.#owners.set(id, owner)
      return before !== undefined && before !== owner
    })
  }

  /** Lets go of all that this connection held, since another is to take its place; answers what that was. */
  release(candidateId: string): IndexId[] {
    const held = [...this.#owners].flatMap(([id, owner]) => (owner === candidateId ? [id] : []))
    for (const id of held) this.#owners.delete(id)
    return held
  }

  /** The connection that answers for an index or would; `undefined` while there is none. */
  ownerOf(id: IndexId): string | undefined {
    const held = this.#owners.get(id)
    const listing = this.#candidates.filter(({ lists }) => lists(id))
    const owner = listing.find((candidate) => candidate.id === held) ?? listing[0] ?? this.#candidates[0]
    return owner?.id
  }
}
