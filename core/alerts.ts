/**
 * The words of alerts. A rule waits for its terms; what happened to it is an event of the inbox, which is the truth.
 * Levels and amounts are decimal strings as typed; times are milliseconds since the Unix epoch.
 */
import {
  conditions,
  type AlertCondition,
  type ConditionSource,
  type ConditionsOf,
  type FieldsOf,
  type TermsField,
  type termsFields,
} from './alert-conditions'
import type { DecimalText, IndexId } from './model'
import type { AlertSeverity } from './severity'

/** How far a value must come back before the rule may fire again; a basis point is 0.01 % of the level. */
export interface RearmBand {
  size: DecimalText
  unit: 'points' | 'basisPoints'
}

interface KindValues {
  level: DecimalText
  number: DecimalText
  span: number
  name: string
  rearmBand: RearmBand
}

/** What a field of terms holds: a choice one of its options, any other what its kind says. */
type TermsValue<F extends TermsField> = (typeof termsFields)[F] extends { options: infer Options }
  ? keyof Options
  : (typeof termsFields)[F] extends { kind: infer Kind extends keyof KindValues }
    ? KindValues[Kind]
    : never

type Flat<T> = { [K in keyof T]: T[K] }

type TermsOf<C extends AlertCondition> = C extends AlertCondition
  ? Flat<
      { condition: C } & { [F in FieldsOf<C, 'required'>]: TermsValue<F> } & {
        [F in FieldsOf<C, 'optional'>]?: TermsValue<F>
      }
    >
  : never

/**
 * What a rule waits for, as `alert-conditions.ts` declares it.
 * - A level: equality counts as reached; `isAbove` and `isBelow` are strict, and states.
 * - A band: `low` and `high` belong to it.
 * - `moves`: the newest value against the oldest, the lowest and the highest of the last `withinMs` by publish time.
 * - `noUpdate`: no new value for `afterMs` by the monotonic clock; absent: several publications missed, by the index's
 *   cadence.
 * - `fixed`: each value that is not carried over; and once, when none has come `graceMs` after the time it was due.
 * - `weightDrift`: weight against the weight of a base, as the rule was made or as of the last change of constituents or
 *   divisor, by `points` percentage points either way; without `constituent` that of any.
 * - `continuity`: the value against the sum of value times weight over the divisor, where the index has one.
 * - `spreadAtOrAbove`: ask minus bid in basis points of the middle between them. `depthAtOrBelow`: the utilized depth as the
 *   service publishes it, which names neither side nor unit. Points of their re-arm band are in the same unit.
 */
export type AlertTerms = TermsOf<AlertCondition>

/** Terms that have this field. */
type TermsWith<F extends TermsField> = Extract<AlertTerms, Record<F, TermsValue<F>>>
export type LevelTerms = TermsWith<'level'>
export type BandTerms = TermsWith<'low'>

/** Whether terms compare the value with a level or a band, which alone have a re-arm band. */
export function hasLevels(terms: AlertTerms): terms is LevelTerms | BandTerms {
  return 'level' in terms || 'low' in terms
}

export type MoveTerms = TermsWith<'withinMs'>
export type SilenceTerms = Extract<AlertTerms, { condition: 'noUpdate' }>
export type WeightTerms = TermsWith<'weightPercent'>
export type DriftTerms = TermsWith<'points'>
export type ExchangeTerms = TermsWith<'exchange'>
export type ContinuityTerms = TermsWith<'tolerancePercent'>
export type SpreadTerms = TermsWith<'spreadBps'>
export type DepthTerms = TermsWith<'depth'>

/** Whether terms are judged by this kind of observation. */
export function isJudgedBy<Source extends ConditionSource>(
  terms: AlertTerms,
  source: Source,
): terms is TermsOf<ConditionsOf<Source>> {
  return conditions[terms.condition].source === source
}

/** `daily`: every crossing, with at most `max` notifications a day in the user's time zone. */
export type AlertRepeat =
  | { mode: 'once' }
  | { mode: 'everyCrossing' }
  | { mode: 'whileTrue'; everyMinutes: number }
  | { mode: 'daily'; max: number }

export const weekdays = ['mon', 'tue', 'wed', 'thu', 'fri', 'sat', 'sun'] as const
export type Weekday = (typeof weekdays)[number]

/** When a rule may fire, by the published time of the value and the clock of a zone. */
export interface AlertHours {
  /** On which the hours begin. */
  days: Weekday[]
  /** `HH:MM`; `from` belongs to the hours, `to` does not. One no later than `from` is of the next day. */
  from: string
  to: string
  /** An IANA name, such as `Europe/London`. */
  timeZone: string
  /** Fires as the hours begin where the condition holds already. */
  alsoIfTrue?: true
}

/** What the user decides on; all but what the app adds. */
export interface AlertDraft {
  indexId: IndexId
  terms: AlertTerms
  repeat: AlertRepeat
  severity: AlertSeverity
  /** The condition must hold this long by publish time. */
  holdMs?: number
  /** Values carried forward confirm a hold. */
  countsRepeats?: true
  /** Outside them nothing fires; absent: at any time. */
  hours?: AlertHours
  /** After a notification further ones are held back for this long, and counted. */
  cooldownMs?: number
  /** The zone is the one the user named the time in. */
  expiresAt?: { atMs: number; timeZone: string }
  /** The user's own words, shown with each notification. */
  note?: string
  /** Rules of one group can be snoozed at once. */
  group?: string
  /** Gets each notification by a POST; https, or http to this machine. */
  webhookUrl?: string
}

export interface AlertRule extends AlertDraft {
  id: string
  /** 1, and one more with each edit. */
  version: number
  createdAtMs: number
}

/**
 * `waiting` nothing seen since it was made · `disarmed` the condition holds already, or held when it last fired: waits
 * for it to end · `armed` · `holding` the condition holds, not yet long enough · `triggered` fired once, done
 * · `suspended` fired too often · `expired`.
 */
export type AlertPhase = 'waiting' | 'disarmed' | 'armed' | 'holding' | 'triggered' | 'suspended' | 'expired'

/** What is silenced. `null`: until the user ends it. */
export type SnoozeScope =
  | { of: 'rule'; ruleId: string }
  | { of: 'index'; indexId: IndexId }
  | { of: 'group'; group: string }
  | { of: 'all' }
export interface AlertSnooze {
  scope: SnoozeScope
  untilMs: number | null
}

/** Why a notification was held back. */
export const holdBackReasons = ['cooldown', 'snooze', 'muted', 'hours', 'dailyLimit', 'suspended'] as const
export type HoldBackReason = (typeof holdBackReasons)[number]

/** `cannotFire` says why, after a colon; `sinceMs` is when that was noticed. */
export type RuleReach = 'unchecked' | { cannotFire: string; sinceMs: number }

/** A rule with its present state. */
export interface AlertView extends AlertRule {
  phase: AlertPhase
  /** How long the condition has held by publish time, while `holding`. */
  heldMs?: number
  /** Why, in plain words, while `suspended`. */
  suspension?: string
  /** Not known yet whether it can fire at all, or known that it cannot, and why; absent while nothing stands against it. */
  reach?: RuleReach
  /** The end of the present cooldown, and how many notifications it has held back. */
  cooldown?: { untilMs: number; heldBack: number }
  /** What the terms compare, as last seen: a change in percent, a weight. The value itself is the row's. */
  measure?: DecimalText
}
