import { compareDecimals, parseDecimal } from '../../../protocol/decimal'
import type { DecimalText, IndexId } from '../../../protocol/model'
import { shownZone } from '../../format/published-time'
import { blankDraft, type TypedDraft } from './typed-draft'

/** A new alert on an index. A level given lies ahead of the value: what is meant is that the value reaches it. */
export function beginningAt(indexId: IndexId, level = '', value: DecimalText = ''): TypedDraft {
  const [now, given] = [parseDecimal(value), parseDecimal(level)]
  const liesBelow = now !== undefined && given !== undefined && compareDecimals(given, now) < 0
  return { ...blankDraft(indexId, shownZone()), condition: liesBelow ? 'fallsTo' : 'risesTo', level }
}
