/** What happened while the window was hidden or the computer slept. */
import type { AlertEvent } from '../core/alert-events'
import type { DecimalText, IndexId } from '../core/model'
import type { TimeRange } from '../core/ranges'

/** Ten minutes. After a shorter absence the list itself shows what changed. */
export const minAwayMs = 600_000

/** The last absence, until the user dismisses it. By the service's time, like published times. */
export interface Away extends TimeRange {
  /** Increases when more is known of the absence. The report must then be requested again. */
  version: number
}

/** The report of an absence. All facts come from the history. */
export interface AwayReport extends TimeRange {
  /** Times without a live connection. Undefined if there were none. */
  gaps?: {
    count: number
    totalMs: number
    /**
     * Whether the gaps have been filled, or how much is missing of the index that lacks most. `open` means that the
     * service was not asked yet. Undefined if no watched index publishes continuously.
     */
    filled?: { state: 'all' } | { state: 'open' | 'unknown'; missingMs: number }
  }
  /** The last firing of each rule, by severity and then newest first. At most three. */
  fired: AwayFiring[]
  /** Number of rules that fired. */
  firedCount: number
  /** Indices with the largest moves in percent first. At most three. */
  moved: { id: IndexId; before: { value: DecimalText; publishedAtMs: number } }[]
  amended: {
    count: number
    /** True if there are more than were counted. */
    hasMore: boolean
    indexIds: IndexId[]
  }
  /** Indices whose latest value was published in the absence and is carried forward. */
  carriedOver: IndexId[]
  /** Additions and deletions of constituents. */
  members: { id: IndexId; joined: string[]; left: string[] }[]
}

/** A rule that fired. */
export interface AwayFiring {
  /** Its last firing. */
  event: AlertEvent
  /** Number of firings. */
  count: number
  /** True if an amendment or later values undid the firing. */
  isRetracted: boolean
  /** When it happened, by the service's time. */
  atMs: number
  /** The index during the absence, as floats for drawing only. Null where no value is known. */
  trend: (number | null)[]
}
