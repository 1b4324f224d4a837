/** What is asked of the history and answered from it: amendments, the value at a time, exports. */
import type { Member, Reweighted } from '../core/constituents'
import type { DecimalText, IndexId, Publication } from '../core/model'
import type { TimeRange } from '../core/ranges'
import type { AmendmentEntry } from '../core/records'

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
export interface ExportRequest extends TimeRange {
  indexIds: IndexId[]
  resolution: ExportResolution
  format: ExportFormat
}

/** How far an export is. */
export interface ExportProgress {
  rowCount: number
  /** From 0 to 1, by the time that was gone through. */
  fraction: number
}

/** What became different of the constituents of an index from one calculation to a later one. */
export interface MembershipChange {
  /** Of the last calculation known without it. */
  afterMs: number
  /** Of the first calculation known with it. */
  publishedAtMs: number
  joined: Member[]
  left: Member[]
  /** Weights that are not what prices made of them, the greatest difference first. */
  reweighted: Reweighted[]
  divisor?: { before: DecimalText; after: DecimalText }
}

/** Which constituents joined an index, left it or were reweighted, as far as this computer has seen it. */
export interface Membership {
  /** Newest first, at most `maxMembershipChanges` where it is shown. */
  changes: MembershipChange[]
  /** There are older ones. */
  hasMore: boolean
  /** Of the first calculation that is kept: what was before is not known. Absent where there is none. */
  knownSinceMs?: number
}

export const maxMembershipChanges = 100

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
