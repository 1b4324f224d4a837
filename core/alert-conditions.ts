/**
 * The conditions of alerts, each declared once: the fields of its terms, what it is judged by, and the sentence that says
 * it. Types (`alerts.ts`), validators (`alert-schema.ts`), checks (`alert-terms-checks.ts`), the fields of the dialog and
 * what reads them follow from these two tables. Words (`alert-words.ts`, `alert-event-words.ts`) are written for each
 * condition and do not compile while one is missing; so is the evaluation (`core/conditions/`) of those judged by values
 * or constituents. One judged by silence or corporate actions compiles without an evaluation of its own.
 */

interface Named {
  /** Names the field for those who do not see the sentence. */
  label: string
}

interface Typed extends Named {
  /** As in "Enter a level". */
  noun: string
  example: string
}

/** A number against which values of the index are compared. */
export interface LevelField extends Typed {
  kind: 'level'
}

/** Any other number: `from` and `to` belong to the range, `above` does not. */
export interface NumberField extends Typed {
  kind: 'number'
  range: { from?: string; above?: string; to?: string }
  /** Stands behind the number. */
  unit?: string
  initial?: string
}

/** A time in milliseconds. Which times make sense for an index is said by the check of that name. */
export interface SpanField extends Named {
  kind: 'span'
  check: 'window' | 'silence' | 'grace'
  /** The widest range, of any index. */
  minMs: number
  maxMs: number
  initial: { count: string; unit: 's' | 'min' | 'h' | 'd' }
  /** What it means when the field is absent, where it may be. */
  absent?: string
}

interface ChoiceField extends Named {
  kind: 'choice'
  /** Each with its words. */
  options: Readonly<Record<string, string>>
  initial: string
}

/** The name of a part of the index. */
export interface NameField extends Typed {
  kind: 'name'
  absent?: string
}

/** How far a value must come back before the rule may fire again. */
export interface RearmBandField extends Typed {
  kind: 'rearmBand'
}

export type FieldSpec = LevelField | NumberField | SpanField | ChoiceField | NameField | RearmBandField

const day = 86_400_000

/** The fields terms are made of, in the order in which they are checked. One name means the same in every condition. */
export const termsFields = {
  level: { kind: 'level', label: 'Level', noun: 'level', example: '68500.00' },
  low: { kind: 'level', label: 'Low end', noun: 'low end', example: '67000.00' },
  high: { kind: 'level', label: 'High end', noun: 'high end', example: '68500.00' },
  direction: {
    kind: 'choice',
    label: 'Direction',
    options: { either: 'either way', up: 'up', down: 'down' },
    initial: 'either',
  },
  amount: { kind: 'number', label: 'Change', noun: 'change', example: '3', range: { above: '0' }, initial: '3' },
  unit: {
    kind: 'choice',
    label: 'Change, unit',
    options: { percent: '%', points: 'points' },
    initial: 'percent',
  },
  withinMs: {
    kind: 'span',
    label: 'Within',
    check: 'window',
    minMs: 2_000,
    maxMs: 365 * day,
    initial: { count: '15', unit: 'min' },
  },
  afterMs: {
    kind: 'span',
    label: 'More than',
    check: 'silence',
    minMs: 1_001,
    maxMs: 366 * day,
    initial: { count: '25', unit: 'h' },
    absent: 'longer than usual',
  },
  constituent: {
    kind: 'name',
    label: 'Constituent',
    noun: 'constituent',
    example: 'BTC',
    absent: 'any constituent',
  },
  exchange: { kind: 'name', label: 'Exchange', noun: 'exchange', example: 'Kraken' },
  weightPercent: {
    kind: 'number',
    label: 'Weight in percent',
    noun: 'weight',
    example: '60',
    range: { from: '0', to: '100' },
    unit: '%',
  },
  points: {
    kind: 'number',
    label: 'Drift in percentage points',
    noun: 'drift',
    example: '2',
    range: { above: '0', to: '100' },
    unit: 'pp',
    initial: '2',
  },
  base: {
    kind: 'choice',
    label: 'Drift since',
    options: { made: 'the alert was created', rebalance: 'the last change of constituents' },
    initial: 'made',
  },
  sharePercent: {
    kind: 'number',
    label: 'Share in percent',
    noun: 'share',
    example: '10',
    range: { from: '0', to: '100' },
    unit: '%',
  },
  tolerancePercent: {
    kind: 'number',
    label: 'Tolerance in percent',
    noun: 'tolerance',
    example: '0.5',
    range: { above: '0', to: '100' },
    unit: '%',
    initial: '0.5',
  },
  rearmBand: { kind: 'rearmBand', label: 'Re-arm band', noun: 're-arm band', example: '5' },
  spreadBps: {
    kind: 'number',
    label: 'Bid–ask spread in basis points',
    noun: 'spread',
    example: '10',
    range: { above: '0' },
    unit: 'bp',
    initial: '10',
  },
  depth: { kind: 'number', label: 'Utilized depth', noun: 'depth', example: '50', range: { from: '0' } },
  graceMs: {
    kind: 'span',
    label: 'Missing after',
    check: 'grace',
    minMs: 60_000,
    maxMs: day / 2,
    initial: { count: '15', unit: 'min' },
  },
} as const satisfies Readonly<Record<string, FieldSpec>>

