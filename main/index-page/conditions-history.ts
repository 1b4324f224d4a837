import type { MarketConditions } from '../../core/model'
import { conditionsPoint, type ConditionsPoint } from '../../core/spread'
import { compareVersions } from '../../core/publication'

const minuteMs = 60_000
/** Length of the history before the newest market conditions. */
export const conditionsHistoryMs = 60 * minuteMs

/**
 * Market conditions of the last hour, the first of each minute, from stream, REST or history. Those without spread and
 * depth are left out.
 */
export class ConditionsHistory {
  readonly #byMinute = new Map<number, MarketConditions>()
  /** Oldest first. */
  points: readonly ConditionsPoint[] = []

  /** Returns those that are now in the history. */
  add(received: readonly MarketConditions[]): MarketConditions[] {
    const minuteOf = ({ publishedAtMs }: MarketConditions) => Math.floor(publishedAtMs / minuteMs)
    for (const each of received) {
      const held = this.#byMinute.get(minuteOf(each))
      if (conditionsPoint(each) !== undefined && (held === undefined || isBetter(each, held))) {
        this.#byMinute.set(minuteOf(each), each)
      }
    }
    const sinceMs = Math.max(...[...this.#byMinute.values()].map((each) => each.publishedAtMs)) - conditionsHistoryMs
    for (const [minute, each] of this.#byMinute) if (each.publishedAtMs < sinceMs) this.#byMinute.delete(minute)
    const added = received.filter((each) => this.#byMinute.get(minuteOf(each)) === each)
    if (added.length > 0) {
      const points = [...this.#byMinute.values()].flatMap((each) => conditionsPoint(each) ?? [])
      this.points = points.sort((a, b) => a.publishedAtMs - b.publishedAtMs)
    }
    return added
  }
}

/** Earlier in its minute, or an amendment. */
function isBetter(next: MarketConditions, held: MarketConditions): boolean {
  return (
    next.publishedAtMs < held.publishedAtMs ||
    (next.publishedAtMs === held.publishedAtMs && compareVersions(next, held) > 0)
  )
}
