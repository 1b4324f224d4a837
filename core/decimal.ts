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

/** A decimal as an integer and the number of its decimal places. */
interface Scaled {
  readonly units: bigint
  readonly scale: number
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

/** Whether `a` is less than `b`. False if either is not a decimal. */
export function isLess(a: DecimalText, b: DecimalText): boolean {
  const [left, right] = [parseDecimal(a), parseDecimal(b)]
  return left !== undefined && right !== undefined && compareDecimals(left, right) < 0
}

/** Whether two are the same number: 1.0 is 1. What is not a decimal is the same as nothing. */
export function isSameDecimal(a: DecimalText, b: DecimalText): boolean {
  const [left, right] = [parseDecimal(a), parseDecimal(b)]
  return left !== undefined && right !== undefined && compareDecimals(left, right) === 0
}

function scaled(text: DecimalText): Scaled {
  const parts = splitOrThrow(text)
  const magnitude = BigInt(parts.whole + parts.fraction)
  const units = parts.isNegative ? -magnitude : magnitude
  const scale = parts.fraction.length - parts.exponent
  return scale >= 0 ? { units, scale } : { units: units * 10n ** BigInt(-scale), scale: 0 }
}

function plain({ units, scale }: Scaled): DecimalText {
  const magnitude = (units < 0n ? -units : units).toString().padStart(scale + 1, '0')
  const whole = magnitude.slice(0, magnitude.length - scale)
  const sign = units < 0n ? '-' : ''
  return scale === 0 ? sign + whole : `${sign}${whole}.${magnitude.slice(-scale)}`
}

function atScale(value: Scaled, scale: number): bigint {
  return value.units * 10n ** BigInt(scale - value.scale)
}

/** `a` - `b`, exact, with as many places as the one that has more. Throws `RangeError` on what is not a decimal. */
export function subtractDecimals(a: DecimalText, b: DecimalText): DecimalText {
  const left = scaled(a)
  const right = scaled(b)
  const scale = Math.max(left.scale, right.scale)
  return plain({ units: atScale(left, scale) - atScale(right, scale), scale })
}

/** The exact sum, with as many places as the value that has most; 0 of none. Throws `RangeError`. */
export function sumDecimals(values: readonly DecimalText[]): DecimalText {
  const all = values.map(scaled)
  const scale = Math.max(0, ...all.map((value) => value.scale))
  return plain({ units: all.reduce((sum, value) => sum + atScale(value, scale), 0n), scale })
}

type Rounding = 'halfAway' | 'halfToEven' | 'cut'

function divideRounded(numerator: bigint, denominator: bigint, rounding: Rounding = 'halfAway'): bigint {
  const quotient = numerator / denominator
  if (rounding === 'cut') return quotient
  const rest = numerator % denominator
  const twice = 2n * (rest < 0n ? -rest : rest)
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
  if (start.units === 0n) return undefined
  const end = scaled(to)
  const scale = Math.max(start.scale, end.scale)
  const base = atScale(start, scale)
  const hundredth = 100n * 10n ** BigInt(places)
  const units = divideRounded((atScale(end, scale) - base) * hundredth, base < 0n ? -base : base)
  return plain({ units, scale: places })
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
  const product = factors.map(scaled).reduce((all, each) => ({
    units: all.units * each.units,
    scale: all.scale + each.scale,
  }))
  return quotient(product, scaled(divisor), places)
}

/** `a` × `b`, exact. Throws `RangeError` on what is not a decimal. */
export function multiplyDecimals(a: DecimalText, b: DecimalText): DecimalText {
  const [left, right] = [scaled(a), scaled(b)]
  return plain({ units: left.units * right.units, scale: left.scale + right.scale })
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

function quotient(over: Scaled, under: Scaled, places: number, rounding?: Rounding): DecimalText | undefined {
  if (under.units === 0n) return undefined
  const scale = Math.max(over.scale, under.scale)
  const numerator = atScale(over, scale) * 10n ** BigInt(places)
  const denominator = atScale(under, scale)
  const sign = denominator < 0n ? -1n : 1n
  return plain({ units: divideRounded(sign * numerator, sign * denominator, rounding), scale: places })
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
