/**
 * What passes between the main process and the history: records, the turn that writes them, and the questions that read
 * them. All of it is plain data. Times are milliseconds since the Unix epoch and end in `Ms`; values are texts exactly as
 * published. What belongs to one owner alone (states of rules, documents) is JSON text that the owner checks on reading.
 */
import type { TimeRange } from '../../core/ranges'
import type { AlertEvent, InboxQuery } from '../../core/alert-events'
import type { Amendment } from '../../core/records'
import type { AmendmentCursor } from '../../protocol/history'
import type { IndexId, Outcome, Problem, Publication } from '../../core/model'

/** How a value became known: pushed, asked for as it was new, asked for to fill a gap, or looked up by a tool. */
export type ValueOrigin = 'stream' | 'rest' | 'catchUp' | 'tool'

/**
 * One revision of one value. Its key is index, published time and amended time: one that is learned again is kept once,
 * with the time and the origin it was first learned by.
 */
export interface StoredValue extends Publication {
  id: IndexId
  learnedAtMs: number
  origin: ValueOrigin
  /** Name of the connection it came by. */
  connection: string
  /** Its id, which stays when it is renamed; absent where that is not known. */
  connectionId?: string
}

/**
 * A stretch of time (both ends included) that the service was asked for. `answered`: all it has of it is in the history.
 * `unknown`: it could not say, and is not asked again. Where two overlap the one written later holds.
 */
export interface CoveredSpan extends TimeRange {
  id: IndexId
  state: 'answered' | 'unknown'
  askedAtMs: number
}

interface StoredRule {
  id: string
  /** Rules are answered in this order. */
  position: number
  document: string
}

/** One life of a rule, from being made, edited or armed again to the next of these. */
export interface RuleRun {
  ruleId: string
  /** 1, and one more with each run of the rule. */
  run: number
  document: string
  startedAtMs: number
  /** Absent while it is the present one. */
  endedAtMs?: number
}

/** Its key is rule, run, published time and direction. */
export interface RuleFiring {
  ruleId: string
  run: number
  publishedAtMs: number
  direction?: 'up' | 'down'
  eventId?: string
  /** What it was judged by. */
  document: string
}

/** The state of a run after the value of this time. Any may be missing, since older ones are thinned out. */
export interface RuleCheckpoint {
  ruleId: string
  run: number
  publishedAtMs: number
  state: string
}

/** What a run no longer holds of these published times, both included; without an end, of all later ones. */
export interface RunStretch {
  ruleId: string
  run: number
  fromMs: number
  toMs?: number
}

/** A keyed JSON text: the catalogue, reference data, bases, what the alert engine keeps beside its rules. */
export interface StoredDocument {
  /** Words joined by colons, such as `catalogue`, `base:BRTI` or `alerts:policy`. */
  key: string
  atMs: number
  document: string
}

/** What is known of an index beside its values, kept where it changes or at a modest pace. */
type SnapshotKind = 'detail' | 'constituents' | 'corporateAction' | 'conditions'

/** Its key is kind, index and published time; the later one written holds. */
export interface StoredSnapshot {
  kind: SnapshotKind
  id: IndexId
  publishedAtMs: number
  learnedAtMs: number
  document: string
}

/**
 * One transaction: all of it is on the disk, or nothing. Written in the order of the fields, so what is dropped is
 * dropped before what takes its place is written.
 */
export interface WriteBatch {
  values?: readonly StoredValue[]
  spans?: readonly CoveredSpan[]
  /** Each takes the place of the rule of the same id. */
  rules?: readonly StoredRule[]
  /** Ids; their runs, firings and checkpoints go too, their events stay. */
  removedRules?: readonly string[]
  /** Each takes the place of the run of the same key. */
  runs?: readonly RuleRun[]
  droppedFirings?: readonly RunStretch[]
  firings?: readonly RuleFiring[]
  droppedCheckpoints?: readonly RunStretch[]
  checkpoints?: readonly RuleCheckpoint[]
  /** Each takes the place of the event of the same id. */
  events?: readonly AlertEvent[]
  /** Events up to this number are read. */
  readThrough?: number
  documents?: readonly StoredDocument[]
  /** Keys. */
  removedDocuments?: readonly string[]
  snapshots?: readonly StoredSnapshot[]
}

/** Of one index, what a turn had that the history did not: how many revisions, and the oldest time of them. */
export interface Learned {
  id: IndexId
  count: number
  fromMs: number
}

/** Where a page of values ended. */
export interface ValueCursor {
  publishedAtMs: number
  /** 0: not amended. */
  amendedAtMs: number
}

/** Oldest first. A next page is asked for with `after`; without `next` there is none. */
export interface ValuesPage {
  values: StoredValue[]
  next?: ValueCursor
}

/** How many values a page has at most, and where nothing else is asked. */
export const maxValuesInPage = 5_000

/** The value in force at a time. */
interface ValueAt {
  /** All revisions of the last value published by then, the latest last; empty before the first in the history. */
  revisions: StoredValue[]
  /** The next published time in the history. */
  nextPublishedAtMs?: number
}

/** One amendment as the history has it. */
export interface StoredAmendment extends Amendment {
  /** Ids of the events that its published time was part of. */
  eventIds: string[]
}

/** Newest amendment first. */
export interface AmendmentsPage {
  amendments: StoredAmendment[]
  next?: AmendmentCursor
}

/**
 * A stretch without values; its ends are the values around it, or the ends of what was asked. Stretches of different
 * state touch: `unasked` nobody asked the service · `answered` it has nothing · `unknown` it could not say.
 */
export interface Gap extends TimeRange {
  state: 'unasked' | 'answered' | 'unknown'
}

