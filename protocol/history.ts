/** What is asked of the history and answered from it: amendments, the value at a time, exports. */
import type { AlertEvent } from './alert-events'
import type { DecimalText, IndexId, Publication } from './model'

/** One amendment as the app learned it. */
export interface Amendment {
  id: IndexId
  publishedAtMs: number
  amendedAtMs: number
  learnedAtMs: number
  /** Name of the connection it came by. */
  connection: string
  /** The revision before it; absent where only the amended value was ever learned. */
  before?: DecimalText
  after: DecimalText
}

export interface AmendmentEntry extends Amendment {
  /** `after` - `before`, exact; absent where `before` is. */
  difference?: DecimalText
  /** What the inbox has of the amended time, oldest first. */
  alerts: AlertEvent[]
}

/** Where a page of amendments ended. */
export interface AmendmentCursor {
  amendedAtMs: number
  publishedAtMs: number
  id: IndexId
}

/** Newest amendment first, at most 200. */
export interface AmendmentPage {
  amendments: AmendmentEntry[]
  /** Absent: these are the last. */
  next?: AmendmentCursor
}

/**
 * Which values an export has. `every`: every revision of every value, one row each. Else one row for each whole second,
 * minute, hour or day of UTC since the one before which a value was published: the value in force at that time, in its
 * latest revision; never an average, and nothing is repeated where nothing was published.
 */
export const exportResolutions = ['every', 'second', 'minute', 'hour', 'day'] as const
export type ExportResolution = (typeof exportResolutions)[number]

export const exportFormats = ['csv', 'parquet'] as const
export type ExportFormat = (typeof exportFormats)[number]

/** What is to be exported. The range includes its start and not its end. */
export interface ExportRequest {
  indexIds: IndexId[]
  fromMs: number
  toMs: number
  resolution: ExportResolution
  format: ExportFormat
}

/** How far an export is. */
export interface ExportProgress {
  rowCount: number
  /** From 0 to 1, by the time that was gone through. */
  fraction: number
}

/** One revision of a value, with how and when the app learned it. */
export interface ValueRevision extends Publication {
  learnedAtMs: number
  source: 'stream' | 'rest' | 'catchUp' | 'tool'
  connection: string
}

/** What an index said at a time. */
export interface ValueAt {
  id: IndexId
  atMs: number
  /** All revisions of the last value published by then, the one in force last; empty before the first that is known. */
  revisions: ValueRevision[]
  /** When the next value was published. */
  nextPublishedAtMs?: number
  /**
   * The time lies in a stretch without values: `unasked` the service was not asked for it yet · `unknown` it could not
   * say. Where it has nothing published there is no gap.
   */
  gap?: { fromMs: number; toMs: number; state: 'unasked' | 'unknown' }
}
