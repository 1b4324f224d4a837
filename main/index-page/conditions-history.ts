import type { MarketConditions } from '../../core/model'
import { conditionsPoint, type ConditionsPoint } from '../../core/spread'
import { compareVersions } from '../../core/publication'

const minuteMs = 60_000
/** How long before the newest market conditions a history of them begins. */
export const conditionsHistoryMs = 60 * minuteMs

/**
 * Market conditions of the hour up to the newest, at most one a minute: the first of each, whether the stream, REST or the
 * history had it. Those that say neither a spread nor a depth are left out.
 */
export class ConditionsHistory {
  readonly #byMinute = new Map<number, MarketConditions>()
  /** Oldest first. */
  points: readonly ConditionsPoint[] = []

  /** Answers those that are part of the history now. */
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
