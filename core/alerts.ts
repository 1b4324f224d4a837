/**
 * Types of alerts. A rule waits for its terms. Events in the inbox record what happened to it. Levels and amounts are
 * decimal strings as typed. Times are milliseconds since 1970.
 */
import * as v from 'valibot'
import { conditions, type AlertCondition, type ConditionsOf } from './conditions/list'
import type { TermsField } from './conditions/fields'
import { timingSchema } from './alert-timing'
import type { ConditionSource, FieldValues, Flat, TermsValue } from './evaluation/condition'
import type { AlertPhase } from './evaluation/state'
import type { DecimalText, IndexId } from './model'
import { severities } from './severity'
import { countSchema, indexIdSchema, isTimeZone, localIdSchema, nameSchema, timeSchema } from './shapes'

type TermsOf<C extends AlertCondition> = C extends AlertCondition
  ? Flat<{ condition: C } & FieldValues<(typeof conditions)[C]['fields']>>
  : never

/** What a rule waits for: a condition of `conditions/` with its fields. */
export type AlertTerms = TermsOf<AlertCondition>

/** Terms that have this field. */
export type TermsWith<F extends TermsField> = Extract<AlertTerms, Record<F, TermsValue<F>>>
/** A level of the mean of a time window. */
export type MeanTerms = Extract<TermsWith<'level'>, TermsWith<'withinMs'>>
export type LevelTerms = Exclude<TermsWith<'level'>, MeanTerms>
export type BandTerms = TermsWith<'low'>

/** Whether terms compare a value or a mean with a level or a band. Only these have a re-arm band. */
export function hasLevels(terms: AlertTerms): terms is LevelTerms | MeanTerms | BandTerms {
  return 'level' in terms || 'low' in terms
}

export type MoveTerms = Exclude<TermsWith<'withinMs'>, MeanTerms>

/** Whether terms compare values within a time window. */
export function hasWindow(terms: AlertTerms): terms is MoveTerms | MeanTerms {
  return 'withinMs' in terms
}

export function isMean(terms: AlertTerms): terms is MeanTerms {
  return 'level' in terms && 'withinMs' in terms
}

/** Whether terms depend on this kind of observation. */
export function dependsOn<Source extends ConditionSource>(
  terms: AlertTerms,
  source: Source,
): terms is TermsOf<ConditionsOf<Source>> {
  return conditions[terms.condition].source === source
}

const { repeat, ...timing } = timingSchema.entries

/** What the user chooses besides index and terms. */
export const draftEntries = {
  repeat,
  severity: v.picklist(severities),
  ...timing,
  /** After a notification, further ones are suppressed for this long and counted. */
  cooldownMs: v.exactOptional(countSchema),
  /** `timeZone` is the zone in which the user named the time. */
  expiresAt: v.exactOptional(
    v.strictObject({
      atMs: timeSchema,
      timeZone: v.pipe(v.string(), v.maxLength(64), v.check(isTimeZone, 'Choose a time zone such as Europe/London.')),
    }),
  ),
  /** The user's own words, shown with each notification. */
  note: v.exactOptional(v.pipe(v.string(), v.minLength(1), v.maxLength(500))),
  /** Rules of one group can be snoozed together. */
  group: v.exactOptional(v.pipe(v.string(), v.minLength(1), v.maxLength(60))),
  /** Receives each notification by POST. Must be https, or http on this machine. */
  webhookUrl: v.exactOptional(v.pipe(v.string(), v.maxLength(2048))),
}
const entriesSchema = v.object(draftEntries)

/** What the user chooses. A rule adds the app's fields. */
export type AlertDraft = { indexId: IndexId; terms: AlertTerms } & v.InferOutput<typeof entriesSchema>

export interface AlertRule extends AlertDraft {
  id: string
  /** Starts at 1 and increments with each edit. */
  version: number
  createdAtMs: number
  /** The id of the list alert (`list-alerts.ts`) that keeps this rule. */
  follows?: string
}

/** A draft as the engine takes it. */
export type RuleDraft = AlertDraft & Pick<AlertRule, 'follows'>

export const scopeSchema = v.variant('of', [
  v.strictObject({ of: v.literal('rule'), ruleId: localIdSchema }),
  v.strictObject({ of: v.literal('index'), indexId: indexIdSchema }),
  v.strictObject({ of: v.literal('group'), group: nameSchema }),
  v.strictObject({ of: v.literal('all') }),
])
export type SnoozeScope = v.InferOutput<typeof scopeSchema>

/** A snooze. `untilMs` is null if it lasts until the user ends it. */
export const snoozeSchema = v.strictObject({ scope: scopeSchema, untilMs: v.nullable(timeSchema) })
export type AlertSnooze = v.InferOutput<typeof snoozeSchema>

/** Why a notification was suppressed. */
export const holdBackReasons = ['cooldown', 'snooze', 'muted', 'hours', 'dailyLimit', 'suspended'] as const
export type HoldBackReason = (typeof holdBackReasons)[number]

/** `cannotFire` is the reason, without a subject. `sinceMs` is when it was noticed. */
export type RuleValidity = 'unchecked' | { cannotFire: string; sinceMs: number }

/** A rule with its current state. */
export interface AlertView extends AlertRule {
  phase: AlertPhase
  /** How long the condition has held by published time. Set while `holding`. */
  heldMs?: number
  /** The reason in plain words. Set while `suspended`. */
  suspension?: string
  /** Why the rule cannot fire, or that this is unchecked. Undefined if it can fire. */
  reach?: RuleValidity
  /** The end of the current cooldown, and how many notifications it has suppressed. */
  cooldown?: { untilMs: number; heldBack: number }
  /**
   * The number that the terms compare, as last seen: a change in percent, a weight. Undefined if it is the value
   * itself.
   */
  measure?: DecimalText
  /** For a list alert: the name of its list or section. */
  anyOf?: string
}
