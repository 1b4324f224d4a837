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

  /** A page may have the list as it is now. */
  noteSnapshot(now: readonly T[]): void {
    for (const entry of now) if (this.#sent.get(entry.id) !== entry) this.#sent.set(entry.id, undefined)
  }

  /** What is different now, to be sent: it counts as sent from here on. Nothing: it is all the same. */
  takeChanges(now: readonly T[]): EntryChanges<T> | undefined {
    const before = this.#sent
    this.begin(now)
    const put = now.filter((entry) => before.get(entry.id) !== entry)
    const removed = [...before.keys()].filter((id) => !this.#sent.has(id))
    return put.length + removed.length === 0 ? undefined : { put, removed }
  }
}
