/** What happened while nobody could see the window: it was hidden, or the computer slept. */
import type { AlertEvent } from '../core/alert-events'
import type { DecimalText, IndexId } from '../core/model'
import type { TimeRange } from '../core/ranges'

/** Ten minutes: what a shorter absence has missed is read off the list itself. */
export const minAwayMs = 600_000

/** The last absence, until the user dismisses it. By the service's time, as published times are. */
export interface Away extends TimeRange {
  /** Counts up when more has been learned of it: what is reported is to be asked for again. */
  version: number
}

/** What is worth knowing of an absence; every fact is in the history. */
export interface AwayReport extends TimeRange {
  /** Times without any live connection; absent where there was none. */
  gaps?: {
    count: number
    totalMs: number
    /**
     * What is in the history of them by now: all of it, or how much is missing of the index that lacks the longest. `open`: the
     * service was not asked yet. Absent where no index is watched that publishes all the time.
     */
    filled?: { state: 'all' } | { state: 'open' | 'unknown'; missingMs: number }
  }
  /** The last firing of each rule that fired, what matters more first, then newest first; at most three. */
  fired: AwayFiring[]
  /** How many rules fired. */
  firedCount: number
  /** Those that moved furthest in percent, first; at most three. */
  moved: { id: IndexId; before: { value: DecimalText; publishedAtMs: number } }[]
  amended: {
    count: number
    /** There are more than were counted. */
    hasMore: boolean
    indexIds: IndexId[]
  }
  /** Indices whose latest value, published meanwhile, is carried forward. */
  carriedOver: IndexId[]
  /** Constituents that joined or left. */
  members: { id: IndexId; joined: string[]; left: string[] }[]
}

/** A rule that fired. */
export interface AwayFiring {
  /** Its last firing. */
  event: AlertEvent
  /** How often it fired. */
  count: number
  /** What happened was undone by an amendment or by later values. */
  isRetracted: boolean
  /** When it happened, by the service's time. */
  atMs: number
  /** The index over the absence, floats for drawing alone; null where nothing is known to be published. */
  trend: (number | null)[]
}
