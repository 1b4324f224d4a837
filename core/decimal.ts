/**
 * Exact decimals. A published value is a string and stays one: it is compared, subtracted and shown without ever
 * passing through a floating-point number (spec 2.4: "a decimal string; it may use scientific notation").
 */
import type { DecimalText } from './model'
import type { Grouping } from './preferences'

/** A decimal ready to be compared: 0.DIGITS × 10^point, without leading or trailing zeros; zero has no digits. */
export interface Decimal {
  readonly sign: -1 | 0 | 1
  readonly digits: string
  readonly point: number
}

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

const grammar = /^(-?)(\d+)(?:\.(\d+))?(?:[eE]([+-]?\d{1,3}))?$/
/** As nearly all are published: asked first, since nothing has to be taken out of it. */
const withoutExponent = /^-?\d+(?:\.\d+)?$/
const maxTextLength = 128
const maxExponent = 64
const maxWrittenOutDigits = 24
const minus = '\u2212'

interface Parts {
  readonly isNegative: boolean
  readonly whole: string
  readonly fraction: string
  readonly exponent: number
  readonly isScientific: boolean
}

/** Of any length: what is computed from two values can be longer than either may be. */
function split(text: string): Parts | undefined {
  const match = grammar.exec(text)
  if (match === null) return undefined
  const exponent = Number(match[4] ?? '0')
  if (Math.abs(exponent) > maxExponent) return undefined
  return {
    isNegative: match[1] === '-',
    whole: match[2] ?? '',
    fraction: match[3] ?? '',
    exponent,
    isScientific: match[4] !== undefined,
  }
}

function splitOrThrow(text: DecimalText): Parts {
  const parts = split(text)
  if (parts === undefined) throw new RangeError(`not a decimal: ${JSON.stringify(text.slice(0, 40))}`)
  return parts
}

/** Whether `text` is a decimal this app reads: at most 128 characters, exponent within ±64, ASCII digits only. */
export function isDecimalText(text: string): boolean {
  return text.length <= maxTextLength && (withoutExponent.test(text) || split(text) !== undefined)
}

/** Reads a decimal for comparison; `undefined` where `isDecimalText` says no. */
export function parseDecimal(text: string): Decimal | undefined {
  if (text.length > maxTextLength) return undefined
  return parseWithoutExponent(text) ?? parseAny(text)
}

const zero: Decimal = { sign: 0, digits: '', point: 0 }

/** As nearly all are published: read in one pass, since every value is. `undefined` for what is none. */
function parseWithoutExponent(text: string): Decimal | undefined {
  const first = text.charCodeAt(0) === 45 ? 1 : 0
  let dot = -1
  // From the first digit that is not zero to behind the last one.
  let start = -1
  let end = -1
  for (let at = first; at < text.length; at++) {
    const code = text.charCodeAt(at)
    if (code > 48 && code <= 57) {
      if (start === -1) start = at
      end = at + 1
    } else if (code === 46 && dot === -1) dot = at
    else if (code !== 48) return undefined
  }
  const wholeEnd = dot === -1 ? text.length : dot
  if (wholeEnd === first || dot === text.length - 1) return undefined
  if (start === -1) return zero
  const isSplit = start < wholeEnd && wholeEnd < end
  const digits = isSplit ? text.slice(start, wholeEnd) + text.slice(wholeEnd + 1, end) : text.slice(start, end)
  return { sign: first === 1 ? -1 : 1, digits, point: start < wholeEnd ? wholeEnd - start : wholeEnd + 1 - start }
}

function parseAny(text: string): Decimal | undefined {
  const parts = split(text)
  if (parts === undefined) return undefined
  const all = parts.whole + parts.fraction
  let start = 0
  while (start < all.length && all.charCodeAt(start) === 48) start++
  let end = all.length
  while (end > start && all.charCodeAt(end - 1) === 48) end--
  if (start === end) return zero
  return {
    sign: parts.isNegative ? -1 : 1,
    digits: all.slice(start, end),
    point: parts.whole.length - start + parts.exponent,
  }
}

/** -1, 0 or 1 as `a` is less than, equal to or greater than `b`, by value: 1.0 equals 1. */
export function compareDecimals(a: Decimal, b: Decimal): -1 | 0 | 1 {
  if (a.sign !== b.sign) return a.sign < b.sign ? -1 : 1
  const larger = a.sign === -1 ? -1 : 1
  if (a.point !== b.point) return a.point < b.point ? (-larger as -1 | 1) : larger
  // Without trailing zeros the order of the digit strings is the order of the fractions they stand for.
  if (a.digits === b.digits) return 0
  return a.digits < b.digits ? (-larger as -1 | 1) : larger
}

/** As `compareDecimals`, or `undefined` if one of them is not a decimal. */
export function order(a: DecimalText, b: DecimalText): -1 | 0 | 1 | undefined {
  const [left, right] = [parseDecimal(a), parseDecimal(b)]
  return left === undefined || right === undefined ? undefined : compareDecimals(left, right)
}

