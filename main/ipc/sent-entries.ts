import type { EntryChanges } from '../../protocol/desktop'

/**
 * What the page has of a list whose entries are replaced, never mutated. The next push carries the difference. A page
 * that asked for a snapshot is ahead of the last push, and another page may continue from that push. The difference
 * must be right for both.
 */
export class SentEntries<T extends { id: string }> {
  /** By id. Undefined if the last push and a snapshot had different states of the entry. */
  #sent = new Map<string, T | undefined>()

  /** Call when the page has this list, or will ask for a snapshot. */
  begin(now: readonly T[]): void {
    this.#sent = new Map(now.map((entry) => [entry.id, entry]))
  }

  /** A page may have the first `count` entries of this list, and lacks the others. */
  noteSnapshot(now: readonly T[], count: number): void {
    for (const [at, entry] of now.entries()) {
      if (at >= count || this.#sent.get(entry.id) !== entry) this.#sent.set(entry.id, undefined)
    }
  }

  /**
   * Takes the entries to send and records them as sent. Takes at most `max`, in the order of the list. The rest stay
   * due. Undefined if nothing changed.
   */
  takeChanges(now: readonly T[], max: number): EntryChanges<T> | undefined {
    const different = now.filter((entry) => this.#sent.get(entry.id) !== entry)
    const put = different.slice(0, max)
    for (const { id } of different) this.#sent.set(id, undefined)
    for (const entry of put) this.#sent.set(entry.id, entry)
    const removed = this.#takeRemoved(now)
    return put.length + removed.length === 0 ? undefined : { put, removed }
  }

  /** Entries that are gone from the list. All entries of the list are known here. */
  #takeRemoved(now: readonly T[]): string[] {
    if (this.#sent.size === now.length) return []
    const ids = new Set(now.map(({ id }) => id))
    const removed = [...this.#sent.keys()].filter((id) => !ids.has(id))
    for (const id of removed) this.#sent.delete(id)
    return removed
  }
}
