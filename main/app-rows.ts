import type { IndexId, Resolution } from '../protocol/model'
import type { Clock } from './base/clock'

interface Options {
  clock: Clock
  resolutionOf: (id: IndexId) => Resolution | undefined
  /** Tells the page the row's facts as they are now. */
  push: (id: IndexId) => void
}

/** A trend gains a point a minute; between two points its last one moves. */
const trendSpacingMs = 5_000
const tickingResolutions: ReadonlySet<Resolution | undefined> = new Set(['PER_200MS', 'PER_SECOND', 'PER_MINUTE'])

/**
 * When to tell the page what changes with a row's value, its trend and the reference of its change: at once for the
 * first value and for an index that publishes rarely, else every five seconds.
 */
export class RowPace {
  readonly #options: Options
  readonly #told = new Set<IndexId>()
  readonly #waiting = new Set<IndexId>()
  #cancel: (() => void) | undefined

  constructor(options: Options) {
    this.#options = options
  }

  valueChanged(id: IndexId): void {
    const { clock, resolutionOf, push } = this.#options
    const resolution = resolutionOf(id)
    // While it is not known how often the index publishes, its history has nothing to tell.
    if (resolution === undefined) return
    if (!this.#told.has(id) || !tickingResolutions.has(resolution)) {
      this.#told.add(id)
      push(id)
      return
    }
    this.#waiting.add(id)
    this.#cancel ??= clock.after(trendSpacingMs, () => {
      this.#cancel = undefined
      for (const waiting of this.#waiting) push(waiting)
      this.#waiting.clear()
    })
  }

  /** All rows start anew, as with another service. */
  reset(): void {
    this.#cancel?.()
    this.#cancel = undefined
    this.#told.clear()
    this.#waiting.clear()
  }

  dispose(): void {
    this.reset()
  }
}