/** Whether `a` is less than `b`. False if either is not a decimal, as in those that follow. */
export function isLess(a: DecimalText, b: DecimalText): boolean {
  return order(a, b) === -1
}

export function isAbove(a: DecimalText, b: DecimalText): boolean {
  return order(a, b) === 1
}

export function isAtLeast(a: DecimalText, b: DecimalText): boolean {
  return (order(a, b) ?? -1) >= 0
}

/** Whether two are the same number: 1.0 is 1. */
export function isSameDecimal(a: DecimalText, b: DecimalText): boolean {
  return order(a, b) === 0
}

/** Equal by value, or both no number. */
export function sameDecimal(a: DecimalText | undefined, b: DecimalText | undefined): boolean {
  const [left, right] = [a, b].map((text) => (text === undefined ? undefined : parseDecimal(text)))
  return left === undefined || right === undefined ? left === right : compareDecimals(left, right) === 0
}

/** Without zeros at the end. */
export function exactOf({ sign, digits, point }: Decimal): Exact {
  return inUnits(BigInt(digits === '' ? 0 : digits) * BigInt(sign), digits.length - point)
}

/** As `exactOf`; `undefined` for what is not a decimal. */
export function readExact(text: DecimalText): Exact | undefined {
  const decimal = parseDecimal(text)
  return decimal && exactOf(decimal)
}

function inUnits(units: bigint, scale: number): Exact {
  return scale >= 0 ? { units, scale } : { units: units * 10n ** BigInt(-scale), scale: 0 }
}

export function magnitude(units: bigint): bigint {
  return units < 0n ? -units : units
}

export function sizeOf({ units, scale }: Exact): Exact {
  return { units: magnitude(units), scale }
}