export type TermsField = keyof typeof termsFields

export const termsFieldNames = Object.keys(termsFields) as TermsField[]

/** What a condition is judged by. */
export type ConditionSource = 'values' | 'silence' | 'corporateActions' | 'constituents' | 'marketConditions'

export const conditionGroups = ['Value', 'Publication', 'Constituents', 'Market'] as const

export interface ConditionSpec {
  /** Where it is offered. */
  group: (typeof conditionGroups)[number]
  fields: Readonly<Partial<Record<TermsField, 'required' | 'optional'>>>
  source: ConditionSource
  /** After "BRTI": the condition in brackets, each field in braces where it stands. */
  sentence: string
  /** How it is offered, where the words in brackets alone do not say it. */
  offered?: string
  /** Whether it can last: else it is over the moment it comes true. */
  canHold: boolean
  /** Whether it may be true already when the rule is made. */
  canBeMet: boolean
  /** What an index must publish for it, where not every index does. */
  requires?: 'constituents' | 'divisor' | 'realTime' | 'marketConditions' | 'fixing'
}

const ofLevel = {
  group: 'Value',
  fields: { level: 'required', rearmBand: 'optional' },
  source: 'values',
  canHold: true,
  canBeMet: true,
} as const
const ofBand = { ...ofLevel, fields: { low: 'required', high: 'required', rearmBand: 'optional' } } as const
const ofConstituents = { group: 'Constituents', source: 'constituents', canHold: true, canBeMet: true } as const
const ofMarket = {
  group: 'Market',
  source: 'marketConditions',
  canHold: true,
  canBeMet: true,
  requires: 'marketConditions',
} as const
const weight = { constituent: 'required', weightPercent: 'required' } as const
const momentary = { fields: {}, canHold: false, canBeMet: false } as const

/** In the order in which they are offered. */
export const conditions = {
  risesTo: { ...ofLevel, sentence: '[rises to] {level}' },
  fallsTo: { ...ofLevel, sentence: '[falls to] {level}' },
  crosses: { ...ofLevel, sentence: '[crosses] {level}', canBeMet: false },
  isAbove: { ...ofLevel, sentence: '[is above] {level}' },
  isBelow: { ...ofLevel, sentence: '[is below] {level}' },
  entersBand: { ...ofBand, sentence: '[enters the band] {low} to {high}' },
  leavesBand: { ...ofBand, sentence: '[leaves the band] {low} to {high}' },
  moves: {
    group: 'Value',
    fields: { direction: 'required', amount: 'required', unit: 'required', withinMs: 'required' },
    source: 'values',
    sentence: '[moves by] {amount} {unit} {direction} within {withinMs}',
    canHold: false,
    canBeMet: true,
  },
  noUpdate: {
    group: 'Publication',
    fields: { afterMs: 'optional' },
    source: 'silence',
    sentence: '[has no update for] {afterMs}',
    canHold: false,
    canBeMet: true,
  },
  carriedOver: {
    group: 'Publication',
    fields: {},
    source: 'values',
    sentence: '[is carried forward]',
    canHold: true,
    canBeMet: true,
  },
  amended: { ...momentary, group: 'Publication', source: 'values', sentence: '[is amended]' },
  corporateAction: {
    ...momentary,
    group: 'Publication',
    source: 'corporateActions',
    sentence: '[has a corporate action]',
    requires: 'realTime',
  },
  weightAtOrAbove: {
    ...ofConstituents,
    fields: weight,
    sentence: 'has {constituent} [at or above] {weightPercent} weight',
    offered: 'has a weight at or above',
    requires: 'constituents',
  },
  weightAtOrBelow: {
    ...ofConstituents,
    fields: weight,
    sentence: 'has {constituent} [at or below] {weightPercent} weight',
    offered: 'has a weight at or below',
    requires: 'constituents',
  },
  weightDrift: {
    ...ofConstituents,
    fields: { constituent: 'optional', points: 'required', base: 'required' },
    sentence: '[has a weight drift of] {points} for {constituent} since {base}',
    requires: 'constituents',
  },
  constituentsChanged: {
    ...ofConstituents,
    ...momentary,
    sentence: '[adds or removes a constituent]',
    requires: 'constituents',
  },
  divisorChanged: { ...ofConstituents, ...momentary, sentence: '[changes its divisor]', requires: 'divisor' },
  exchangeShareAtOrBelow: {
    ...ofConstituents,
    fields: { constituent: 'required', exchange: 'required', sharePercent: 'required' },
    sentence: 'has {exchange} [at or below] {sharePercent} of {constituent}',
    offered: 'has an exchange share at or below',
    requires: 'divisor',
  },
  continuity: {
    ...ofConstituents,
    fields: { tolerancePercent: 'required' },
    sentence: '[differs from its constituents by] {tolerancePercent}',
    requires: 'divisor',
  },
  spreadAtOrAbove: {
    ...ofMarket,
    fields: { spreadBps: 'required', rearmBand: 'optional' },
    sentence: 'has a bid–ask spread [at or above] {spreadBps}',
    offered: 'has a bid–ask spread at or above',
  },
  depthAtOrBelow: {
    ...ofMarket,
    fields: { depth: 'required', rearmBand: 'optional' },
    sentence: 'has a utilized depth [at or below] {depth}',
    offered: 'has a utilized depth at or below',
  },
  fixed: {
    ...momentary,
    group: 'Publication',
    fields: { graceMs: 'required' },
    source: 'values',
    sentence: '[publishes its fixing], or is {graceMs} late',
    offered: 'fixing published or late',
    requires: 'fixing',
  },
} as const satisfies Readonly<Record<string, ConditionSpec>>

