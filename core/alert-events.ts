/** What happens to alert rules: the events of the inbox, and what is asked and answered about rules. */
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
 * What became of the notification: the inbox is the truth, a notification only announces it. `off`: the user wants none.
 * `unanswered`: the desktop had not answered after a second. `heldBack`: see `heldBackBy`. `none`: this kind of event has no
 * notification. `inDigest`: shown together with others.
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
 * `fired` · `lateByAmendment` an amendment made the condition true for a time past · `retracted` an amendment undid
 * `aboutEventId` · `confirmed` it is still true, or was true earlier · `lateFromHistory` found in values learned late
 * · `notKnown` what was published in a time could not be learned · `sourceChanged` another connection answers for the index
 * · `cooldownOver` how many notifications were held back
 * · `recovered` the end of a silence · `snoozed` · `expiresSoon` · `expired` · `suspended`
 * · `cannotFire` the service no longer has what the rule waits for.
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

/** Where an event came from. */
export interface AlertOrigin {
  /** Name of the connection that answered for the index then; absent where none of several had answered yet. */
  connection?: string
  isDemo: boolean
}

export const eventSchema = v.object({
  id: localIdSchema,
  /** Counts up from 1 over the life of the record. */
  number: countSchema,
  kind: v.picklist(alertEventKinds),
  ruleId: localIdSchema,
  ruleVersion: countSchema,
  indexId: indexIdSchema,
  connection: v.exactOptional(v.string()),
  isDemo: v.exactOptional(v.boolean()),
  terms: termsSchema,
  hours: draftEntries.hours,
  severity: draftEntries.severity,
  note: draftEntries.note,
  recordedAtMs: timeSchema,
  inputs: inputsSchema,
  /** The event that is retracted or confirmed. */
  aboutEventId: v.exactOptional(localIdSchema),
  heldBackBy: v.exactOptional(v.picklist(holdBackReasons)),
  /** Of `cooldownOver`: notifications held back. Of others: how many more like it were not recorded one by one. */
  heldBackCount: v.exactOptional(countSchema),
  /** Of `snoozed`; `null`: until the user says otherwise. */
  untilMs: v.exactOptional(v.nullable(timeSchema)),
  /** Of `snoozed`: all alerts are muted, not those of one index alone. */
  isMute: v.exactOptional(v.literal(true)),
  /** Of `notKnown`: the time, and the indices that rules watch. */
  unknown: v.exactOptional(v.object({ fromMs: timeSchema, toMs: timeSchema, indexIds: v.array(indexIdSchema) })),
  /** Of `sourceChanged`: names of the connections. */
  sources: v.exactOptional(v.object({ from: v.string(), to: v.string() })),
  /** Of `suspended` and `cannotFire`: why, in plain words. */
  reason: v.exactOptional(v.string()),
  delivery: v.picklist(deliveries),
  /** What the rule's webhook answered, in plain words. */
  webhookResult: v.exactOptional(v.string()),
  /** What became of it by the second channel, where the desktop did not show it in time, in plain words. */
  secondChannel: v.exactOptional(v.string()),
  isRead: v.boolean(),
})

/** One thing that happened to a rule, kept for good. Events of before `AlertOrigin` was kept have none of it. */
export type AlertEvent = v.InferOutput<typeof eventSchema>

/** A notification: of one event, or of several at once. */
export type AlertNotification = { kind: 'single'; event: AlertEvent } | { kind: 'digest'; events: AlertEvent[] }

/** One evaluation of a rule, to say why it fired or did not. */
export interface AlertEvaluation {
  atMs: number
  publishedAtMs?: number
  /** What was compared. */
  value?: DecimalText
  phaseBefore: AlertPhase
  phaseAfter: AlertPhase
  hasFired: boolean
  /** In plain words, such as "armed again: 99 is below 100". */
  words: string
}

export const inboxQuerySchema = v.strictObject({
  /** Part of an index id, a note or the words of an event. */
  search: v.exactOptional(v.pipe(v.string(), v.maxLength(120))),
  kinds: v.exactOptional(v.array(v.picklist(alertEventKinds))),
  ruleId: v.exactOptional(localIdSchema),
  /** Events with a number below this one; absent: the newest. */
  before: v.exactOptional(countSchema),
  /** Events with a number above this one, those next to it. */
  after: v.exactOptional(countSchema),
})

/** What is asked of the inbox. */
export type InboxQuery = v.InferOutput<typeof inboxQuerySchema>

export interface InboxPage {
  /** Newest first, at most 200. */
  events: AlertEvent[]
  /** What has retracted any of them. */
  retractions: AlertEvent[]
  /** There are older ones; of those asked for with `after`, newer ones. */
  hasMore: boolean
}

/** A fault of a draft, at the field that is to be changed. */
export interface DraftProblem {
  field: DraftField
  message: string
}

/** What a draft would do. */
export interface AlertPreview {
  /** Nothing stands in the way while this is empty. */
  problems: DraftProblem[]
  /** Whether the condition holds already. */
  isMet: boolean
  /** What the terms compare, as last seen, such as the change in percent; absent while unknown. */
  measure?: DecimalText
  /** Absent where there is no history to try the rule on. */
  backTest?: BackTest
}

/** When the rule would have fired in the history that is known. */
export interface BackTest {
  sinceMs: number
  untilMs: number
  /** Oldest first, at most 1,000. */
  fires: { publishedAtMs: number; value: DecimalText }[]
  /** As many with a band of five basis points, where the draft has none and that makes fewer. */
  firesWithBand?: number
}

/** What importing a file of rules would do. */
export interface AlertImportPreview {
  importId: string
  fileName: string
  /** `reach` says what stands against that it can fire. */
  adds: { sentence: string; reach?: 'unchecked' | { cannotFire: string }; webhookHost?: string }[]
  /** Equal to a rule that is there; left out. */
  sameCount: number
}

/**
 * Why a rule stood as it did at a time of the past, by what is in the history now. `judged`: as it was then, with the
 * evaluations up to the value in force, newest first; `gap` is the stretch without values that the time lies in.
 * `notYet`: it has seen no value by then; its first one was published at `sinceMs`. `notByValues`: rules of its kind go by
 * what was observed, which nobody can look at again. `lost`: what it began with is no longer in the history.
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
  /** What was tested: to now at the latest, and to the last firing where there are more than are counted. */
  fromMs: number
  toMs: number
  valueCount: number
  /** Oldest first, at most 1,000. */
  fires: BackTest['fires']
  firesWithBand?: number
  /** Stretches of the range of which the history cannot say what was published, oldest first; at most 100. */
  notKnown: TimeRange[]
  /** The lowest and the highest value of each part of the range, for a chart; oldest first. */
  series: { publishedAtMs: number; value: DecimalText }[]
}

/** How far such a test is. */
export interface RangeTestProgress {
  valueCount: number
  /** From 0 to 1, by the time that was gone through. */
  fraction: number
}
