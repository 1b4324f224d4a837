/**
 * Exact decimals. A published value is a string and stays one. It is compared, subtracted and shown without a
 * floating-point number (protocol, 1).
 */
import type { DecimalText } from './model'
import type { Grouping } from './preferences'

/**
 * A decimal in a form for comparison: 0.DIGITS × 10^point. `digits` has no leading or trailing zeros and is empty for
 * zero.
 */
export interface Decimal {
  readonly sign: -1 | 0 | 1
  readonly digits: string
  readonly point: number
}

/** The number `units` ÷ 10^`scale`. `scale` is never negative. */
export interface Exact {
  readonly units: bigint
  readonly scale: number
}

/** The number `units` ÷ `over`. `over` is positive. */
export interface Fraction {
  readonly units: bigint
  readonly over: bigint
}

const grammar = /^(-?)(\d+)(?:\.(\d+))?(?:[eE]([+-]?\d{1,3}))?$/
/** Matches nearly all published values. Tested first, because it has no groups to extract. */
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

/** Accepts any length, because results of arithmetic can be longer than published values. */
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

/** Whether `text` is a decimal that this app reads: at most 128 characters, exponent within ±64, only ASCII digits. */
export function isDecimalText(text: string): boolean {
  return text.length <= maxTextLength && (withoutExponent.test(text) || split(text) !== undefined)
}

/** Reads a decimal for comparison. Undefined if `isDecimalText` is false. */
export function parseDecimal(text: string): Decimal | undefined {
  if (text.length > maxTextLength) return undefined
  return parseWithoutExponent(text) ?? parseAny(text)
}

const zero: Decimal = { sign: 0, digits: '', point: 0 }

