/** What the app asks of a condition. `conditions/` has a file for each, and `conditions/list.ts` names them all. */
import type { AlertInputs } from '../alert-inputs'
import type { AlertTiming } from '../alert-timing'
import type { TermsField, termsFields } from '../conditions/fields'
import type { Decimal } from '../decimal'
import type { DecimalText, IndexId, IndexInfo, MarketConditions, Publication } from '../model'
import type { Reading } from './latch'
import type { SeenBy } from './observation'
import type { Direction, Latch, RuleMemory, RuleState } from './state'
import type { Verdict } from './verdict'

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
export type TermsValue<F extends TermsField> = (typeof termsFields)[F] extends { options: infer Options }
  ? keyof Options
  : (typeof termsFields)[F] extends { kind: infer Kind extends keyof KindValues }
    ? KindValues[Kind]
    : never

/** The fields of one condition. */
export type FieldsSpec = Readonly<Partial<Record<TermsField, 'required' | 'optional'>>>

export type Flat<T> = { [K in keyof T]: T[K] }

/** What the fields of one condition hold. */
export type FieldValues<Fields extends FieldsSpec> = Flat<
  {
    [F in keyof Fields & TermsField as Fields[F] extends 'required' ? F : never]: TermsValue<F>
  } & {
    [F in keyof Fields & TermsField as Fields[F] extends 'required' ? never : F]?: TermsValue<F>
  }
>

/** What a condition is judged by. */
export type ConditionSource = keyof SeenBy

export const conditionGroups = ['Value', 'Publication', 'Constituents', 'Market'] as const

export type NumberFormat = (value: DecimalText) => string

/** Numbers and times as the place that shows them writes them. */
export interface EventFormat {
  number: NumberFormat
  time: (ms: number) => string
  /** Several connections are in use: each event says which it came from. */
  namesConnections?: boolean
}

/** What a firing is described by. `value` and `amount` are formatted; `value` ends with its time where that is shown. */
export interface Fired {
  indexId: IndexId
  inputs: AlertInputs
  value: string
  amount: string
  format: EventFormat
}

/** A rule as its condition sees it. */
export interface JudgedRule<Terms> extends AlertTiming {
  terms: Terms
  createdAtMs: number
}

/** Whether a value changes no latch: it fires none and arms none. */
export type LeavesLatches = (value: Decimal, latch: Latch) => boolean

/** Terms as their condition sees them. */
type Terms<Fields extends FieldsSpec> = { condition: string } & FieldValues<Fields>

interface Described<Fields extends FieldsSpec, Source extends ConditionSource> {
  /** Where it is offered. */
  group: (typeof conditionGroups)[number]
  fields: Fields
  source: Source
  /** What an index must publish for it, where not every index does. */
  requires?: 'constituents' | 'divisor' | 'realTime' | 'marketConditions' | 'fixing'
  /** Whether it can last: else it is over the moment it comes true. */
  canHold: boolean
  /** Whether it may be true already when the rule is made. */
  canBeTrueAtStart: boolean
  /** The watch that reports it when nothing is published. */
  watch?: 'silence' | 'fixing'
  /** Sees every revision, also of older values. The history does not recompute such a condition. */
  seesRevisions?: true
  /** Sees values that are carried forward. */
  seesRepeats?: true
  /** On which side of the value its level lies. */
  levelLies?: 'above' | 'below'

  /** After "BRTI": the condition in brackets, each field in braces where it stands. */
  sentence: string
  /** How it is offered, where the words in brackets alone do not say it. */
  offered?: string
  /** Terms as people write them. */
  samples: readonly FieldValues<Fields>[]
  /** The condition without its amount; absent: the words in brackets. */
  words?(terms: Terms<Fields>): string
  /** The level or amount of the terms with its unit; absent: there is none. */
  amount?(terms: Terms<Fields>, number: NumberFormat): string
  /** Several firings in words, without values: `crossed 68,000`. */
  past(terms: Terms<Fields>, amount: string): string
  /** One firing in words: `rose to 68,000.12 (level 68,000)`. */
  fired(terms: Terms<Fields>, said: Fired): string
  /** Says that the condition is true now. `already` is "is already" or "was just". */
  met?(terms: Terms<Fields>, said: { indexId: IndexId; already: string; amount: string }): string
  /** Where the value was when the condition ended; absent: above or below the level. */
  over?: string
  /** Which way it went, for a condition that fires both ways. */
  firedDirection?(inputs: AlertInputs): Direction | undefined
  /** The unit of the compared number, with a leading space, if it is not the value of the index. */
  unit?: string
  /** The unit of the measured number, if it differs. */
  measureUnit?(terms: Terms<Fields>): string

  /** What is wrong with fields that are right by themselves. */
  check?(terms: Terms<Fields>, index: IndexInfo | undefined): { field: TermsField; message: string }[]
  /** What the terms need and these market conditions lack. */
  unpublished?(conditions: MarketConditions): string | undefined
  /** Whether a value meets the terms. `undefined` if it is not a number. */
  isMetBy?(terms: Terms<Fields>, value: DecimalText): boolean | undefined
  /** For levels and bands: a cheap test, since most values change nothing. */
  leavesLatches?(terms: Terms<Fields>): LeavesLatches | undefined
  /** Puts a value that was judged in an earlier run into the memory of this run. */
  recall?(terms: Terms<Fields>, state: RuleState, memory: RuleMemory, publication: Publication): void
}

interface Reads<Fields extends FieldsSpec, Source extends ConditionSource> {
  /** Compares what was seen with the terms; the latches do the rest. A sentence says why there is nothing to compare. */
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

/** What conditions of constituents share. */
export const ofConstituents = {
  group: 'Constituents',
  source: 'constituents',
  requires: 'constituents',
  canHold: true,
  canBeTrueAtStart: true,
} as const

/** What conditions without fields share that are over the moment they come true. */
export const momentary = { fields: {}, samples: [{}], canHold: false, canBeTrueAtStart: false } as const

/** A condition, with the types of its functions taken from its fields and its source. */
export function condition<const Fields extends FieldsSpec, Source extends ConditionSource>(
  definition: Condition<Fields, Source>,
): Condition<Fields, Source> {
  return definition
}
