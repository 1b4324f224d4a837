/** The conditions of alerts, in the order in which they are offered. The only place that names them all. */
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
import { finalMeanAtOrAbove } from './final-mean-at-or-above'
import { finalMeanAtOrBelow } from './final-mean-at-or-below'
import { fixed } from './fixed'
import { isAbove } from './is-above'
import { isBelow } from './is-below'
import { leavesBand } from './leaves-band'
import { meanFallsTo } from './mean-falls-to'
import { meanRisesTo } from './mean-rises-to'
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
  meanRisesTo,
  meanFallsTo,
  finalMeanAtOrAbove,
  finalMeanAtOrBelow,
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

/** The condition of a new alert, for a level above the value and one below it. */
export const reachesLevel = { above: 'risesTo', below: 'fallsTo' } as const satisfies Record<string, AlertCondition>

/** The conditions that depend on one kind of observation. */
export type ConditionsOf<Source extends ConditionSource> = {
  [C in AlertCondition]: (typeof conditions)[C]['source'] extends Source ? C : never
}[AlertCondition]

/** The spec of a condition, typed for any terms. */
export function specOf(condition: AlertCondition): Condition {
  return conditions[condition]
}

/** The fields of a condition, in order. `isOptional`: the field may be absent. */
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

/** A part of a sentence: a text and the field that follows it, if any. `condition` stands for the text in brackets. */
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

/** A condition's text in a list of options. The chosen one is inside its sentence and can be shorter. */
export function conditionText(condition: AlertCondition, isChosen: boolean): string {
  const { sentence, offered } = specOf(condition)
  const words = /\[(.*)\]/.exec(sentence)?.[1] ?? ''
  return isChosen ? words : (offered ?? words)
}
