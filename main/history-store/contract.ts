/**
 * Records, batches and queries that pass between the main process and the history. All of it is plain data. Times are
 * milliseconds since the Unix epoch and end in `Ms`. Values are texts exactly as published. `document` and `state` are
 * JSON texts that their owner checks when it reads them.
 */
import type { TimeRange } from '../../core/ranges'
import type { AlertEvent, InboxQuery } from '../../core/alert-events'
import type { Amendment } from '../../core/records'
import type { AmendmentCursor } from '../../protocol/history'
import type { IndexId, Outcome, Problem, Publication } from '../../core/model'

/** How a value arrived: streamed, fetched by REST, fetched by catch-up, or looked up by a tool. */
export type ValueOrigin = 'stream' | 'rest' | 'catchUp' | 'tool'

/**
 * One revision of one value. Its key is index, published time and amended time. A revision received again keeps the
 * time and origin of its first arrival.
 */
export interface StoredValue extends Publication {
  id: IndexId
  learnedAtMs: number
  origin: ValueOrigin
  /** Name of the connection that delivered it. */
  connection: string
  /** Id of that connection. It stays when the connection is renamed. Undefined if unknown. */
  connectionId?: string
}

/**
 * A time range (both ends included) that the service was asked for. `answered`: the history has every value the service
 * has. `unknown`: the service could not answer and is not asked again. Where two overlap, the one written later counts.
 */
export interface CoveredSpan extends TimeRange {
  id: IndexId
  state: 'answered' | 'unknown'
  askedAtMs: number
}

interface StoredRule {
  id: string
  /** Rules are listed in this order. */
  position: number
  document: string
}

/** A run of a rule begins when the rule is created, edited or re-armed, and ends at the next of these. */
export interface RuleRun {
  ruleId: string
  /** 1 for the first run of the rule, then one more each time. */
  run: number
  document: string
  startedAtMs: number
  /** Undefined for the current run. */
  endedAtMs?: number
}

/** Its key is rule, run, published time and direction. */
export interface RuleFiring {
  ruleId: string
  run: number
  publishedAtMs: number
  direction?: 'up' | 'down'
  eventId?: string
  /** The inputs of the evaluation. */
  document: string
}

/** State of a run after the value with this published time. Older checkpoints are thinned, so any may be missing. */
export interface RuleCheckpoint {
  ruleId: string
  run: number
  publishedAtMs: number
  state: string
}

/**
 * Published times (both ends included) of which a run drops its firings or checkpoints. Without `toMs`: all later ones.
 */
export interface RunStretch {
  ruleId: string
  run: number
  fromMs: number
  toMs?: number
}

/** A JSON text under a key: the catalogue, reference data, baselines, the alert engine's other data. */
export interface StoredDocument {
  /** Words joined by colons, such as `catalogue`, `base:BRTI` or `alerts:policy`. */
  key: string
  atMs: number
  document: string
}

/** Data of an index other than values. Stored when it changes, or at a limited rate. */
type SnapshotKind = 'detail' | 'constituents' | 'corporateAction' | 'conditions'

/** Its key is kind, index and published time. The one written later replaces the earlier. */
export interface StoredSnapshot {
  kind: SnapshotKind
  id: IndexId
  publishedAtMs: number
  learnedAtMs: number
  document: string
}

/**
 * One transaction: all of it is written, or nothing. Fields are written in this order, so that rows are dropped before
 * their replacements are written.
 */
export interface WriteBatch {
  values?: readonly StoredValue[]
  spans?: readonly CoveredSpan[]
  /** Each replaces the rule with the same id. */
  rules?: readonly StoredRule[]
  /** Ids. Their runs, firings and checkpoints are deleted too. Their events stay. */
  removedRules?: readonly string[]
  /** Each replaces the run with the same key. */
  runs?: readonly RuleRun[]
  droppedFirings?: readonly RunStretch[]
  firings?: readonly RuleFiring[]
  droppedCheckpoints?: readonly RunStretch[]
  checkpoints?: readonly RuleCheckpoint[]
  /** Each replaces the event with the same id. */
  events?: readonly AlertEvent[]
  /** Marks events up to this number as read. */
  readThrough?: number
  documents?: readonly StoredDocument[]
  /** Keys. */
  removedDocuments?: readonly string[]
  snapshots?: readonly StoredSnapshot[]
}

