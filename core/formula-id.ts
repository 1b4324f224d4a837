/**
 * Definitions of formulas, rows computed from indices. A formula's id is its definition in readable form, such as
 * `BRTI − BRR`, `ETHUSD_RTI ÷ BRTI · 4 decimals` or `mean(BRTI, 60)`. So an id can be stored and shown without anything
 * else.
 */
/** The form of index ids that the app accepts. Real ones have only capitals, digits and underscores. */
export const serviceIdForm = '[A-Za-z0-9][A-Za-z0-9_.-]{0,63}'

/** A definition. Callers that do not compute ask `formulaParts` and `formulaTitle`. */
export type Formula = PairFormula | MeanFormula

/** Two indices. It has no value while a part has none, or has been stale for longer than the limit. */
export interface PairFormula {
  operation: PairOperation
  left: string
  right: string
  /** Decimals of the value, which is rounded once, half to even. */
  decimals: number
  /** Time since a part became stale. */
  staleLimitSeconds: number
}

/**
 * The mean of the values of the last seconds of a real-time index (`RollingMean`). It has the decimals of its index, and
 * no value while the index is stale.
 */
export interface MeanFormula {
  operation: 'mean'
  index: string
  seconds: number
}

/** Lengths of the window of a mean that a user chooses, in seconds. */
export const windowSeconds = { min: 2, max: 3_600 }

type PairOperation = (typeof pairOperations)[number]
export type FormulaOperation = Formula['operation']
export const pairOperations = ['difference', 'ratio', 'basisPoints', 'percent'] as const
export const maxFormulaDecimals = 12
const maxStaleLimitSeconds = 604_800
export const defaultStaleLimitSeconds = 60

interface OperationForm {
  sign: '\u2212' | '\u00f7'
  suffix: string
  /** The difference is divided by the right part and multiplied by this. Undefined: it is not. */
  factor?: string
  decimals: number
}

export const operationForms: Readonly<Record<PairOperation, OperationForm>> = {
  difference: { sign: '\u2212', suffix: '', decimals: 2 },
  ratio: { sign: '\u00f7', suffix: '', factor: '1', decimals: 6 },
  basisPoints: { sign: '\u2212', suffix: ' in bp', factor: '10000', decimals: 2 },
  percent: { sign: '\u2212', suffix: ' in %', factor: '100', decimals: 4 },
}

/** The default decimals of an operation. */
export function defaultDecimals(operation: PairOperation): number {
  return operationForms[operation].decimals
}

const pairForm = `(${serviceIdForm}) ([\u2212\u00f7]) (${serviceIdForm})( in bp| in %)?(?: \u00b7 (\\d{1,2}) decimals)?(?: \u00b7 stale (\\d{1,6}) s)?`
const meanForm = `mean\\((${serviceIdForm}), (\\d{1,4})\\)`
/** The form of a formula id. Necessary, but not sufficient. */
export const formulaIdForm = `(?:${pairForm}|${meanForm})`
const pairPattern = new RegExp(`^${pairForm}$`)
const meanPattern = new RegExp(`^${meanForm}$`)

/**
 * The definition in an id. Undefined for the id of an index. Defaults are never written, so each formula has only one
 * id.
 */
export function parseFormula(id: string): Formula | undefined {
  const formula = id.includes(' ') ? (readPair(id) ?? readMean(id)) : undefined
  const isFormula = formula !== undefined && formulaProblem(formula) === undefined && formulaId(formula) === id
  return isFormula ? formula : undefined
}

function readPair(id: string): PairFormula | undefined {
  const match = pairPattern.exec(id)
  if (match === null) return undefined
  const [, left = '', sign, right = '', suffix = '', decimals, seconds] = match
  const operation = pairOperations.find(
    (each) => operationForms[each].sign === sign && operationForms[each].suffix === suffix,
  )
  if (operation === undefined) return undefined
  return {
    operation,
    left,
    right,
    decimals: decimals === undefined ? defaultDecimals(operation) : Number(decimals),
    staleLimitSeconds: seconds === undefined ? defaultStaleLimitSeconds : Number(seconds),
  }
}

