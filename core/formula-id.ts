/**
 * Definitions of formulas, rows computed from two indices. A formula's id is its definition in readable form, such as
 * `BRTI − BRR` or `ETHUSD_RTI ÷ BRTI · 4 decimals`. So an id can be stored and shown without anything else.
 */
/** The form of index ids that the app accepts. Real ones have only capitals, digits and underscores. */
export const serviceIdForm = '[A-Za-z0-9][A-Za-z0-9_.-]{0,63}'

/** A definition. It has no value while a part has none, or has been stale for longer than the limit. */
export interface Formula {
  operation: FormulaOperation
  left: string
  right: string
  /** Decimals of the value, which is rounded once, half to even. */
  decimals: number
  /** Time since a part became stale. */
  staleLimitSeconds: number
}

export type FormulaOperation = (typeof formulaOperations)[number]
export const formulaOperations = ['difference', 'ratio', 'basisPoints', 'percent'] as const

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

export const operationForms: Readonly<Record<FormulaOperation, OperationForm>> = {
  difference: { sign: '\u2212', suffix: '', decimals: 2 },
  ratio: { sign: '\u00f7', suffix: '', factor: '1', decimals: 6 },
  basisPoints: { sign: '\u2212', suffix: ' in bp', factor: '10000', decimals: 2 },
  percent: { sign: '\u2212', suffix: ' in %', factor: '100', decimals: 4 },
}

/** The default decimals of an operation. */
export function defaultDecimals(operation: FormulaOperation): number {
  return operationForms[operation].decimals
}

/** The form of a formula id. Necessary, but not sufficient. */
export const formulaIdForm = `(${serviceIdForm}) ([\u2212\u00f7]) (${serviceIdForm})( in bp| in %)?(?: \u00b7 (\\d{1,2}) decimals)?(?: \u00b7 stale (\\d{1,6}) s)?`
const idPattern = new RegExp(`^${formulaIdForm}$`)

/**
 * The definition in an id. Undefined for the id of an index. Defaults are never written, so each formula has only one
 * id.
 */
export function parseFormula(id: string): Formula | undefined {
  const match = id.includes(' ') ? idPattern.exec(id) : null
  if (match === null) return undefined
  const [, left = '', sign, right = '', suffix = '', decimals, seconds] = match
  const operation = formulaOperations.find(
    (each) => operationForms[each].sign === sign && operationForms[each].suffix === suffix,
  )
  if (operation === undefined) return undefined
  const formula: Formula = {
    operation,
    left,
    right,
    decimals: decimals === undefined ? defaultDecimals(operation) : Number(decimals),
    staleLimitSeconds: seconds === undefined ? defaultStaleLimitSeconds : Number(seconds),
  }
  return formulaProblem(formula) === undefined && formulaId(formula) === id ? formula : undefined
}

/** The operation and its parts: `BRTI − BRR in bp`. */
export function formulaTitle({ operation, left, right }: Pick<Formula, 'operation' | 'left' | 'right'>): string {
  return `${left} ${operationForms[operation].sign} ${right}${operationForms[operation].suffix}`
}

export function formulaId(formula: Formula): string {
  const { operation, decimals, staleLimitSeconds } = formula
  const stated = decimals === defaultDecimals(operation) ? '' : ` \u00b7 ${decimals} decimals`
  const limit = staleLimitSeconds === defaultStaleLimitSeconds ? '' : ` \u00b7 stale ${staleLimitSeconds} s`
  return formulaTitle(formula) + stated + limit
}

const noParts: readonly string[] = []

/** The two indices of a formula. Empty for an index. */
export function formulaParts(id: string): readonly string[] {
  const formula = parseFormula(id)
  return formula === undefined ? noParts : [formula.left, formula.right]
}

/** The indices behind an id: the index itself, or the parts of a formula. */
export function serviceIds(id: string): readonly string[] {
  const formula = parseFormula(id)
  return formula === undefined ? [id] : [formula.left, formula.right]
}

const servicePattern = new RegExp(`^${serviceIdForm}$`)

/** Why this cannot be a formula, whatever the service offers. Undefined if it can. */
export function formulaProblem({ left, right, decimals, staleLimitSeconds }: Formula): string | undefined {
  for (const part of [left, right]) {
    if (part === '') return 'Choose two indices.'
    if (parseFormula(part) !== undefined) return `${part} is a formula itself: choose two published indices.`
    if (!servicePattern.test(part)) return `${part} is not the id of an index, such as BRTI.`
  }
  if (left === right) return 'Choose two different indices.'
  if (!Number.isInteger(decimals) || decimals < 0 || decimals > maxFormulaDecimals) {
    return `Decimals are a whole number from 0 to ${maxFormulaDecimals}.`
  }
  if (!Number.isInteger(staleLimitSeconds) || staleLimitSeconds < 0 || staleLimitSeconds > maxStaleLimitSeconds) {
    return `The limit is a whole number of seconds from 0 to ${maxStaleLimitSeconds}.`
  }
  return undefined
}

/** What a formula computes and when it has no value, as sentences. */
export function formulaWords({ operation, left, right, decimals, staleLimitSeconds }: Formula): string {
  const { sign, factor } = operationForms[operation]
  const written =
    factor === undefined || factor === '1'
      ? `${left} ${sign} ${right}`
      : `(${left} \u2212 ${right}) \u00f7 ${right} \u00d7 ${factor === '10000' ? '10,000' : factor}`
  const places = decimals === 1 ? '1 decimal' : `${decimals} decimals`
  return `${written}, rounded to ${places}. No value while either index has been stale for more than ${staleLimitSeconds} s.`
}
