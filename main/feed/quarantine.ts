import type { IndexId } from '../../core/model'
import type { ClientMessage } from '../../protocol/wire'

/** How often a subscription may break the line before it is left out. */
const maxBreaks = 3

/**
 * Finds the constituents whose message is more than the app reads, which ends the connection and with it every row. They
 * alone are so large, and the service answers the subscription of each at once (spec 3), so that the first one without an
 * answer broke the line. What did so three times, with no message it could send in between, is not asked for again as long
 * as this object lives.
 */
export class Quarantine {
  /** Asked for on this connection and not answered yet, in order. */
  readonly #unanswered = new Set<IndexId>()
  readonly #breaks = new Map<IndexId, number>()
  readonly #leftOut = new Set<IndexId>()

  /** The indices whose constituents are not asked for any more. */
  get leftOut(): ReadonlySet<IndexId> {
    return this.#leftOut
  }

  sent(message: ClientMessage): void {
    if (message.type === 'info' || message.stream !== 'constituents') return
    if (message.type === 'subscribe') this.#unanswered.add(message.id)
    else this.#unanswered.delete(message.id)
  }

  /** Constituents of this index, readable or not, or their refusal have arrived. */
  answered(id: IndexId): void {
    this.#unanswered.delete(id)
    this.#breaks.delete(id)
  }

  /** The connection has ended; `isTooLarge`: by a message of more than is read. */
  ended(isTooLarge: boolean): void {
    const [first] = this.#unanswered
    this.#unanswered.clear()
    if (!isTooLarge || first === undefined) return
    const breaks = (this.#breaks.get(first) ?? 0) + 1
    this.#breaks.set(first, breaks)
    if (breaks >= maxBreaks) this.#leftOut.add(first)
  }
}
