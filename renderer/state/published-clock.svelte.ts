import type { IndexId } from '../../core/model'
import type { Mirror } from './mirror.svelte'

/**
 * The present by the published times of an index: its newest value plus the time since that came. This computer's clock
 * does not matter. Create it during component setup.
 */
export class PublishedClock {
  #newest = $state.raw<{ publishedAtMs: number; receivedAtMs: number; aheadMs: number }>()
  readonly #mirror: Pick<Mirror, 'agesAtMs'>
  /** Undefined until a value is received. */
  readonly nowMs = $derived.by(() => {
    if (this.#newest === undefined) return undefined
    const { publishedAtMs, receivedAtMs } = this.#newest
    return publishedAtMs + Math.max(0, this.#mirror.agesAtMs - receivedAtMs)
  })

  constructor(mirror: Pick<Mirror, 'agesAtMs' | 'row'>, id: () => IndexId) {
    this.#mirror = mirror
    $effect(() => {
      const { quote } = mirror.row(id())
      if (quote === undefined || quote.source === 'cache') return
      const { publishedAtMs, ageMs } = quote
      if (publishedAtMs === this.#newest?.publishedAtMs) return
      const isFirst = this.#newest === undefined
      this.#newest = {
        publishedAtMs,
        // The first value may have come long before this clock was created.
        receivedAtMs: performance.now() - (isFirst ? ageMs : 0),
        aheadMs: isFirst ? 0 : Date.now() - publishedAtMs,
      }
    })
  }

  /**
   * How far this computer's clock was ahead of the published time when the newest value came, in milliseconds. 0 until
   * a value has come since this clock was created.
   */
  get aheadMs(): number {
    return this.#newest?.aheadMs ?? 0
  }
}
