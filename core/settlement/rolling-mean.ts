/** The values of the formula `mean(index, seconds)`. */
import { roundedText } from '../decimal'
import { staleAfterMs } from '../freshness'
import type { Publication } from '../model'
import { usualDecimals } from './bound-window'
import { MeanWindow } from './mean-window'

const stepMs = 1_000

/**
 * Has a value at each whole second at which its index published: the mean of the values up to then. After a silence that
 * makes the index stale, its window fills again (`Publication.isFilling`).
 */
export class RollingMean {
  readonly window: MeanWindow
  readonly #seconds: number
  /** Published time of the first value, or of the first one after a silence. */
  #sinceMs = 0

  constructor(seconds: number) {
    this.#seconds = seconds
    this.window = new MeanWindow({ seconds, stepMs })
  }

  /** Takes values of the index in any order, also amended and late ones. */
  add(publication: Publication): void {
    const before = this.window.lastMs
    this.window.slide(publication)
    const { lastMs } = this.window
    if (lastMs === undefined || lastMs === before) return
    if (before === undefined || lastMs - before >= staleAfterMs('PER_SECOND')) this.#sinceMs = lastMs
  }

  /**
   * The value at the newest whole second, rounded half up. `decimals` are those of the index; if they are unknown, those
   * of most values. Undefined while no value counts.
   */
  publication(decimals: number | undefined): Publication | undefined {
    const { mean, lastMs, counted, expected, carried, newest } = this.window
    if (mean === undefined || lastMs === undefined) return undefined
    const places = decimals ?? usualDecimals(this.window.observations.map(({ publication }) => publication)) ?? 0
    const missing = expected - counted
    const isFilling = missing > 0 && lastMs < this.#sinceMs + (this.#seconds - 1) * stepMs
    return {
      value: roundedText(mean, places),
      publishedAtMs: lastMs,
      ...(missing > 0 && { missing }),
      ...(carried > 0 && { carried }),
      ...(newest?.isRepeatOfPrevious === true && { isRepeatOfPrevious: true }),
      ...(isFilling && { isFilling: true }),
    }
  }
}
