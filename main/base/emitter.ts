/**
 * Typed events, delivered at once and in the order of subscription. A listener that throws harms neither the other
 * listeners nor the caller of `emit`: its error goes to `onError`.
 */
export class Emitter<Events extends object> {
  readonly #listeners = new Map<keyof Events, ((event: never) => void)[]>()
  readonly #onError: (error: unknown) => void

  constructor(onError: (error: unknown) => void) {
    this.#onError = onError
  }

  /** Calls `listener` on every event of this name until the returned function is called. */
  on<K extends keyof Events>(name: K, listener: (event: Events[K]) => void): () => void {
    // Lists are replaced, never changed, so that a listener may come or go while an event is being delivered. The
    // wrapper makes every subscription one of its own, even of the same function.
    const entry = (event: Events[K]) => listener(event)
    this.#listeners.set(name, [...(this.#listeners.get(name) ?? []), entry])
    return () => {
      this.#listeners.set(
        name,
        (this.#listeners.get(name) ?? []).filter((other) => other !== entry),
      )
    }
  }

  emit<K extends keyof Events>(name: K, event: Events[K]): void {
    const listeners = this.#listeners.get(name) as ((event: Events[K]) => void)[] | undefined
    if (listeners === undefined) return
    for (const listener of listeners) {
      try {
        listener(event)
      } catch (error) {
        this.#onError(error)
      }
    }
  }
}
