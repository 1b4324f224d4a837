import { compareDecimals, parseDecimal } from '../../../protocol/decimal'
import type { ConstituentsPublication, DecimalText } from '../../../protocol/model'
import type { Base, RuleState } from './state'

/** Equal by value, or both no number. */
export function sameDecimal(a: DecimalText | undefined, b: DecimalText | undefined): boolean {
  const left = a === undefined ? undefined : parseDecimal(a)
  const right = b === undefined ? undefined : parseDecimal(b)
  if (left === undefined || right === undefined) return left === right
  return compareDecimals(left, right) === 0
}

export function baseOf({ constituents, divisor }: ConstituentsPublication): Base {
  const weights = constituents.map(({ constituent, weightPercent }): [string, DecimalText] => [
    constituent,
    weightPercent,
  ])
  return { weights, ...(divisor !== undefined && { divisor }) }
}

export function withBase(state: RuleState, publication: ConstituentsPublication): RuleState {
  return { ...state, base: baseOf(publication) }
}
