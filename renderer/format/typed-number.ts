/** Reads typed numbers, for all fields. */
import { compareDecimals, isDecimalText, multiplyDecimals, parseDecimal } from '../../core/decimal'
import type { DecimalText } from '../../core/model'
import { formatValue, type DisplayStyle } from './value'

/** A typed number as a decimal, or what is wrong with it. `choices` are possible readings for the user to choose. */
export type TypedNumber =
  | { ok: true; value: DecimalText }
  | { ok: false; message: string; choices?: readonly DecimalText[] }

/** The expected number. `what` and `example` are for the text of a refusal. */
export interface NumberAsked {
  what: string
  example: string
  /** A unit that may follow the number, such as `%`. */
  unit?: string | undefined
  /** The current value of the index, if the number is a level. Called only if a comma is ambiguous. */
  near?: (() => DecimalText | undefined) | undefined
}

/** A reading of an ambiguous number that is further than this factor from the current value is ruled out. */
const nearFactor = '30'
const separators = /[,'’_ \u00a0\u202f]/g
/** Digits with separators, and at most one point. */
const digitsAlone = /^-?\d[\d,'’_ \u00a0\u202f]*(?:\.\d+)?$/
/** Thousands in groups of three, with one kind of separator and without a leading zero. */
const grouped = /^-?[1-9]\d{0,2}(?:([,'’_ \u00a0\u202f])\d{3})(?:\1\d{3})*(?:\.\d+)?$/
/** One comma and three digits after it. Ambiguous: thousands or decimals. */
const eitherWay = /^-?[1-9]\d{0,2},\d{3}$/
/** One separator with digits on both sides that cannot group thousands. */
const onePoint = /^(-?)(\d+)[,'’_ \u00a0\u202f](\d+)$/
/** A number with a decimal comma: `1.086,50`, `1 086,50`. */
const pointsElsewhere = /^-?[1-9]\d{0,2}(?:([.'’ \u00a0\u202f])\d{3})(?:\1\d{3})*,\d+$/
/** Currency signs, and the codes of quote currencies. Any three letters would match `bps` too. */
const currency =
  '(?:[A-Z]{0,2}[$€£¥₩₹₿]|USD[CT]?|EUR|GBP|JPY|CHF|CAD|AUD|NZD|CNY|HKD|SGD|KRW|INR|BRL|MXN|TRY|ZAR|BTC|ETH)'
const currencyBefore = new RegExp(`^(-?)${currency} ?(?=[-\\d])`, 'i')
const currencyBehind = new RegExp(`(?<=\\d) ?${currency}$`, 'i')

/**
 * Reads a typed number. Drops separators of thousands, currency signs and codes, and keeps every digit. Refuses an
 * ambiguous number unless `near` rules one reading out.
 */
export function readTypedNumber(typed: string, { what, example, unit, near }: NumberAsked): TypedNumber {
  const text = withoutUnits(typed, unit)
  if (text === '') return { ok: false, message: `Enter a ${what}, such as ${example}.` }
  if (eitherWay.test(text)) return readEitherWay(text, near?.())
  const plain = grouped.test(text) ? text.replace(separators, '') : text
  if (isDecimalText(plain)) return { ok: true, value: withoutLeadingZeros(plain) }
  const meant = withPoint(text)
  if (meant !== undefined) return { ok: false, message: `Use a point for decimals: ${meant}?`, choices: [meant] }
  if (digitsAlone.test(text))
    return { ok: false, message: `Group digits by three, and use a point for decimals: ${example}.` }
  return { ok: false, message: `A ${what} is a number such as ${example}.` }
}

/** The number with grouped digits, or without if a field would not read the grouped text as this number. */
export function typedText(value: DecimalText, style: DisplayStyle, near?: () => DecimalText | undefined): string {
  const text = formatValue(value, style)
  const read = readTypedNumber(text, { what: 'level', example: text, near })
  return read.ok && read.value === value ? text : value
}

/** Reads `1,086` as the number near the current value. Refuses with both choices if both or neither are near. */
function readEitherWay(text: string, near: DecimalText | undefined): TypedNumber {
  const readings = [text.replace(',', ''), text.replace(',', '.')]
  const [reading, other] = readings.filter((each) => near !== undefined && isNear(each, near))
  if (reading !== undefined && other === undefined) return { ok: true, value: reading }
  return { ok: false, message: `Do you mean ${readings.join(' or ')}?`, choices: readings }
}

/** True if neither is more than `nearFactor` times the other. Signs are ignored. */
function isNear(value: DecimalText, near: DecimalText): boolean {
  const isWithin = (one: DecimalText, other: DecimalText) => {
    const [a, b] = [one, multiplyDecimals(other, nearFactor)].map((text) => parseDecimal(text.replace('-', '')))
    return a !== undefined && b !== undefined && compareDecimals(a, b) <= 0
  }
  return isWithin(value, near) && isWithin(near, value)
}

/** The number with a point instead of its decimal comma. Undefined if it has none. */
function withPoint(text: string): DecimalText | undefined {
  const one = onePoint.exec(text)
  const [, sign = '', whole = '', fraction = ''] = one ?? []
  if (one !== null) return withoutLeadingZeros(`${sign}${whole}.${fraction}`)
  if (!pointsElsewhere.test(text)) return undefined
  return text.replace(/[.'’ \u00a0\u202f]/g, '').replace(',', '.')
}

function withoutUnits(typed: string, unit: string | undefined): string {
  const text = typed.trim().replace(/^[\u2212\u2013]/, '-')
  const bare = unit !== undefined && text.endsWith(unit) ? text.slice(0, -unit.length).trim() : text
  return bare
    .replace(currencyBefore, '$1')
    .replace(currencyBehind, '')
    .replace(/^(-?)(?=\.\d)/, '$10')
}

/** `00.5` becomes `0.5`. Zeros after the point stay. */
function withoutLeadingZeros(text: DecimalText): DecimalText {
  return text.replace(/^(-?)0+(?=\d)/, '$1')
}