/** As many units as the value has at this scale, which is not below its own. */
export function unitsAt({ units, scale }: Exact, at: number): bigint {
  return units * 10n ** BigInt(at - scale)
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

/** `b` is not zero. */
export function divide(a: Exact, b: Exact): Fraction {
  const scale = Math.max(a.scale, b.scale)
  const [units, over] = [unitsAt(a, scale), unitsAt(b, scale)]
  return over < 0n ? { units: -units, over: -over } : { units, over }
}

/** Below, at or above 0 as `a` is less than, equal to or greater than `b`. */
export function compareFractions(a: Fraction, b: Fraction): number {
  const difference = a.units * b.over - b.units * a.over
  return difference === 0n ? 0 : difference < 0n ? -1 : 1
}

/** Written out without zeros at the end: 0.05, -3, 100. */
export function exactText(exact: Exact): DecimalText {
  return exact.scale === 0 ? plain(exact) : plain(exact).replace(/\.?0+$/, '')
}

/** Cut, not rounded, to so many places: a change just short of 5 is never written as 5. */
export function fractionText({ units, over }: Fraction, places: number): DecimalText {
  return exactText({ units: (units * 10n ** BigInt(places)) / over, scale: places })
}

/** With every place that is written. */
function scaled(text: DecimalText): Exact {
  const { isNegative, whole, fraction, exponent } = splitOrThrow(text)
  const size = BigInt(whole + fraction)
  return inUnits(isNegative ? -size : size, fraction.length - exponent)
}

function plain({ units, scale }: Exact): DecimalText {
  const digits = magnitude(units)
    .toString()
    .padStart(scale + 1, '0')
  const whole = `${units < 0n ? '-' : ''}${digits.slice(0, digits.length - scale)}`
  return scale === 0 ? whole : `${whole}.${digits.slice(-scale)}`
}

/** `a` - `b`, exact, with as many places as the one that has more. Throws `RangeError` on what is not a decimal. */
export function subtractDecimals(a: DecimalText, b: DecimalText): DecimalText {
  return plain(subtract(scaled(a), scaled(b)))
}

/** The exact sum, with as many places as the value that has most; 0 of none. Throws `RangeError`. */
export function sumDecimals(values: readonly DecimalText[]): DecimalText {
  return plain(values.map(scaled).reduce(add, { units: 0n, scale: 0 }))
}

type Rounding = 'halfAway' | 'halfToEven' | 'cut'

function divideRounded(numerator: bigint, denominator: bigint, rounding: Rounding = 'halfAway'): bigint {
  const quotient = numerator / denominator
  if (rounding === 'cut') return quotient
  const rest = numerator % denominator
  const twice = 2n * magnitude(rest)
  if (twice < denominator || (rounding === 'halfToEven' && twice === denominator && quotient % 2n === 0n))
    return quotient
  return numerator < 0n ? quotient - 1n : quotient + 1n
}

/**
 * Change from `from` to `to` in percent of |from|, rounded half away from zero to `places` decimals;
 * `undefined` from zero. Throws `RangeError` on what is not a decimal.
 */
export function percentChange(from: DecimalText, to: DecimalText, places = 2): DecimalText | undefined {
  const start = scaled(from)
  const change = multiply(subtract(scaled(to), start), { units: 100n, scale: 0 })
  return quotient(change, sizeOf(start), places)
}

/**
 * The product of all factors ÷ `divisor`, rounded half away from zero to `places` decimals once; `undefined` by zero. Throws
 * `RangeError` on what is not a decimal.
 */
export function multiplyAndDivide(
  factors: readonly DecimalText[],
  divisor: DecimalText,
  places: number,
): DecimalText | undefined {
  return quotient(factors.map(scaled).reduce(multiply), scaled(divisor), places)
}

/** `a` × `b`, exact. Throws `RangeError` on what is not a decimal. */
export function multiplyDecimals(a: DecimalText, b: DecimalText): DecimalText {
  return plain(multiply(scaled(a), scaled(b)))
}

/**
 * `a` ÷ `b`, rounded half to even to `places` decimals, so that what is rounded often does not drift; `undefined` by zero.
 * Throws `RangeError` on what is not a decimal.
 */
export function divideToEven(a: DecimalText, b: DecimalText, places: number): DecimalText | undefined {
  return quotient(scaled(a), scaled(b), places, 'halfToEven')
}

/**
 * `a` ÷ `b`, rounded half away from zero to `places` decimals; `undefined` by zero. Throws `RangeError` on what is not a
 * decimal.
 */
export function divideDecimals(a: DecimalText, b: DecimalText, places: number): DecimalText | undefined {
  return quotient(scaled(a), scaled(b), places)
}

/**
 * `a` ÷ `b`, cut to `places` decimals, so that what falls just short of a limit is never written as the limit; `undefined` by
 * zero. Throws `RangeError` on what is not a decimal.
 */
export function divideCut(a: DecimalText, b: DecimalText, places: number): DecimalText | undefined {
  return quotient(scaled(a), scaled(b), places, 'cut')
}

function quotient(over: Exact, under: Exact, places: number, rounding?: Rounding): DecimalText | undefined {
  if (under.units === 0n) return undefined
  const fraction = divide(over, under)
  return plain({ units: divideRounded(fraction.units * 10n ** BigInt(places), fraction.over, rounding), scale: places })
}

/** The decimal without an exponent, every published digit kept: 1.350e-5 is 0.00001350. Throws `RangeError`. */
export function writeOut(text: DecimalText): DecimalText {
  const parts = splitOrThrow(text)
  return parts.isScientific ? plain(scaled(text)) : text
}

/** How many digits a decimal has after the point, written out. Throws `RangeError`. */
export function decimalsOf(text: DecimalText): number {
  return writeOut(text).split('.')[1]?.length ?? 0
}

/** The decimal with one digit before the point and an exponent: 0.0000135 is 1.35e-5. Throws `RangeError`. */
export function toScientific(text: DecimalText): DecimalText {
  const { isNegative, whole, fraction, exponent } = splitOrThrow(text)
  const all = whole + fraction
  const first = all.search(/[1-9]/)
  if (first === -1) return '0e0'
  const rest = all.slice(first + 1)
  const power = whole.length - 1 - first + exponent
  return `${isNegative ? '-' : ''}${all[first] ?? '0'}${rest === '' ? '' : `.${rest}`}e${power}`
}

function countDigits(text: string): number {
  return text.replace(/\D/g, '').length
}

const separators: Record<Grouping, string> = { comma: ',', space: '\u202f', none: '' }

function groupByThree(whole: string, grouping: Grouping): string {
  return whole.replace(/\B(?=(\d{3})+$)/g, separators[grouping])
}

/**
 * A published value for people: every published digit, digits before the point grouped by three as `grouping` says.
 * Scientific notation is written out when that takes at most 24 digits and stays as published otherwise. The minus is the
 * typographic one; zero has no sign. `signed` is for changes: a plus in front of a rise. Throws `RangeError` on what is not
 * a decimal.
 */
export function formatDecimal(
  text: DecimalText,
  { signed = false, grouping = 'comma' }: { signed?: boolean; grouping?: Grouping } = {},
): string {
  const { isScientific } = splitOrThrow(text)
  const written = writeOut(text)
  const isZero = !/[1-9]/.test(written)
  if (isScientific && countDigits(written) > maxWrittenOutDigits) return isZero ? text.replace(/^-/, '') : text
  const isNegative = written.startsWith('-') && !isZero
  const [whole = '', fraction] = written.replace('-', '').split('.')
  const grouped = groupByThree(whole, grouping)
  const magnitude = fraction === undefined ? grouped : `${grouped}.${fraction}`
  if (isNegative) return minus + magnitude
  return signed && !isZero ? `+${magnitude}` : magnitude
}

/** For charts alone: the nearest floating-point number. */
export function toChartNumber(text: DecimalText): number {
  return Number(text)
}
