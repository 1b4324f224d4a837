/** Named counts of what is not worth a message each, such as dropped frames. */
export class Counters {
  readonly #counts = new Map<string, number>()

  add(name: string, by = 1): void {
    this.#counts.set(name, (this.#counts.get(name) ?? 0) + by)
  }

  read(): Record<string, number> {
    return Object.fromEntries(this.#counts)
  }
}