/** An index of which a batch had values that were new to the history, and their oldest published time. */
export interface Learned {
  id: IndexId
  fromMs: number
}

/** The last value of a page. */
export interface ValueCursor {
  publishedAtMs: number
  /** 0 if not amended. */
  amendedAtMs: number
}

/** Oldest first. Pass `next` as `after` to get the next page. Undefined on the last page. */
export interface ValuesPage {
  values: StoredValue[]
  next?: ValueCursor
}

/** Largest number of values in a page, and the default. */
export const maxValuesInPage = 5_000

/** The value in effect at a time. */
interface ValueAt {
  /**
   * All revisions of the last value published at or before the time, oldest first. Empty before the first value in the
   * history.
   */
  revisions: StoredValue[]
  /** Published time of the next value in the history. */
  nextPublishedAtMs?: number
}

/** An amendment from the history. */
export interface StoredAmendment extends Amendment {
  /** Ids of the events for this published time. */
  eventIds: string[]
}

/** Newest first. */
export interface AmendmentsPage {
  amendments: StoredAmendment[]
  next?: AmendmentCursor
}

/**
 * A time without values. Its ends are the values around it, or the ends of the queried range. Gaps of different state
 * can touch. `unasked`: the service was not asked. `answered`: the service has no values there. `unknown`: it could not
 * answer.
 */
export interface Gap extends TimeRange {
  state: 'unasked' | 'answered' | 'unknown'
}

/** The data the alert engine starts with. */
interface AlertStart {
  /** Ordered by position. */
  rules: StoredRule[]
  /** The current run of each rule. */
  runs: RuleRun[]
  /** The newest checkpoint of each current run, if it has one. */
  checkpoints: RuleCheckpoint[]
  /** Firings of current runs after the newest checkpoint. */
  firings: RuleFiring[]
}

/** A page of events. */
interface EventsPart {
  /** Newest first. Oldest first if the query has `after`. */
  events: AlertEvent[]
  /** Events that retract one of these. */
  retractions: AlertEvent[]
  /** Cursor of the next page. Undefined on the last page. A page may be empty. */
  next?: number
}

/** Largest number of events in a page. */
export const maxEventsInPart = 500
/** Largest number of events examined for one page. It bounds how long a commit waits for the query. */
export const maxEventsRead = 2_000

/** Largest number of snapshots in one result. Snapshots can be large. */
export const maxSnapshotsInPart = 100

interface EventCounts {
  unread: number
  /** Number of the newest event, or 0 if there are none. */
  lastNumber: number
}

export interface StoredSize {
  /** Size on disk, including `freeBytes`, the free space in the file. */
  bytes: number
  freeBytes: number
  /** Oldest published time in the history. Undefined if it is empty. */
  oldestMs?: number
}

/** How much history is kept. */
export interface HistoryBounds {
  keepDays: number
  maxBytes: number
}

export const defaultBounds: HistoryBounds = { keepDays: 90, maxBytes: 2 * 2 ** 30 }

export interface RowPastQuery {
  id: IndexId
  beforeMs?: number
  samples: readonly (TimeRange & { stepMs: number })[]
}

