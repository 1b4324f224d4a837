import { eventTitle } from '../../protocol/alert-event-words'
import { amountText } from '../../protocol/alert-words'
import type { AlertEvent } from '../../protocol/alert-events'
import { formatDecimal } from '../../protocol/decimal'
import { readWords } from '../base/untrusted-text'

const longestText = 1_000

const isoTime = (ms: number) => new Date(ms).toISOString()

/**
 * What a webhook is told of an event, as JSON: what happened, in words (`text`, which chat services show) and in parts.
 * Numbers are decimal strings with every digit, times ISO 8601 in UTC. Nothing of the connection, nothing secret.
 */
export function webhookMessage(event: AlertEvent): string {
  const { terms, inputs } = event
  const format = { number: formatDecimal, time: isoTime }
  const amount = amountText(terms, (value) => value)
  return JSON.stringify({
    id: event.id,
    event: event.kind,
    text: readWords(eventTitle(event, format), longestText),
    index: event.indexId,
    severity: event.severity,
    condition: terms.condition,
    ...(amount !== '' && { level: amount }),
    ...(inputs.value !== undefined && { value: inputs.value }),
    ...(inputs.publishedAtMs !== undefined && { publishedAt: isoTime(inputs.publishedAtMs) }),
    ...(inputs.gapSinceMs !== undefined && { gapSince: isoTime(inputs.gapSinceMs) }),
    recordedAt: isoTime(event.recordedAtMs),
    ...(event.note !== undefined && { note: event.note }),
  })
}
