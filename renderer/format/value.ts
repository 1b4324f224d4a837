import { formatDecimal } from '../../core/decimal'
import type { DecimalText } from '../../core/model'
import type { Preferences } from '../../core/preferences'

/** How the user reads numbers and times: the `timeZone` is `system` or the name of a zone. */
export type DisplayStyle = Readonly<Pick<Preferences, 'grouping' | 'timeZone'>>

/** A published value with its digits grouped as the user wants; none is lost. */
export function formatValue(text: DecimalText, { grouping }: DisplayStyle, options: { signed?: boolean } = {}): string {
  return formatDecimal(text, { ...options, grouping })
}

/** A value on screen: what its digits begin with, its digits, and the zeros that fill it up. */
export interface ValueParts {
  /** `0.0000` of a small value: it says how small, and is not what changes. */
  zeros: string
  digits: string
  /** Not published: keeps values of one index on one point. */
  padding: string
}

const leadingZeros = /^\u2212?0\.0+(?=[1-9])/
const maxPadding = 18

/** Takes a value apart that `formatValue` has written; `decimals` are those that the index declares. */
export function valueParts(shown: string, decimals = 0): ValueParts {
  const zeros = leadingZeros.exec(shown)?.[0] ?? ''
  const fraction = shown.split('.')[1]
  const isWrittenOut = /^[\d\u2212]/.test(shown) && !/e/i.test(shown)
  const missing = isWrittenOut ? Math.min(maxPadding, decimals - (fraction?.length ?? 0)) : 0
  const padding = missing > 0 ? `${fraction === undefined ? '.' : ''}${'0'.repeat(missing)}` : ''
  return { zeros, digits: shown.slice(zeros.length), padding }
}
