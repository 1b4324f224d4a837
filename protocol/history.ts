/** What is asked of the history and answered from it: amendments, the value at a time, exports. */
import type { AlertEvent } from './alert-events'
import type { DecimalText, IndexId } from './model'

/** One amendment as the app learned it. */
export interface AmendmentEntry {
  id: IndexId
  publishedAtMs: number
  amendedAtMs: number
  learnedAtMs: number
  /** Name of the connection it came by. */
  connection: string
  /** Absent where only the amended value was ever learned, as is the difference then. */
  before?: DecimalText
  after: DecimalText
  /** `after` - `before`, exact. */
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
