import { formatDecimal } from '../../protocol/decimal'
import type { AlertEvent } from '../../protocol/model'
import { plainText, timeText } from './plain-text'

const conditionWords = { atOrAbove: 'at or above', atOrBelow: 'at or below' } as const

/** What a notification says: which threshold was met in the title, the value with all its digits in the body. */
export function notificationText(event: AlertEvent): { title: string; body: string } {
  const title = `${event.indexId} ${conditionWords[event.condition]} ${formatDecimal(event.level)}`
  const value = `${formatDecimal(event.value)} at ${timeText(event.publishedAtMs, event.firedAtMs, { milliseconds: true })}`
  const gap =
    event.gapSinceMs === undefined
      ? ''
      : `, crossed in a gap since ${timeText(event.gapSinceMs, event.firedAtMs, { milliseconds: true })}`
  return { title: plainText(title), body: plainText(value + gap) }
}
