/** Computes formulas, and describes them like an index. */
import { cadencesMs } from './cadence'
import { divideToEven, isDecimalText, multiplyDecimals, subtractDecimals } from './decimal'
import { formulaWords, operationForms, parseFormula, type Formula } from './formula-id'
import type { DecimalText, IndexId, IndexInfo, Resolution } from './model'

/**
 * The value of a formula, computed exactly and rounded once, half to even. `byZero`: the right part is zero. `tooLong`:
 * the result has more digits than a value may have. Throws `RangeError` if a part is not a decimal.
 */
export function computeFormula(
  { operation, decimals }: Pick<Formula, 'operation' | 'decimals'>,
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

/** Describes a formula like an index. It publishes as often as the faster part. Undefined while a part is unknown. */
export function formulaInfo(
  id: IndexId,
  infoOf: (id: IndexId) => Pick<IndexInfo, 'maxResolution'> | undefined,
): IndexInfo | undefined {
  const formula = parseFormula(id)
  if (formula === undefined) return undefined
  const maxResolution = fasterOf([infoOf(formula.left)?.maxResolution, infoOf(formula.right)?.maxResolution])
  return maxResolution && { id, name: formulaWords(formula), maxResolution, decimals: formula.decimals }
}

/** The resolution that publishes more often. Undefined while one is unknown. */
export function fasterOf(resolutions: readonly (Resolution | undefined)[]): Resolution | undefined {
  const known = resolutions.filter((each) => each !== undefined)
  if (known.length < resolutions.length) return undefined
  return known.toSorted((a, b) => cadencesMs[a] - cadencesMs[b])[0]
}
