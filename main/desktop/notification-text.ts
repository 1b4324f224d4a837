import { amountText, conditionWords } from '../../protocol/alert-words'
import type { AlertEvent } from '../../protocol/alert-events'
import { formatDecimal } from '../../protocol/decimal'
import { plainText, timeText } from './plain-text'

/** What a notification says: what happened in the title, the value with all its digits and its time in the body. */
export function notificationText(event: AlertEvent): { title: string; body: string } {
  const { value, publishedAtMs, gapSinceMs } = event.inputs
  const title = `${event.indexId} ${conditionWords[event.terms.condition]} ${amountText(event.terms, formatDecimal)}`
  const time = (ms: number) => timeText(ms, event.recordedAtMs, { milliseconds: true })
  const said = value === undefined ? '' : formatDecimal(value)
  const at = publishedAtMs === undefined ? '' : ` at ${time(publishedAtMs)}`
  const gap = gapSinceMs === undefined ? '' : `, crossed in a gap since ${time(gapSinceMs)}`
  return { title: plainText(title), body: plainText(said + at + gap) }
}
