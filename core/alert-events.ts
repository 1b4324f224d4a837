/** Events of the inbox, and queries and answers about rules. */
import * as v from 'valibot'
import { inputsSchema } from './alert-inputs'
import { termsSchema } from './alert-schema'
import { draftEntries, holdBackReasons, type AlertRule } from './alerts'
import type { AlertPhase } from './evaluation/state'
import type { DecimalText } from './model'
import type { TimeRange } from './ranges'
import type { DraftField } from './problems'
import { countSchema, indexIdSchema, localIdSchema, timeSchema } from './shapes'

/**
 * The result of a notification. `off`: notifications are turned off. `unanswered`: the desktop did not answer within a
 * second. `heldBack`: suppressed, see `heldBackBy`. `none`: this kind of event has no notification. `inDigest`: shown
 * together with others. The inbox is complete in any case.
 */
const deliveries = [
  'pending',
  'shown',
  'failed',
  'clicked',
  'unanswered',
  'unknown',
  'off',
  'heldBack',
  'inDigest',
  'none',
] as const
export type Delivery = (typeof deliveries)[number]

/**
 * Kinds whose names do not explain them:
 * - `lateByAmendment`: an amendment made the condition true for a past time.
 * - `retracted`: an amendment undid the firing `aboutEventId`.
 * - `confirmed`: after an amendment that firing is still true, or was true at another time.
 * - `lateFromHistory`: a firing found in backfilled values.
 * - `notKnown`: a gap that cannot be filled.
 * - `sourceChanged`: another connection supplies the index.
 * - `cooldownOver`: carries the number of suppressed notifications.
 * - `recovered`: a silence ended.
 * - `cannotFire`: the service no longer has what the rule needs.
 */
export const alertEventKinds = [
  'fired',
  'lateByAmendment',
  'lateFromHistory',
  'retracted',
  'confirmed',
  'notKnown',
  'sourceChanged',
  'cooldownOver',
  'recovered',
  'snoozed',
  'expiresSoon',
  'expired',
  'suspended',
  'cannotFire',
] as const
export type AlertEventKind = (typeof alertEventKinds)[number]

export const firingKinds: readonly AlertEventKind[] = ['fired', 'lateByAmendment', 'lateFromHistory']

export function isFiring({ kind }: Pick<AlertEvent, 'kind'>): boolean {
  return firingKinds.includes(kind)
}

/** The number of firings, with those that an event only counts. */
export function firingCount(firings: readonly AlertEvent[]): number {
  return firings.reduce((sum, { heldBackCount = 0 }) => sum + 1 + heldBackCount, 0)
}

/** The origin of an event. */
export interface AlertOrigin {
  /** Name of the connection that supplied the index. Undefined if there were several and none had answered yet. */
  connection?: string
  isDemo: boolean
}

export const eventSchema = v.object({
  id: localIdSchema,
  /** Increments from 1 over the life of the inbox. */
  number: countSchema,
  kind: v.picklist(alertEventKinds),
  ruleId: localIdSchema,
  ruleVersion: countSchema,
  indexId: indexIdSchema,
  connection: v.exactOptional(v.string()),
  isDemo: v.exactOptional(v.boolean()),
  /**
   * For an event of the desk: the watcher that published it, and whether it waited for this seat to connect. Without a
   * watcher, this seat judged it.
   */
  desk: v.exactOptional(v.object({ watcher: v.exactOptional(v.string()), isLate: v.boolean() })),
  terms: termsSchema,
  hours: draftEntries.hours,
  severity: draftEntries.severity,
  note: draftEntries.note,
  recordedAtMs: timeSchema,
  inputs: inputsSchema,
  /** For `retracted` and `confirmed`: the event they are about. */
  aboutEventId: v.exactOptional(localIdSchema),
  heldBackBy: v.exactOptional(v.picklist(holdBackReasons)),
  /**
   * For `cooldownOver`: the number of suppressed notifications. For others: how many more like it were only counted.
   */
  heldBackCount: v.exactOptional(countSchema),
  /** For `snoozed`. Null: until the user ends it. */
  untilMs: v.exactOptional(v.nullable(timeSchema)),
  /** For `snoozed`: all alerts are muted, not only those of one index. */
  isMute: v.exactOptional(v.literal(true)),
  /** For `notKnown`: the gap, and the affected indices that have rules. */
  unknown: v.exactOptional(v.object({ fromMs: timeSchema, toMs: timeSchema, indexIds: v.array(indexIdSchema) })),
  /** For `sourceChanged`: names of the connections. */
  sources: v.exactOptional(v.object({ from: v.string(), to: v.string() })),
  /** For `suspended` and `cannotFire`: why, in plain words. */
  reason: v.exactOptional(v.string()),
  delivery: v.picklist(deliveries),
  /** The answer of the rule's webhook, in plain words. */
  webhookResult: v.exactOptional(v.string()),
  /** The result of the escalation if the desktop did not show the event in time, in plain words. */
  secondChannel: v.exactOptional(v.string()),
  isRead: v.boolean(),
})