export type AlertCondition = keyof typeof conditions

export const alertConditions = Object.keys(conditions) as AlertCondition[]

/** The fields of a condition that must be there, or may be missing. */
export type FieldsOf<C extends AlertCondition, Presence extends 'required' | 'optional'> = {
  [F in keyof (typeof conditions)[C]['fields']]: (typeof conditions)[C]['fields'][F] extends Presence ? F : never
}[keyof (typeof conditions)[C]['fields']] &
  TermsField

/** The conditions that are said by the words in brackets, with a level or a band behind them or nothing. */
export type ConditionOfLevels = {
  [C in AlertCondition]: keyof (typeof conditions)[C]['fields'] extends 'level' | 'low' | 'high' | 'rearmBand'
    ? C
    : never
}[AlertCondition]

/** The conditions that are judged by one kind of observation. */
export type ConditionsOf<Source extends ConditionSource> = {
  [C in AlertCondition]: (typeof conditions)[C]['source'] extends Source ? C : never
}[AlertCondition]

export function specOf(condition: AlertCondition): ConditionSpec {
  return conditions[condition]
}

/** The fields of a condition, in order; `isOptional` where it may be missing. */
export function fieldsOf(condition: AlertCondition): { name: TermsField; spec: FieldSpec; isOptional: boolean }[] {
  const { fields } = specOf(condition)
  return termsFieldNames.flatMap((name) => {
    const presence = fields[name]
    return presence === undefined ? [] : [{ name, spec: termsFields[name], isOptional: presence === 'optional' }]
  })
}

export function hasField(condition: AlertCondition, field: TermsField): boolean {
  return specOf(condition).fields[field] !== undefined
}

/** A piece of a sentence: words, then the field they lead to, if any; `condition` for the words in brackets. */
export interface SentencePart {
  words: string
  slot?: TermsField | 'condition'
}

export function sentenceParts(condition: AlertCondition): SentencePart[] {
  const found = specOf(condition).sentence.matchAll(/([^[{]+)$|([^[{]*)(?:\{(\w+)\}|\[[^\]]*\])/g)
  return [...found].map(([, end, words = '', field]) => {
    if (end !== undefined) return { words: end.trim() }
    const slot = field === undefined ? 'condition' : termsFieldNames.find((name) => name === field)
    return { words: words.trim(), ...(slot !== undefined && { slot }) }
  })
}

/** A condition as one of a list; chosen, it is in the middle of its sentence and says less. */
export function conditionText(condition: AlertCondition, isChosen: boolean): string {
  const { sentence, offered } = specOf(condition)
  const words = /\[(.*)\]/.exec(sentence)?.[1] ?? ''
  return isChosen ? words : (offered ?? words)
}
