import type { IndexId, Stream } from '../../protocol/model'
import type { ClientMessage } from '../../protocol/wire'

export interface Asked {
  readonly stream: Stream
  readonly id: IndexId
}

/** How often a subscription may break the line before it is left out. */
const maxBreaks = 3

const keyOf = ({ stream, id }: Asked) => `${stream} ${id}`

/**
 * Finds the subscription whose message is more than the app reads, which ends the connection and with it every row. The
 * service answers in the order in which it was asked, so the first one without an answer broke the line. What did so three
 * times, with no message it could send in between, is not asked for again as long as this object lives.
 */
export class Quarantine {
  /** Asked for on this connection and not answered yet, in order. Values are too small to break anything. */
  readonly #unanswered = new Map<string, Asked>()
  readonly #breaks = new Map<string, number>()
  readonly #kept = new Map<string, Asked>()

  /** What is left out. */
  get kept(): readonly Asked[] {
    return [...this.#kept.values()]
  }

  sent(message: ClientMessage): void {
    if (message.type === 'info' || message.stream === 'value') return
    const { stream, id } = message
    if (message.type === 'subscribe') this.#unanswered.set(keyOf(message), { stream, id })
    else this.#unanswered.delete(keyOf(message))
  }

  /** A message of this subscription, or its refusal, has arrived. */
  answered(asked: Asked): void {
    this.#unanswered.delete(keyOf(asked))
    this.#breaks.delete(keyOf(asked))
  }

  /** The connection has ended; `isTooLarge`: by a message of more than is read. */
  ended(isTooLarge: boolean): void {
    const [first] = this.#unanswered.values()
    this.#unanswered.clear()
    if (!isTooLarge || first === undefined) return
    const breaks = (this.#breaks.get(keyOf(first)) ?? 0) + 1
    this.#breaks.set(keyOf(first), breaks)
    if (breaks >= maxBreaks) this.#kept.set(keyOf(first), first)
  }
}
