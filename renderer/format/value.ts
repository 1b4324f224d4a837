import { formatDecimal } from '../../protocol/decimal'
import type { DecimalText } from '../../protocol/model'
import type { Grouping } from '../../protocol/preferences'
import { display } from '../state/display.svelte'

const separators: Record<Grouping, string> = { comma: ',', space: '\u202f', none: '' }

/** A published value as the user wants digits grouped; reads the page's display settings, so texts follow them. */
export function formatValue(text: DecimalText, options: { signed?: boolean } = {}): string {
  const formatted = formatDecimal(text, options)
  return display.grouping === 'comma' ? formatted : formatted.replaceAll(',', separators[display.grouping])
}
