/** Computes formulas, and describes them in words and like an index. */
import { cadencesMs, isRealTime } from './cadence'
import { divideToEven, formatCount, isDecimalText, multiplyDecimals, subtractDecimals } from './decimal'
import { operationForms, parseFormula, partsOf, type Formula, type PairFormula } from './formula-id'
import type { DecimalText, IndexId, IndexInfo, Resolution } from './model'

/**
 * The value of a formula of two indices, computed exactly and rounded once, half to even. `byZero`: the right part is zero. `tooLong`:
 * the result has more digits than a value may have. Throws `RangeError` if a part is not a decimal.
 */
export function computeFormula(
  { operation, decimals }: Pick<PairFormula, 'operation' | 'decimals'>,
  left: DecimalText,
  right: DecimalText,
): { value: DecimalText } | { lacks: 'byZero' | 'tooLong' } {
  const { factor } = operationForms[operation]
  const over = operation === 'ratio' ? left : subtractDecimals(left, right)
  const value =
    factor === undefined
      ? divideToEven(over, '1', decimals)
      : divideToEven(multiplyDecimals(over, factor), right, decimals)
  if (value === undefined) return { lacks: 'byZero' }
  return isDecimalText(value) ? { value } : { lacks: 'tooLong' }
}

/** Describes a formula like an index. Undefined while a part is unknown. */
export function formulaInfo(
  id: IndexId,
  infoOf: (id: IndexId) => Pick<IndexInfo, 'maxResolution' | 'decimals'> | undefined,
): IndexInfo | undefined {
  const formula = parseFormula(id)
  if (formula === undefined) return undefined
  const maxResolution = formulaResolution(formula, (part) => infoOf(part)?.maxResolution)
  const decimals = formula.operation === 'mean' ? infoOf(formula.index)?.decimals : formula.decimals
  return maxResolution && { id, name: formulaName(formula), maxResolution, ...(decimals !== undefined && { decimals }) }
}

/**
 * A formula of two indices publishes as often as the faster one, a mean each second. Undefined while the frequency of a
 * part is unknown.
 */
export function formulaResolution(
  formula: Formula,
  resolutionOf: (id: IndexId) => Resolution | undefined,
): Resolution | undefined {
  const parts = partsOf(formula).map(resolutionOf)
  const known = parts.filter((each) => each !== undefined)
  if (known.length < parts.length) return undefined
  const [fastest] = known.toSorted((a, b) => cadencesMs[a] - cadencesMs[b])
  return formula.operation === 'mean' && isRealTime(fastest) ? 'PER_SECOND' : fastest
}

/** Why the indices of a formula do not suit it. Undefined if they do, if they are unknown, and for an index. */
export function misfit(id: IndexId, resolutionOf: (id: IndexId) => Resolution | undefined): string | undefined {
  const formula = parseFormula(id)
  if (formula?.operation !== 'mean') return undefined
  const resolution = resolutionOf(formula.index)
  if (resolution === undefined || isRealTime(resolution)) return undefined
  return `${formula.index} publishes less often than each second, so it has no mean of seconds. Choose a real-time index such as BRTI.`
}

/** The name of the row. */
function formulaName(formula: Formula): string {
  if (formula.operation !== 'mean') return formulaWords(formula)
  return `Mean of ${formula.index} over ${formatCount(formula.seconds)} s`
}

/** What a formula computes and when it has no value, as sentences. */
export function formulaWords(formula: Formula): string {
  if (formula.operation === 'mean') {
    const { index, seconds } = formula
    return `The mean of the last ${formatCount(seconds)} whole seconds of ${index}, exact, then rounded half up to its decimals. Missing values are counted, never filled. No value while ${index} is stale.`
  }
  const { operation, left, right, decimals, staleLimitSeconds } = formula
  const { sign, factor } = operationForms[operation]
  const written =
    factor === undefined || factor === '1'
      ? `${left} ${sign} ${right}`
      : `(${left} \u2212 ${right}) \u00f7 ${right} \u00d7 ${factor === '10000' ? '10,000' : factor}`
  const places = decimals === 1 ? '1 decimal' : `${decimals} decimals`
  return `${written}, rounded to ${places}. No value while either index has been stale for more than ${staleLimitSeconds} s.`
}
