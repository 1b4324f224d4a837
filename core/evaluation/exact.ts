/** Exact arithmetic for what a rule compares; results are decimals or fractions, never floats. */
import { compareDecimals, parseDecimal, type Decimal } from '../decimal'
import type { DecimalText } from '../model'

/** `units` divided by 10 to the power of `scale`; `scale` is never negative. */
export interface Exact {
  readonly units: bigint
  readonly scale: number
}

/** `over` is positive. */
export interface Fraction {
  readonly units: bigint
  readonly over: bigint
}

export function exactOf({ sign, digits, point }: Decimal): Exact {
  const units = BigInt(digits === '' ? 0 : digits) * BigInt(sign)
  const scale = digits.length - point
  return scale >= 0 ? { units, scale } : { units: units * 10n ** BigInt(-scale), scale: 0 }
}

/** `undefined` for what is not a decimal. */
export function readExact(text: DecimalText): Exact | undefined {
  const decimal = parseDecimal(text)
  return decimal === undefined ? undefined : exactOf(decimal)
}

export function magnitude(units: bigint): bigint {
  return units < 0n ? -units : units
}

export function sizeOf({ units, scale }: Exact): Exact {
  return { units: magnitude(units), scale }
}

export function add(a: Exact, b: Exact): Exact {
  const scale = Math.max(a.scale, b.scale)
  return { units: unitsAt(a, scale) + unitsAt(b, scale), scale }
}

export function subtract(a: Exact, b: Exact): Exact {
  return add(a, { units: -b.units, scale: b.scale })
}

export function multiply(a: Exact, b: Exact): Exact {
  return { units: a.units * b.units, scale: a.scale + b.scale }
}

/** As many units as the value has at this scale, which is not below its own. */
export function unitsAt({ units, scale }: Exact, at: number): bigint {
  return units * 10n ** BigInt(at - scale)
}

/** `b` is not zero. */
export function divide(a: Exact, b: Exact): Fraction {
  const scale = Math.max(a.scale, b.scale)
  const units = unitsAt(a, scale)
  const over = unitsAt(b, scale)
  return over < 0n ? { units: -units, over: -over } : { units, over }
}

/** Below, at or above 0 as `a` is less than, equal to or greater than `b`. */
export function compareFractions(a: Fraction, b: Fraction): number {
  const difference = a.units * b.over - b.units * a.over
  return difference === 0n ? 0 : difference < 0n ? -1 : 1
}

/** Written out without zeros at the end: 0.05, -3, 100. */
export function exactText({ units, scale }: Exact): DecimalText {
  const digits = magnitude(units)
    .toString()
    .padStart(scale + 1, '0')
  const whole = digits.slice(0, digits.length - scale)
  const fraction = scale === 0 ? '' : digits.slice(-scale).replace(/0+$/, '')
  return `${units < 0n ? '-' : ''}${whole}${fraction === '' ? '' : `.${fraction}`}`
}

/** Cut, not rounded, to so many places: a change just short of 5 is never written as 5. */
export function fractionText({ units, over }: Fraction, places: number): DecimalText {
  return exactText({ units: (units * 10n ** BigInt(places)) / over, scale: places })
}

/** Equal by value, or both no number. */
export function sameDecimal(a: DecimalText | undefined, b: DecimalText | undefined): boolean {
  const left = a === undefined ? undefined : parseDecimal(a)
  const right = b === undefined ? undefined : parseDecimal(b)
  if (left === undefined || right === undefined) return left === right
  return compareDecimals(left, right) === 0
}

/** -1, 0 or 1; `undefined` where one of them is no number. */
export function order(a: DecimalText, b: DecimalText): -1 | 0 | 1 | undefined {
  const left = parseDecimal(a)
  const right = parseDecimal(b)
  return left === undefined || right === undefined ? undefined : compareDecimals(left, right)
}

export function isAtLeast(a: DecimalText, b: DecimalText): boolean {
  const found = order(a, b)
  return found === 0 || found === 1
}

export function isAbove(a: DecimalText, b: DecimalText): boolean {
  return order(a, b) === 1
}
