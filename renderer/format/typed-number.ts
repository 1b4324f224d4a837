/** Numbers as people type them. Every field that takes a number reads it here. */
import { compareDecimals, isDecimalText, multiplyDecimals, parseDecimal } from '../../core/decimal'
import type { DecimalText } from '../../core/model'

/** A typed number as a decimal, or what is wrong with it. `choices` are readings that the user can take with a click. */
export type TypedNumber =
  | { ok: true; value: DecimalText }
  | { ok: false; message: string; choices?: readonly DecimalText[] }

/** What is asked for: `what` and `example` are for a refusal. */
export interface NumberAsked {
  what: string
  example: string
  /** A unit that may be typed behind the number, such as `%`. */
  unit?: string | undefined
  /** The present value of the index, where the number is a level of it. Asked only where a comma can mean either. */
  near?: (() => DecimalText | undefined) | undefined
}

/** A level further than this factor from the present value is not what a user means by a number that can be read twice. */
const nearFactor = '30'
const separators = /[,'’_ \u00a0\u202f]/g
/** With separators, and no point but one. */
const digitsAlone = /^-?\d[\d,'’_ \u00a0\u202f]*(?:\.\d+)?$/
/** Thousands in groups of three, of one kind of separator, without a leading zero. */
const grouped = /^-?[1-9]\d{0,2}(?:([,'’_ \u00a0\u202f])\d{3})(?:\1\d{3})*(?:\.\d+)?$/
/** One comma, and three digits behind it: thousands here, decimals elsewhere. */
const eitherWay = /^-?[1-9]\d{0,2},\d{3}$/
/** One separator with digits on both sides that cannot group thousands. */
const onePoint = /^(-?)(\d+)[,'’_ \u00a0\u202f](\d+)$/
/** As written where the comma is the decimal point: `1.086,50`, `1 086,50`. */
const pointsElsewhere = /^-?[1-9]\d{0,2}(?:([.'’ \u00a0\u202f])\d{3})(?:\1\d{3})*,\d+$/
/** Currency signs, and the codes of quote currencies. Any three letters would match `bps` too. */
const currency =
  '(?:[A-Z]{0,2}[$€£¥₩₹₿]|USD[CT]?|EUR|GBP|JPY|CHF|CAD|AUD|NZD|CNY|HKD|SGD|KRW|INR|BRL|MXN|TRY|ZAR|BTC|ETH)'
const currencyBefore = new RegExp(`^(-?)${currency} ?(?=[-\\d])`, 'i')
const currencyBehind = new RegExp(`(?<=\\d) ?${currency}$`, 'i')

/**
 * Reads a number as people type it: separators of thousands, currency signs and codes are dropped, every digit is kept.
 * Refuses what can be read in two ways, unless `near` decides it.
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

/** `1,086`: the reading that is near the present value; a question where both or neither are. */
function readEitherWay(text: string, near: DecimalText | undefined): TypedNumber {
  const readings = [text.replace(',', ''), text.replace(',', '.')]
  const [reading, other] = readings.filter((each) => near !== undefined && isNear(each, near))
  if (reading !== undefined && other === undefined) return { ok: true, value: reading }
  return { ok: false, message: `Do you mean ${readings.join(' or ')}?`, choices: readings }
}

/** Whether neither is more than thirty times the other. Signs are ignored. */
function isNear(value: DecimalText, near: DecimalText): boolean {
  const isWithin = (one: DecimalText, other: DecimalText) => {
    const [a, b] = [one, multiplyDecimals(other, nearFactor)].map((text) => parseDecimal(text.replace('-', '')))
    return a !== undefined && b !== undefined && compareDecimals(a, b) <= 0
  }
  return isWithin(value, near) && isWithin(near, value)
}

/** The number with a point in the place of its decimal comma; `undefined` where it has none. */
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

/** `00.5` is kept as `0.5`; zeros behind the point stay. */
function withoutLeadingZeros(text: DecimalText): DecimalText {
  return text.replace(/^(-?)0+(?=\d)/, '$1')
}
