/**
 * Typed events, delivered synchronously in the order of subscription. An error of one listener goes to `onError` and
 * affects neither the other listeners nor the caller of `emit`.
 */
export class Emitter<Events extends object> {
  readonly #listeners = new Map<keyof Events, { hear: (event: never) => void }[]>()
  readonly #onError: (error: unknown) => void

  constructor(onError: (error: unknown) => void) {
    this.#onError = onError
  }

  /** Calls `listener` on every event of this name. Returns its unsubscribe function. */
  on<K extends keyof Events>(name: K, listener: (event: Events[K]) => void): () => void {
    // The list is copied on write, so listeners may come and go during delivery. The object makes each subscription
    // distinct, even of the same function.
    const entry = { hear: listener }
    this.#listeners.set(name, [...(this.#listeners.get(name) ?? []), entry])
    return () => {
      this.#listeners.set(
        name,
        (this.#listeners.get(name) ?? []).filter((other) => other !== entry),
      )
    }
  }

  emit<K extends keyof Events>(name: K, event: Events[K]): void {
    const listeners = this.#listeners.get(name) as { hear: (event: Events[K]) => void }[] | undefined
    if (listeners === undefined) return
    for (const { hear } of listeners) {
      try {
        hear(event)
      } catch (error) {
        this.#onError(error)
      }
    }
  }
}
