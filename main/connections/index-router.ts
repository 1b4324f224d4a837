import type { IndexId } from '../../core/model'

/** A connection as far as the choice between several needs to know it. */
export interface Candidate {
  id: string
  /** Its catalogue is known in this run. */
  isKnown: () => boolean
  /** Whether its catalogue has the index. */
  lists: (id: IndexId) => boolean
}

interface Held {
  owner: string
  /** The catalogue of every connection before the owner was known. */
  isSettled: boolean
}

/**
 * Which connection answers for an index: exactly one. The first in the user's order whose catalogue lists it, and from
 * then on that one as long as it does; an index that no catalogue lists is asked of the first connection. Whether an
 * earlier connection lists it may come out later than a later one has begun to answer: that once, the index moves.
 */
export class IndexRouter {
  readonly #held = new Map<IndexId, Held>()
  #candidates: readonly Candidate[] = []

  /** Takes the connections in the user's order. What is held by one that is gone is held by none. */
  setCandidates(candidates: readonly Candidate[]): void {
    this.#candidates = candidates
    const known = new Set(candidates.map(({ id }) => id))
    for (const [id, { owner }] of this.#held) if (!known.has(owner)) this.#held.delete(id)
  }

  /** Gives each of these ids its connection and releases all others. Answers those that another one held before. */
  assign(ids: ReadonlySet<IndexId>): IndexId[] {
    for (const id of this.#held.keys()) if (!ids.has(id)) this.#held.delete(id)
    return [...ids].filter((id) => {
      const before = this.#held.get(id)?.owner
      const owner = this.ownerOf(id)
      if (owner !== undefined) this.#held.set(id, { owner, isSettled: this.#isFirstKnown(owner) })
      return before !== undefined && before !== owner
    })
  }

  /** Releases all that this connection held, since another is to take its place; answers what that was. */
  release(candidateId: string): IndexId[] {
    const held = [...this.#held].flatMap(([id, { owner }]) => (owner === candidateId ? [id] : []))
    for (const id of held) this.#held.delete(id)
    return held
  }

  /** The connection that answers for an index or would; `undefined` while there is none. */
  ownerOf(id: IndexId): string | undefined {
    const held = this.#held.get(id)
    const settled = held?.isSettled === true ? this.#candidates.find(({ id: each }) => each === held.owner) : undefined
    if (settled?.lists(id) === true) return settled.id
    return (this.#candidates.find(({ lists }) => lists(id)) ?? this.#candidates[0])?.id
  }

  #isFirstKnown(owner: string): boolean {
    const before = this.#candidates.slice(
      0,
      this.#candidates.findIndex(({ id }) => id === owner),
    )
    return before.every(({ isKnown }) => isKnown())
  }
}
