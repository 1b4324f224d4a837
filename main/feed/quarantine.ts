import type { IndexId } from '../../core/model'
import type { ClientMessage } from '../../protocol/wire'

/** A subscription that breaks the connection this often is left out. */
const maxBreaks = 3

/**
 * Finds constituents messages that exceed the size limit, which ends the connection and with it every row. Only
 * constituents are that large. The service answers each subscription immediately (protocol, 3), so the first unanswered
 * one caused the break. An index that did so three times in a row is not requested again for the life of this object.
 */
export class Quarantine {
  /** Requested on this connection and not answered yet, in order. */
  readonly #unanswered = new Set<IndexId>()
  readonly #breaks = new Map<IndexId, number>()
  readonly #leftOut = new Set<IndexId>()

  /** Indices whose constituents are no longer requested. */
  get leftOut(): ReadonlySet<IndexId> {
    return this.#leftOut
  }

  sent(message: ClientMessage): void {
    if (message.type === 'info' || message.stream !== 'constituents') return
    if (message.type === 'subscribe') this.#unanswered.add(message.id)
    else this.#unanswered.delete(message.id)
  }

  /** Call when constituents of this index, readable or not, or their refusal arrived. */
  answered(id: IndexId): void {
    this.#unanswered.delete(id)
    this.#breaks.delete(id)
  }

  /** Call when the connection ended. `isTooLarge` if a message exceeded the limit. */
  ended(isTooLarge: boolean): void {
    const [first] = this.#unanswered
    this.#unanswered.clear()
    if (!isTooLarge || first === undefined) return
    const breaks = (this.#breaks.get(first) ?? 0) + 1
    this.#breaks.set(first, breaks)
    if (breaks >= maxBreaks) this.#leftOut.add(first)
  }
}