/** What the alert engine begins with. */
interface AlertStart {
  /** In their order. */
  rules: StoredRule[]
  /** The present run of each. */
  runs: RuleRun[]
  /** The newest checkpoint of each present run that has one. */
  checkpoints: RuleCheckpoint[]
  /** Of present runs, those after the newest checkpoint. */
  firings: RuleFiring[]
}

/** One part of an answer about events. */
interface EventsPart {
  /** As read: newest first, or oldest first where it was asked for those after a number. */
  events: AlertEvent[]
  /** What has retracted any of them. */
  retractions: AlertEvent[]
  /** Where to read on, in the place of what was asked; absent: there is nothing more. The next part may be empty. */
  next?: number
}

/** How many events a part has at most. */
export const maxEventsInPart = 500
/** How many are looked at for it, so that whatever is to be written waits for so many alone. */
export const maxEventsRead = 2_000

/** Snapshots can be large: an answer has so many at most. */
export const maxSnapshotsInPart = 100

interface EventCounts {
  total: number
  unread: number
  /** The number of the newest event; 0: there is none. */
  lastNumber: number
}

export interface StoredSize {
  /** On the disk, with what is free in the file. */
  bytes: number
  freeBytes: number
  /** The oldest published time in the history; absent while it is empty. */
  oldestMs?: number
}

/** What is kept of the values. */
export interface HistoryBounds {
  keepDays: number
  maxBytes: number
}

export const defaultBounds: HistoryBounds = { keepDays: 90, maxBytes: 2 * 2 ** 30 }

/** What can be asked, and what is answered. */
export interface Queries {
  /** The latest value of each index, in its latest revision. */
  latest: { params: null; result: StoredValue[] }
  /** `latest`: of each published time its latest revision. `limit`: at most, and as default, `maxValuesInPage`. */
  values: {
    params: TimeRange & { id: IndexId; revisions: 'latest' | 'all'; after?: ValueCursor; limit?: number }
    result: ValuesPage
  }
  /**
   * Of each step, counted from 1970, the first published time, those amended last, and the last of all; each in its latest
   * revision, oldest first, at most 20,000 and 2,000.
   */
  samples: { params: TimeRange & { id: IndexId; stepMs: number }; result: StoredValue[] }
  valueAt: { params: { id: IndexId; atMs: number }; result: ValueAt }
  /** Of one index or of all; by amended time. At most 500, 200 where nothing else is asked. */
  amendments: {
    params: { id?: IndexId; fromMs?: number; toMs?: number; before?: AmendmentCursor; limit?: number }
    result: AmendmentsPage
  }
  /** Stretches longer than `maxGapMs` without a value, oldest first. */
  gaps: { params: TimeRange & { id: IndexId; maxGapMs: number }; result: Gap[] }
  /** Those that touch the range, in the order they were written. */
  spans: { params: TimeRange & { id: IndexId }; result: CoveredSpan[] }

  alertStart: { params: null; result: AlertStart }
  /** All runs of a rule, oldest first. */
  runs: { params: { ruleId: string }; result: RuleRun[] }
  /** The newest one before this published time; `null`: there is none, the fold starts with the run. */
  checkpointBefore: { params: { ruleId: string; run: number; publishedAtMs: number }; result: RuleCheckpoint | null }
  /** From this published time on (included), oldest first. */
  checkpoints: { params: { ruleId: string; run: number; fromMs: number }; result: RuleCheckpoint[] }
  /** As `checkpoints`. */
  firings: { params: { ruleId: string; run: number; fromMs: number }; result: RuleFiring[] }

  /** At most, and as default, `maxEventsInPart`. */
  events: { params: InboxQuery & { limit?: number }; result: EventsPart }
  event: { params: { id: string }; result: AlertEvent | null }
  /** Events judged by values of this index published in the range, oldest first, the newest 1,000 of more. */
  eventsOf: { params: TimeRange & { id: IndexId }; result: AlertEvent[] }
  eventCounts: { params: null; result: EventCounts }

  /** Those whose key is, or begins with, this; by key. */
  documents: { params: { key: string } | { prefix: string }; result: StoredDocument[] }
  /** The last one published by then. */
  snapshotAt: { params: { kind: SnapshotKind; id: IndexId; atMs: number }; result: StoredSnapshot | null }
  /** Of each step, counted from 1970, the last one; newest first, at most `maxSnapshotsInPart`. */
  snapshotSamples: { params: TimeRange & { kind: SnapshotKind; id: IndexId; stepMs: number }; result: StoredSnapshot[] }

  size: { params: null; result: StoredSize }
  /** Deletes values, spans, snapshots and checkpoints from before this time; rules, events and documents stay. */
  clearBefore: { params: { beforeMs: number }; result: StoredSize }
  /** What is beyond the bounds goes in the background. */
  setBounds: { params: HistoryBounds; result: null }
}

export type QueryName = keyof Queries

/** What keeps the history in use from being read, or, where it is open, from being written to. */
export interface HistoryTrouble {
  isOpen: boolean
  problem: Problem
}

/**
 * The door to the history. What is asked is answered in the order it was asked, after everything appended or committed
 * before. Nothing throws: a problem of the disk or of the thread is a failure.
 */
export interface HistoryAccess {
  /** Written with everything of this turn of the event loop, in one transaction; nobody waits for it. */
  append(values: readonly StoredValue[]): void
  /**
   * As `append`, and answers when it is on the disk: what of the values was new. A failure says why it is not there yet:
   * what belongs to alerts is kept in memory and written with the next turn that succeeds, values up to a bound.
   */
  commit(batch: WriteBatch): Promise<Outcome<Learned[]>>
  query<Q extends QueryName>(name: Q, params: Queries[Q]['params']): Promise<Outcome<Queries[Q]['result']>>
}