/**
 * One event of a rule. Never deleted. Events from before `AlertOrigin` was stored lack its
 * fields.
 */
export type AlertEvent = v.InferOutput<typeof eventSchema>

/** One evaluation of a rule, to explain why it fired or did not. */
export interface AlertEvaluation {
  atMs: number
  publishedAtMs?: number
  /** The number that was compared. */
  value?: DecimalText
  phaseBefore: AlertPhase
  phaseAfter: AlertPhase
  hasFired: boolean
  /** In plain words, such as "armed again: 99 is below 100". */
  words: string
}

export const inboxQuerySchema = v.strictObject({
  /** Part of an index id, a note or the text of an event. */
  search: v.exactOptional(v.pipe(v.string(), v.maxLength(120))),
  kinds: v.exactOptional(v.array(v.picklist(alertEventKinds))),
  ruleId: v.exactOptional(localIdSchema),
  /** Returns events with a smaller number, newest first. Undefined: from the newest. */
  before: v.exactOptional(countSchema),
  /** Returns the next events with a larger number. */
  after: v.exactOptional(countSchema),
})

/** A query of the inbox. */
export type InboxQuery = v.InferOutput<typeof inboxQuerySchema>

export interface InboxPage {
  /** Newest first, at most 200. */
  events: AlertEvent[]
  /** Events that retracted any of these. */
  retractions: AlertEvent[]
  /** True if there are older events. For a query with `after`: newer ones. */
  hasMore: boolean
}

/** A problem of a draft, at the field to change. */
export interface DraftProblem {
  field: DraftField
  message: string
}

/** What a draft would do. */
export interface AlertPreview {
  /** The draft can be saved if this is empty. */
  problems: DraftProblem[]
  /** Whether the condition is already true. */
  isMet: boolean
  /** The number that the terms compare, as last seen, such as the change in percent. Undefined while unknown. */
  measure?: DecimalText
  /** Undefined if there are no past values to test the rule on. */
  backTest?: BackTest
}

/** When the rule would have fired on the known past values. */
export interface BackTest {
  sinceMs: number
  untilMs: number
  /** Oldest first, at most 1,000. */
  fires: { publishedAtMs: number; value: DecimalText }[]
  /** Number of firings with a band of five basis points. Set if the draft has no band and a band would reduce them. */
  firesWithBand?: number
}

/** What importing a file of rules would do. */
export interface AlertImportPreview {
  importId: string
  fileName: string
  /** `reach` says why the rule cannot fire, or that this is unchecked. */
  adds: { sentence: string; reach?: 'unchecked' | { cannotFire: string }; webhookHost?: string }[]
  /** Number of rules in the file that exist already. They are left out. */
  sameCount: number
}

/**
 * Explains a rule's state at a past time, using the present history. `judged`: the rule at that time, with its
 * evaluations up to the value in effect, newest first. `gap` is the stretch without values around that time. `notYet`:
 * it had no value yet. Its first one was published at `sinceMs`. `notByValues`: the rule depends on observations, which
 * are not stored. `lost`: its first value is no longer in the history.
 */
export type PastExplanation =
  | {
      kind: 'judged'
      rule: AlertRule
      evaluations: AlertEvaluation[]
      gap?: TimeRange
    }
  | { kind: 'notYet'; sinceMs?: number }
  | { kind: 'notByValues' }
  | { kind: 'lost' }

/** When a draft would have fired over a range of the history on this computer. */
export interface RangeTest {
  /** The range tested. It ends at the latest now, or at the last firing if the maximum was reached. */
  fromMs: number
  toMs: number
  valueCount: number
  /** Oldest first, at most 1,000. */
  fires: BackTest['fires']
  firesWithBand?: number
  /** Parts of the range without data, oldest first. At most 100. */
  notKnown: TimeRange[]
  /** The lowest and highest value of each part of the range, for a chart. Oldest first. */
  series: { publishedAtMs: number; value: DecimalText }[]
}

/** Progress of a range test. */
export interface RangeTestProgress {
  valueCount: number
  /** From 0 to 1, by the time covered. */
  fraction: number
}
