/** The interface of a condition. `conditions/` has a file for each, and `conditions/list.ts` names them all. */
import type { AlertInputs } from '../alert-inputs'
import type { AlertTiming } from '../alert-timing'
import type { TermsField, termsFields } from '../conditions/fields'
import type { Decimal } from '../decimal'
import type { DecimalText, IndexId, IndexInfo, MarketConditions, Publication } from '../model'
import type { Reading } from './latch'
import type { SeenBy } from './observation'
import type { Direction, Latch, RuleMemory, RuleState } from './state'
import type { Verdict } from './verdict'

/** How far a value must go back before the rule re-arms. A basis point is 0.01 % of the level. */
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

/** The value of a field of terms: one of the options of a choice, otherwise by its kind. */
export type TermsValue<F extends TermsField> = (typeof termsFields)[F] extends { options: infer Options }
  ? keyof Options
  : (typeof termsFields)[F] extends { kind: infer Kind extends keyof KindValues }
    ? KindValues[Kind]
    : never

/** The fields of one condition. */
export type FieldsSpec = Readonly<Partial<Record<TermsField, 'required' | 'optional'>>>

export type Flat<T> = { [K in keyof T]: T[K] }

/** The values of the fields of one condition. */
export type FieldValues<Fields extends FieldsSpec> = Flat<
  {
    [F in keyof Fields & TermsField as Fields[F] extends 'required' ? F : never]: TermsValue<F>
  } & {
    [F in keyof Fields & TermsField as Fields[F] extends 'required' ? never : F]?: TermsValue<F>
  }
>

/** The kind of observation that a condition depends on. */
export type ConditionSource = keyof SeenBy

export const conditionGroups = ['Value', 'Publication', 'Constituents', 'Market'] as const

export type NumberFormat = (value: DecimalText) => string

/** How a place writes numbers and times. */
export interface EventFormat {
  number: NumberFormat
  time: (ms: number) => string
  /** Several connections are in use, so each event names its own. */
  namesConnections?: boolean
}

/**
 * The inputs for the text of a firing. `value` and `amount` are formatted. `value` ends with its time if that is shown.
 */
export interface Fired {
  indexId: IndexId
  inputs: AlertInputs
  value: string
  amount: string
  format: EventFormat
}

/** A rule in the form for its condition. */
export interface JudgedRule<Terms> extends AlertTiming {
  terms: Terms
  createdAtMs: number
}

/** Whether a value changes no latch, so it neither fires nor arms. */
export type LeavesLatches = (value: Decimal, latch: Latch) => boolean

/** Terms in the form for their condition. */
type Terms<Fields extends FieldsSpec> = { condition: string } & FieldValues<Fields>

interface Described<Fields extends FieldsSpec, Source extends ConditionSource> {
  /** The group in which it is offered. */
  group: (typeof conditionGroups)[number]
  fields: Fields
  source: Source
  /** What an index must publish for it. Undefined if every index does. */
  requires?: 'constituents' | 'divisor' | 'realTime' | 'marketConditions' | 'fixing'
  /** Whether the condition can stay true. Otherwise it ends the moment it comes true. */
  canHold: boolean
  /** Whether the condition may be true already when the rule is created. */
  canBeTrueAtStart: boolean
  /** The watch that reports it when nothing is published. */
  watch?: 'silence' | 'fixing'
  /** Sees every revision, also of older values. The history does not recompute such a condition. */
  seesRevisions?: true
  /** Sees values that are carried forward. */
  seesRepeats?: true
  /** On which side of the value its level is. */
  levelLies?: 'above' | 'below'

  /** The sentence after "BRTI": the condition in brackets, each field in braces at its place. */
  sentence: string
  /** Its text in the list of conditions, if the text in brackets is not enough. */
  offered?: string
  /** Realistic terms. */
  samples: readonly FieldValues<Fields>[]
  /** The condition without its amount. By default the text in brackets. */
  words?(terms: Terms<Fields>): string
  /** The level or amount of the terms with its unit. Absent if there is none. */
  amount?(terms: Terms<Fields>, number: NumberFormat): string
  /** Several firings without values: `crossed 68,000`. */
  past(terms: Terms<Fields>, amount: string): string
  /** One firing: `rose to 68,000.12 (level 68,000)`. */
  fired(terms: Terms<Fields>, said: Fired): string
  /** The text if the condition is true now. `already` is "is already" or "was just". */
  met?(terms: Terms<Fields>, said: { indexId: IndexId; already: string; amount: string }): string
  /** Where the value was when the condition ended. By default above or below the level. */
  over?: string
  /** The direction of a firing, for a condition that fires both ways. */
  firedDirection?(inputs: AlertInputs): Direction | undefined
  /** The unit of the compared number, with a leading space, if it is not the value of the index. */
  unit?: string
  /** The unit of the measured number, if it differs. */
  measureUnit?(terms: Terms<Fields>): string

  /** Problems of fields that are valid by themselves. */
  check?(terms: Terms<Fields>, index: IndexInfo | undefined): { field: TermsField; message: string }[]
  /** What the terms need and these market conditions lack. */
  unpublished?(conditions: MarketConditions): string | undefined
  /** Whether a value meets the terms. `undefined` if it is not a number. */
  isMetBy?(terms: Terms<Fields>, value: DecimalText): boolean | undefined
  /** For levels and bands: a cheap test for values that change nothing, which are most. */
  leavesLatches?(terms: Terms<Fields>): LeavesLatches | undefined
  /** All numbers other than zero with which `leavesLatches` compares a value, each as the nearest float. */
  edges?(terms: Terms<Fields>): readonly number[]
  /** Adds a value evaluated before a restart to the memory. */
  recall?(terms: Terms<Fields>, state: RuleState, memory: RuleMemory, publication: Publication): void
}

interface Reads<Fields extends FieldsSpec, Source extends ConditionSource> {
  /**
   * Compares an observation with the terms. The latches do the rest. Returns a sentence if there is nothing to compare.
   */
  read(terms: Terms<Fields>, seen: SeenBy[Source]): Reading | string
  judge?: never
}

interface Judges<Fields extends FieldsSpec, Source extends ConditionSource> {
  judge(rule: JudgedRule<Terms<Fields>>, state: RuleState, seen: SeenBy[Source], memory: RuleMemory): Verdict
  read?: never
}

export type Condition<
  Fields extends FieldsSpec = FieldsSpec,
  Source extends ConditionSource = ConditionSource,
> = Described<Fields, Source> & (Reads<Fields, Source> | Judges<Fields, Source>)

/** The shared part of conditions on constituents. */
export const ofConstituents = {
  group: 'Constituents',
  source: 'constituents',
  requires: 'constituents',
  canHold: true,
  canBeTrueAtStart: true,
} as const

/** The shared part of conditions without fields that end the moment they come true. */
export const momentary = { fields: {}, samples: [{}], canHold: false, canBeTrueAtStart: false } as const

/** Defines a condition. The types of its functions follow from its fields and its source. */
export function condition<const Fields extends FieldsSpec, Source extends ConditionSource>(
  definition: Condition<Fields, Source>,
): Condition<Fields, Source> {
  return definition
}