function readMean(id: string): MeanFormula | undefined {
  const [, index, seconds] = meanPattern.exec(id) ?? []
  return index === undefined ? undefined : { operation: 'mean', index, seconds: Number(seconds) }
}

/**
 * The mean that a user typed, in any case and with any blanks: `mean(brti,60)`, `Mean (BRTI, 60 s)`. It may be invalid
 * (`formulaProblem`). Undefined unless the text begins like a mean.
 */
export function typedMean(text: string): MeanFormula | undefined {
  const [, within] = /^mean\s*\((.*)\)$/is.exec(text.trim()) ?? []
  if (within === undefined) return undefined
  const [, index = within, seconds = ''] = /^(.*),([^,]*)$/s.exec(within) ?? []
  const [, digits] = /^\s*(\d{1,7})(?:\s*s)?\s*$/i.exec(seconds) ?? []
  return { operation: 'mean', index: index.trim(), seconds: digits === undefined ? NaN : Number(digits) }
}

/** The ids in a text that separates them by commas, without blanks around them. A mean has a comma in its brackets. */
export function splitIds(text: string): string[] {
  return text.split(/,(?![^()]*\))/).map((id) => id.trim())
}

/** The operation and its parts: `BRTI − BRR in bp`. */
export function formulaTitle(formula: Formula): string {
  if (formula.operation === 'mean') return formulaId(formula)
  const { operation, left, right } = formula
  return `${left} ${operationForms[operation].sign} ${right}${operationForms[operation].suffix}`
}

export function formulaId(formula: Formula): string {
  if (formula.operation === 'mean') return `mean(${formula.index}, ${formula.seconds})`
  const { operation, decimals, staleLimitSeconds } = formula
  const stated = decimals === defaultDecimals(operation) ? '' : ` \u00b7 ${decimals} decimals`
  const limit = staleLimitSeconds === defaultStaleLimitSeconds ? '' : ` \u00b7 stale ${staleLimitSeconds} s`
  return formulaTitle(formula) + stated + limit
}

/** The indices that a formula is computed from. */
export function partsOf(formula: Formula): readonly string[] {
  return formula.operation === 'mean' ? [formula.index] : [formula.left, formula.right]
}

const noParts: readonly string[] = []

/** The indices of a formula. Empty for an index. */
export function formulaParts(id: string): readonly string[] {
  const formula = parseFormula(id)
  return formula === undefined ? noParts : partsOf(formula)
}

/** The indices behind an id: the index itself, or the parts of a formula. */
export function serviceIds(id: string): readonly string[] {
  const parts = formulaParts(id)
  return parts.length === 0 ? [id] : parts
}

const servicePattern = new RegExp(`^${serviceIdForm}$`)

/** Why this cannot be a formula, whatever the service offers. Undefined if it can. */
export function formulaProblem(formula: Formula): string | undefined {
  const isMean = formula.operation === 'mean'
  for (const part of partsOf(formula)) {
    if (part === '') return isMean ? 'Choose an index.' : 'Choose two indices.'
    if (parseFormula(part) !== undefined || typedMean(part) !== undefined)
      return `${part} is a formula itself: choose ${isMean ? 'a published index' : 'two published indices'}.`
    if (!servicePattern.test(part)) return `${part} is not the id of an index, such as BRTI.`
  }
  return isMean ? secondsProblem(formula) : pairProblem(formula)
}

function secondsProblem({ seconds }: MeanFormula): string | undefined {
  const isLength = Number.isInteger(seconds) && seconds >= windowSeconds.min && seconds <= windowSeconds.max
  return isLength ? undefined : 'Seconds are a whole number from 2 to 3,600, as in mean(BRTI, 60).'
}

function pairProblem({ left, right, decimals, staleLimitSeconds }: PairFormula): string | undefined {
  if (left === right) return 'Choose two different indices.'
  if (!Number.isInteger(decimals) || decimals < 0 || decimals > maxFormulaDecimals) {
    return `Decimals are a whole number from 0 to ${maxFormulaDecimals}.`
  }
  if (!Number.isInteger(staleLimitSeconds) || staleLimitSeconds < 0 || staleLimitSeconds > maxStaleLimitSeconds) {
    return `The limit is a whole number of seconds from 0 to ${maxStaleLimitSeconds}.`
  }
  return undefined
}
