/** The conditions of alerts, in the order in which they are offered: the only place that names them all. */
import type { Condition, ConditionSource } from '../evaluation/condition'
import { amended } from './amended'
import { carriedOver } from './carried-over'
import { constituentsChanged } from './constituents-changed'
import { continuity } from './continuity'
import { corporateAction } from './corporate-action'
import { crosses } from './crosses'
import { depthAtOrBelow } from './depth-at-or-below'
import { divisorChanged } from './divisor-changed'
import { entersBand } from './enters-band'
import { exchangeShareAtOrBelow } from './exchange-share-at-or-below'
import { fallsTo } from './falls-to'
import { termsFieldNames, termsFields, type FieldSpec, type TermsField } from './fields'
import { fixed } from './fixed'
import { isAbove } from './is-above'
import { isBelow } from './is-below'
import { leavesBand } from './leaves-band'
import { moves } from './moves'
import { noUpdate } from './no-update'
import { risesTo } from './rises-to'
import { spreadAtOrAbove } from './spread-at-or-above'
import { weightAtOrAbove } from './weight-at-or-above'
import { weightAtOrBelow } from './weight-at-or-below'
import { weightDrift } from './weight-drift'

export const conditions = {
  risesTo,
  fallsTo,
  crosses,
  isAbove,
  isBelow,
  entersBand,
  leavesBand,
  moves,
  noUpdate,
  carriedOver,
  amended,
  corporateAction,
  weightAtOrAbove,
  weightAtOrBelow,
  weightDrift,
  constituentsChanged,
  divisorChanged,
  exchangeShareAtOrBelow,
  continuity,
  spreadAtOrAbove,
  depthAtOrBelow,
  fixed,
} as const

export type AlertCondition = keyof typeof conditions

export const alertConditions = Object.keys(conditions) as AlertCondition[]

/** What a new alert waits for: that the value reaches a level above it, or one below it. */
export const reachesLevel = { above: 'risesTo', below: 'fallsTo' } as const satisfies Record<string, AlertCondition>

/** The conditions that are judged by one kind of observation. */
export type ConditionsOf<Source extends ConditionSource> = {
  [C in AlertCondition]: (typeof conditions)[C]['source'] extends Source ? C : never
}[AlertCondition]

/** What `conditions` says of one, with terms of any. */
export function specOf(condition: AlertCondition): Condition {
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