/** The queries, with their parameters and results. */
export interface Queries {
  /** The latest revision of the latest value of each index. */
  latest: { params: null; result: StoredValue[] }
  /**
   * `latest` returns the latest revision of each published time. `limit` is at most `maxValuesInPage`, which is the
   * default.
   */
  values: {
    params: TimeRange & { id: IndexId; revisions: 'latest' | 'all'; after?: ValueCursor; limit?: number }
    result: ValuesPage
  }
  /**
   * For each step since 1970 the first published time, then the most recently amended values and the last value. Latest
   * revisions, oldest first. At most 20,000 steps and 2,000 amended values.
   */
  samples: { params: TimeRange & { id: IndexId; stepMs: number }; result: StoredValue[] }
  valueAt: { params: { id: IndexId; atMs: number }; result: ValueAt }
  /**
   * The past of each of these rows: the latest revision of the last value at or before `beforeMs`, then the samples.
   * One query for many rows, because each query wakes two threads.
   */
  rowPasts: { params: readonly RowPastQuery[]; result: StoredValue[][] }
  /** Amendments of one index, or of all, by amended time. `limit` is at most 500, and 200 by default. */
  amendments: {
    params: { id?: IndexId; fromMs?: number; toMs?: number; before?: AmendmentCursor; limit?: number }
    result: AmendmentsPage
  }
  /** Gaps longer than `maxGapMs`, oldest first. */
  gaps: { params: TimeRange & { id: IndexId; maxGapMs: number }; result: Gap[] }
  /** Spans that touch the range, in the order they were written. */
  spans: { params: TimeRange & { id: IndexId }; result: CoveredSpan[] }

  alertStart: { params: null; result: AlertStart }
  /** All runs of a rule, oldest first. */
  runs: { params: { ruleId: string }; result: RuleRun[] }
  /**
   * The newest checkpoint before this published time. `null` if there is none: evaluation begins at the start of the
   * run.
   */
  checkpointBefore: { params: { ruleId: string; run: number; publishedAtMs: number }; result: RuleCheckpoint | null }
  /** Checkpoints at and after this published time, oldest first. */
  checkpoints: { params: { ruleId: string; run: number; fromMs: number }; result: RuleCheckpoint[] }
  /** Firings at and after this published time, oldest first. */
  firings: { params: { ruleId: string; run: number; fromMs: number }; result: RuleFiring[] }

  /** `limit` is at most `maxEventsInPart`, which is the default. */
  events: { params: InboxQuery & { limit?: number }; result: EventsPart }
  event: { params: { id: string }; result: AlertEvent | null }
  /** Events for values of this index published in the range, oldest first. Of more than 1,000 the newest 1,000. */
  eventsOf: { params: TimeRange & { id: IndexId }; result: AlertEvent[] }
  eventCounts: { params: null; result: EventCounts }

  /** Documents with one of these keys, or whose key begins with the prefix, ordered by key. */
  documents: { params: { keys: readonly string[] } | { prefix: string }; result: StoredDocument[] }
  /** The last snapshot published at or before the time. */
  snapshotAt: { params: { kind: SnapshotKind; id: IndexId; atMs: number }; result: StoredSnapshot | null }
  /** For each step since 1970 the last snapshot, newest first, at most `maxSnapshotsInPart`. */
  snapshotSamples: { params: TimeRange & { kind: SnapshotKind; id: IndexId; stepMs: number }; result: StoredSnapshot[] }

  size: { params: null; result: StoredSize }
  /** Deletes values, spans, snapshots and checkpoints before this time. Rules, events and documents stay. */
  clearBefore: { params: { beforeMs: number }; result: StoredSize }
  /** Deletes what exceeds the bounds, in the background. */
  setBounds: { params: HistoryBounds; result: null }
}

export type QueryName = keyof Queries

/** Why the history cannot be read or, if `isOpen`, cannot be written. */
export interface HistoryTrouble {
  isOpen: boolean
  problem: Problem
}

/**
 * The interface to the history. Queries are answered in order, and see everything appended or committed before them.
 * Nothing throws: problems of the disk or the thread are returned as failures.
 */
export interface HistoryAccess {
  /** Writes the values in the transaction of this turn of the event loop. The caller does not wait. */
  append(values: readonly StoredValue[]): void
  /**
   * Like `append`, and resolves when the batch is on disk, with the values that were new. On failure alert data stays
   * in memory and is written with the next successful batch. Values are kept up to a bound.
   */
  commit(batch: WriteBatch): Promise<Outcome<Learned[]>>
  query<Q extends QueryName>(name: Q, params: Queries[Q]['params']): Promise<Outcome<Queries[Q]['result']>>
}