/** Fast path for nearly all published values, in one pass. Undefined if the text is not a plain decimal. */
function parseWithoutExponent(text: string): Decimal | undefined {
  const first = text.charCodeAt(0) === 45 ? 1 : 0
  let dot = -1
  // The range from the first nonzero digit to the last one.
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

/** Returns -1, 0 or 1 if `a` is less than, equal to or greater than `b`. By numeric value: 1.0 equals 1. */
export function compareDecimals(a: Decimal, b: Decimal): -1 | 0 | 1 {
  if (a.sign !== b.sign) return a.sign < b.sign ? -1 : 1
  const larger = a.sign === -1 ? -1 : 1
  if (a.point !== b.point) return a.point < b.point ? (-larger as -1 | 1) : larger
  // Without trailing zeros, digit strings sort like the fractions they stand for.
  if (a.digits === b.digits) return 0
  return a.digits < b.digits ? (-larger as -1 | 1) : larger
}

/** As `compareDecimals`. Undefined if one is not a decimal. */
export function order(a: DecimalText, b: DecimalText): -1 | 0 | 1 | undefined {
  const [left, right] = [parseDecimal(a), parseDecimal(b)]
  return left === undefined || right === undefined ? undefined : compareDecimals(left, right)
}

/** Whether `a` is less than `b`. This and the next comparisons are false if either is not a decimal. */
export function isLess(a: DecimalText, b: DecimalText): boolean {
  return order(a, b) === -1
}

export function isAbove(a: DecimalText, b: DecimalText): boolean {
  return order(a, b) === 1
}

export function isAtLeast(a: DecimalText, b: DecimalText): boolean {
  return (order(a, b) ?? -1) >= 0
}

/** Whether both are the same number, or neither is one: 1.0 equals 1. */
export function isSameDecimal(a: DecimalText | undefined, b: DecimalText | undefined): boolean {
  const [left, right] = [a, b].map((text) => (text === undefined ? undefined : parseDecimal(text)))
  return left === undefined || right === undefined ? left === right : compareDecimals(left, right) === 0
}

/** Without trailing zeros. */
export function exactOf({ sign, digits, point }: Decimal): Exact {
  return inUnits(BigInt(digits === '' ? 0 : digits) * BigInt(sign), digits.length - point)
}

/** As `exactOf`. Undefined if the text is not a decimal. */
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

/** The units of a value at a larger scale. `at` is not below the value's scale. */
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

/** `b` must not be zero. */
export function divide(a: Exact, b: Exact): Fraction {
  const scale = Math.max(a.scale, b.scale)
  const [units, over] = [unitsAt(a, scale), unitsAt(b, scale)]
  return over < 0n ? { units: -units, over: -over } : { units, over }
}

/** Negative, 0 or positive if `a` is less than, equal to or greater than `b`. */
export function compareFractions(a: Fraction, b: Fraction): number {
  const difference = a.units * b.over - b.units * a.over
  return difference === 0n ? 0 : difference < 0n ? -1 : 1
}

/** As text without trailing zeros: 0.05, -3, 100. */
export function exactText(exact: Exact): DecimalText {
  return exact.scale === 0 ? plain(exact) : plain(exact).replace(/\.?0+$/, '')
}

/** Truncated to `places`, not rounded, so that a change just below 5 is never shown as 5. */
export function fractionText({ units, over }: Fraction, places: number): DecimalText {
  return exactText({ units: (units * 10n ** BigInt(places)) / over, scale: places })
}

/** Rounded once to `places`, half away from zero. Keeps trailing zeros. */
export function roundedText({ units, over }: Fraction, places: number): DecimalText {
  return plain({ units: divideRounded(units * 10n ** BigInt(places), over), scale: places })
}

/** The largest decimal with `places` that is not above the fraction, as text with trailing zeros. */
export function floorText({ units, over }: Fraction, places: number): DecimalText {
  const scaledUp = units * 10n ** BigInt(places)
  const cut = scaledUp / over
  return plain({ units: scaledUp < 0n && scaledUp % over !== 0n ? cut - 1n : cut, scale: places })
}

/** The smallest decimal with `places` that is not below the fraction, as text with trailing zeros. */
export function ceilingText({ units, over }: Fraction, places: number): DecimalText {
  const negated = floorText({ units: -units, over }, places)
  const isZero = !/[1-9]/.test(negated)
  return isZero ? negated.replace('-', '') : negated.startsWith('-') ? negated.slice(1) : `-${negated}`
}

/** Keeps trailing zeros. */
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

/** `a` - `b`, exact, with the larger number of places. Throws `RangeError` if one is not a decimal. */
export function subtractDecimals(a: DecimalText, b: DecimalText): DecimalText {
  return plain(subtract(scaled(a), scaled(b)))
}

/** The exact sum, with the largest number of places. 0 if empty. Throws `RangeError` if one is not a decimal. */
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
 * The change from `from` to `to` in percent of |from|, rounded half away from zero to `places`. Undefined from zero.
 * Throws `RangeError` if one is not a decimal.
 */
export function percentChange(from: DecimalText, to: DecimalText, places = 2): DecimalText | undefined {
  const start = scaled(from)
  const change = multiply(subtract(scaled(to), start), { units: 100n, scale: 0 })
  return quotient(change, sizeOf(start), places)
}

/**
 * The product of all factors ÷ `divisor`, rounded once, half away from zero, to `places`. Undefined if the divisor is
 * zero. Throws `RangeError` if one is not a decimal.
 */
export function multiplyAndDivide(
  factors: readonly DecimalText[],
  divisor: DecimalText,
  places: number,
): DecimalText | undefined {
  return quotient(factors.map(scaled).reduce(multiply), scaled(divisor), places)
}

/** `a` × `b`, exact. Throws `RangeError` if one is not a decimal. */
export function multiplyDecimals(a: DecimalText, b: DecimalText): DecimalText {
  return plain(multiply(scaled(a), scaled(b)))
}

/**
 * `a` ÷ `b`, rounded half to even to `places`, so that repeated rounding does not drift. Undefined if `b` is zero.
 * Throws `RangeError` if one is not a decimal.
 */
export function divideToEven(a: DecimalText, b: DecimalText, places: number): DecimalText | undefined {
  return quotient(scaled(a), scaled(b), places, 'halfToEven')
}

/**
 * `a` ÷ `b`, rounded half away from zero to `places`. Undefined if `b` is zero. Throws `RangeError` if one is not a
 * decimal.
 */
export function divideDecimals(a: DecimalText, b: DecimalText, places: number): DecimalText | undefined {
  return quotient(scaled(a), scaled(b), places)
}

/**
 * `a` ÷ `b`, truncated to `places`, so that a value just below a limit is never shown as the limit. Undefined if `b` is
 * zero. Throws `RangeError` if one is not a decimal.
 */
export function divideCut(a: DecimalText, b: DecimalText, places: number): DecimalText | undefined {
  return quotient(scaled(a), scaled(b), places, 'cut')
}

function quotient(over: Exact, under: Exact, places: number, rounding?: Rounding): DecimalText | undefined {
  if (under.units === 0n) return undefined
  const fraction = divide(over, under)
  return plain({ units: divideRounded(fraction.units * 10n ** BigInt(places), fraction.over, rounding), scale: places })
}

/**
 * The decimal without an exponent, with every published digit: 1.350e-5 becomes 0.00001350. Throws `RangeError` if it
 * is not a decimal.
 */
export function writeOut(text: DecimalText): DecimalText {
  const parts = splitOrThrow(text)
  return parts.isScientific ? plain(scaled(text)) : text
}

/** Number of decimals when written without an exponent. Throws `RangeError` if it is not a decimal. */
export function decimalsOf(text: DecimalText): number {
  return writeOut(text).split('.')[1]?.length ?? 0
}

function countDigits(text: string): number {
  return text.replace(/\D/g, '').length
}

const separators: Record<Grouping, string> = { comma: ',', space: '\u202f', none: '' }

function groupByThree(whole: string, grouping: Grouping): string {
  return whole.replace(/\B(?=(\d{3})+$)/g, separators[grouping])
}

/** A whole number as 10,000. The platform's formatter takes 10 ms to load. */
export function formatCount(count: number): string {
  return groupByThree(String(count), 'comma')
}

/**
 * Formats a published value for people. Keeps every published digit and groups those before the point by three.
 * Scientific notation is written out if that takes at most 24 digits. The minus is the typographic one, and zero has no
 * sign. `signed` adds a plus to positive changes. Throws `RangeError` if it is not a decimal.
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

/** The nearest floating-point number. Only for charts. */
export function toChartNumber(text: DecimalText): number {
  return Number(text)
}
