import { isDecimalText } from '../../protocol/decimal'
import type { DecimalText } from '../../protocol/model'

/** A typed number as a decimal, or what is wrong with it. */
export type TypedLevel = { ok: true; level: DecimalText } | { ok: false; message: string }

const grouped = /^[-\u2212]?\d{1,3}(?:([,'’_ \u00a0\u202f])\d{3})(?:\1\d{3})*(?:\.\d+)?$/

/**
 * Reads a level as people type it: `68,500.00`, `68 500` and `68'500` lose their separators and keep every digit.
 * A comma that does not group by three is refused, because it may be meant as a decimal point.
 */
export function readLevel(typed: string): TypedLevel {
  return readNumber(typed, 'level', '68,500.00')
}

/** Reads any number as `readLevel` does; `what` and `example` say in a refusal what is asked for. */
export function readNumber(typed: string, what: string, example: string): TypedLevel {
  const text = typed.trim()
  if (text === '') return { ok: false, message: `Enter a ${what}, such as ${example}.` }
  const plain = (grouped.test(text) ? text.replace(/[,'’_ \u00a0\u202f]/g, '') : text).replace('\u2212', '-')
  if (isDecimalText(plain)) return { ok: true, level: plain }
  if (text.includes(',')) {
    return { ok: false, message: 'A comma groups thousands here; write the decimals after a point, such as 68,500.00.' }
  }
  return { ok: false, message: `A ${what} is a number such as ${example}.` }
}
