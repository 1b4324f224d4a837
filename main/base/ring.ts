/** The last things of a long row: when it is full, the oldest makes room. */
export class Ring<T> {
  readonly #capacity: number
  readonly #items: T[] = []

  constructor(capacity: number) {
    this.#capacity = capacity
  }

  add(item: T): void {
    this.#items.push(item)
    if (this.#items.length > this.#capacity) this.#items.shift()
  }

  /** Oldest first. */
  all(): T[] {
    return [...this.#items]
  }
}
