import { formatDecimal } from '../../core/decimal'
import type { DecimalText } from '../../core/model'
import type { Preferences } from '../../core/preferences'

/** The user's display settings for numbers and times. `timeZone` is `system` or the name of a zone. */
export type DisplayStyle = Readonly<Pick<Preferences, 'grouping' | 'timeZone'>>

/** A published value with grouped digits. Every digit is kept. */
export function formatValue(text: DecimalText, { grouping }: DisplayStyle, options: { signed?: boolean } = {}): string {
  return formatDecimal(text, { ...options, grouping })
}

/** A value on screen: its leading zeros, its digits, and the zeros that pad it. */
export interface ValueParts {
  /** `0.0000` of a small value. It is drawn fainter. */
  zeros: string
  digits: string
  /** Not published. Aligns the decimal points of an index's values. */
  padding: string
}

const leadingZeros = /^\u2212?0\.0+(?=[1-9])/
const maxPadding = 18

/** Splits a text of `formatValue`. `decimals` is the number that the index declares. */
export function valueParts(shown: string, decimals = 0): ValueParts {
  const zeros = leadingZeros.exec(shown)?.[0] ?? ''
  const fraction = shown.split('.')[1]
  const isWrittenOut = /^[\d\u2212]/.test(shown) && !/e/i.test(shown)
  const missing = isWrittenOut ? Math.min(maxPadding, decimals - (fraction?.length ?? 0)) : 0
  const padding = missing > 0 ? `${fraction === undefined ? '.' : ''}${'0'.repeat(missing)}` : ''
  return { zeros, digits: shown.slice(zeros.length), padding }
}
