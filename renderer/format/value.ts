import { formatDecimal } from '../../protocol/decimal'
import type { DecimalText } from '../../protocol/model'
import type { Preferences } from '../../protocol/preferences'

/** How the user reads numbers and times: the `timeZone` is `system` or the name of a zone. */
export type DisplayStyle = Readonly<Pick<Preferences, 'grouping' | 'timeZone'>>

/** A published value with its digits grouped as the user wants; none is lost. */
export function formatValue(text: DecimalText, { grouping }: DisplayStyle, options: { signed?: boolean } = {}): string {
  return formatDecimal(text, { ...options, grouping })
}
