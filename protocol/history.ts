/** Queries of the history and their answers: amendments, the value at a time, exports. */
import type { Member, Reweighted } from '../core/constituents'
import type { DecimalText, IndexId, Publication } from '../core/model'
import type { TimeRange } from '../core/ranges'
import type { AmendmentEntry } from '../core/records'
import { tableFormats } from '../core/table-formats'

/** Position where a page of amendments ended. */
export interface AmendmentCursor {
  amendedAtMs: number
  publishedAtMs: number
  id: IndexId
}

/** Newest amendment first, at most 200. */
export interface AmendmentPage {
  amendments: AmendmentEntry[]
  /** Cursor of the next page. Undefined on the last page. */
  next?: AmendmentCursor
}

/**
 * Which values an export has. `every`: one row for each revision of every value. Otherwise one row per UTC second,
 * minute, hour or day in which a value was published: the value in effect at its end, in its latest revision. Never an
 * average. Nothing is repeated if nothing was published.
 */
export const exportResolutions = ['every', 'second', 'minute', 'hour', 'day'] as const
export type ExportResolution = (typeof exportResolutions)[number]

export const exportFormats = [...tableFormats, 'parquet'] as const
export type ExportFormat = (typeof exportFormats)[number]

/** An export. The range includes its start but not its end. */
export interface ExportRequest extends TimeRange {
  indexIds: IndexId[]
  resolution: ExportResolution
  format: ExportFormat
}

/** Progress of an export. */
export interface ExportProgress {
  rowCount: number
  /** From 0 to 1, by the time range processed. */
  fraction: number
}

/** Changes of an index's constituents between two calculations. */
export interface MembershipChange {
  /** Time of the last known calculation before the change. */
  afterMs: number
  /** Time of the first known calculation after the change. */
  publishedAtMs: number
  joined: Member[]
  left: Member[]
  /** Weights that changed by more than price moves explain, greatest difference first. */
  reweighted: Reweighted[]
  divisor?: { before: DecimalText; after: DecimalText }
}

/** Constituent changes of an index, as far as this computer has recorded them. */
export interface Membership {
  /** Newest first. At most `maxMembershipChanges` when shown. */
  changes: MembershipChange[]
  /** True if there are older ones. */
  hasMore: boolean
  /** Time of the first recorded calculation. Undefined if there is none. */
  knownSinceMs?: number
}

export const maxMembershipChanges = 100

/** One revision of a value, with when and how it was received. */
export interface ValueRevision extends Publication {
  learnedAtMs: number
  source: 'stream' | 'rest' | 'catchUp' | 'tool'
  connection: string
}

/** All known revisions of some values, oldest first. */
export interface Revisions {
  values: Publication[]
  /** Why the provider could not be asked for values that the history lacks. */
  problem?: string
}

/** The value of an index at a time. */
export interface ValueAt {
  id: IndexId
  atMs: number
  /** All revisions of the last value published by then, the one in effect last. Empty before the first known value. */
  revisions: ValueRevision[]
  /** When the next value was published. Undefined if a gap lies between. */
  nextPublishedAtMs?: number
  /**
   * The gap that contains the time. `unasked`: the service was not asked yet. `unknown`: the service has no values.
   * Undefined if nothing was published in the range.
   */
  gap?: { fromMs: number; toMs: number; state: 'unasked' | 'unknown' }
}
