import type { EntryChanges } from '../../protocol/desktop'

/**
 * What the page has of a list whose entries are replaced, never changed: the next push carries what is different. A page
 * that asks for a snapshot is ahead of the last push, and another one may go on from that push; so the changes are those
 * that are right for both.
 */
export class SentEntries<T extends { id: string }> {
  /** By id; nothing where a snapshot has another state of the entry than the last push. */
  #sent = new Map<string, T | undefined>()

  /** From now on a page has the list as it is, or asks for a snapshot. */
  begin(now: readonly T[]): void {
    this.#sent = new Map(now.map((entry) => [entry.id, entry]))
  }

  /** A page may have the first entries of the list, so many, as they are now; it lacks the others. */
  noteSnapshot(now: readonly T[], count: number): void {
    for (const [at, entry] of now.entries()) {
      if (at >= count || this.#sent.get(entry.id) !== entry) this.#sent.set(entry.id, undefined)
    }
  }

  /**
   * What is different now, to be sent: it counts as sent from here on. Of entries at most so many, in the order of the list; the
   * others are different still. Nothing: it is all the same.
   */
  takeChanges(now: readonly T[], max: number): EntryChanges<T> | undefined {
    const different = now.filter((entry) => this.#sent.get(entry.id) !== entry)
    const put = different.slice(0, max)
    for (const { id } of different) this.#sent.set(id, undefined)
    for (const entry of put) this.#sent.set(entry.id, entry)
    const removed = this.#takeRemoved(now)
    return put.length + removed.length === 0 ? undefined : { put, removed }
  }

  /** Those that are not in the list, all of which is known by now. */
  #takeRemoved(now: readonly T[]): string[] {
    if (this.#sent.size === now.length) return []
    const ids = new Set(now.map(({ id }) => id))
    const removed = [...this.#sent.keys()].filter((id) => !ids.has(id))
    for (const id of removed) this.#sent.delete(id)
    return removed
  }
}
