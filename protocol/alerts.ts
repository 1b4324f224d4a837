/**
 * The words of alerts. A rule waits for its terms; what happened to it is an event of the inbox, which is the truth.
 * Levels and amounts are decimal strings as typed; times are milliseconds since the Unix epoch.
 */
import type { DecimalText, IndexId } from './model'
import type { AlertSeverity } from './severity'

export { severities, type AlertSeverity } from './severity'

/** How far a value must come back before the rule may fire anew; a basis point is 0.01 % of the level. */
export interface RearmBand {
  size: DecimalText
  unit: 'points' | 'basisPoints'
}

export const levelConditions = ['risesTo', 'fallsTo', 'crosses', 'isAbove', 'isBelow'] as const
export const bandConditions = ['entersBand', 'leavesBand'] as const
/** Conditions that say all by their name. The last two are about the constituents. */
export const plainConditions = [
  'carriedOver',
  'amended',
  'corporateAction',
  'constituentsChanged',
  'divisorChanged',
] as const
export const weightConditions = ['weightAtOrAbove', 'weightAtOrBelow'] as const

/** What a value does to a level. Equality counts as reached; `isAbove` and `isBelow` are strict, and states. */
export interface LevelTerms {
  condition: (typeof levelConditions)[number]
  level: DecimalText
  rearmBand?: RearmBand
}

/** `low` and `high` belong to the band. */
export interface BandTerms {
  condition: (typeof bandConditions)[number]
  low: DecimalText
  high: DecimalText
  rearmBand?: RearmBand
}

/** The newest value against the oldest, the least and the greatest of the last `withinMs` by publish time. */
export interface MoveTerms {
  condition: 'moves'
  direction: 'up' | 'down' | 'either'
  amount: DecimalText
  unit: 'percent' | 'points'
  withinMs: number
}

/** No new value for this long by the monotonic clock; absent: several publications missed, by the index's cadence. */
export interface SilenceTerms {
  condition: 'noUpdate'
  afterMs?: number
}

export interface PlainTerms {
  condition: (typeof plainConditions)[number]
}

export interface WeightTerms {
  condition: (typeof weightConditions)[number]
  constituent: string
  weightPercent: DecimalText
}

/** Weight against the weight of a base: as the rule was made, or as of the last change of constituents or divisor. */
export interface DriftTerms {
  condition: 'weightDrift'
  /** Absent: any constituent. */
  constituent?: string
  /** Percentage points, either way. */
  points: DecimalText
  base: 'made' | 'rebalance'
}

export interface ExchangeTerms {
  condition: 'exchangeShareAtOrBelow'
  constituent: string
  exchange: string
  sharePercent: DecimalText
}

/** The value against the sum of value times weight over the divisor, where the index has one. */
export interface ContinuityTerms {
  condition: 'continuity'
  tolerancePercent: DecimalText
}

export type AlertTerms =
  | LevelTerms
  | BandTerms
  | MoveTerms
  | SilenceTerms
  | PlainTerms
  | WeightTerms
  | DriftTerms
  | ExchangeTerms
  | ContinuityTerms
export type AlertCondition = AlertTerms['condition']

/** `daily`: every crossing, at most so many notices a day in the user's time zone. */
export type AlertRepeat =
  | { mode: 'once' }
  | { mode: 'everyCrossing' }
  | { mode: 'whileTrue'; everyMinutes: number }
  | { mode: 'daily'; most: number }

/** What the user decides on; all but what the app adds. */
export interface AlertDraft {
  indexId: IndexId
  terms: AlertTerms
  repeat: AlertRepeat
  severity: AlertSeverity
  /** The condition must hold this long by publish time. */
  holdMs?: number
  /** Values carried over confirm a hold. */
  countsRepeats?: true
  /** After a notice further ones are held back for this long, and counted. */
  cooldownMs?: number
  /** The zone is the one the user named the time in. */
  expiresAt?: { atMs: number; timeZone: string }
  /** The user's own words, told with each notice. */
  note?: string
  /** Rules of one group can be snoozed at once. */
  group?: string
  /** Told of each notice by a POST; https alone. */
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
export const alertPhases = ['waiting', 'disarmed', 'armed', 'holding', 'triggered', 'suspended', 'expired'] as const
export type AlertPhase = (typeof alertPhases)[number]

/** What is silenced. `null`: until the user says otherwise. */
export type SnoozeScope =
  { of: 'rule'; ruleId: string } | { of: 'index'; indexId: IndexId } | { of: 'group'; group: string } | { of: 'all' }
export interface AlertSnooze {
  scope: SnoozeScope
  untilMs: number | null
}

/** Why a notice was held back. */
export const holdBackReasons = ['cooldown', 'snooze', 'muted', 'dailyLimit', 'suspended'] as const
export type HoldBackReason = (typeof holdBackReasons)[number]

/** A rule with its present state. */
export interface AlertView extends AlertRule {
  phase: AlertPhase
  /** How long the condition has held by publish time, while `holding`. */
  heldMs?: number
  /** Why, in plain words, while `suspended`. */
  suspension?: string
  /** The end of the present cooldown, and how many notices it has held back. */
  cooldown?: { untilMs: number; heldBack: number }
  /** What the terms compare, as last seen: a change in percent, a weight. The value itself is the row's. */
  measure?: DecimalText
}
