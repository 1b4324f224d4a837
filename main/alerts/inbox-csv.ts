import type { AlertEvent } from '../../core/alert-events'
import { eventSubject, originWords } from '../../core/alert-event-words'
import { amountText, hoursWords, termsWords } from '../../core/alert-words'
import { csvLines, csvTime, toCsv, type CsvRow } from '../base/csv'

const columns = [
  'number',
  'recorded',
  'kind',
  'index',
  'connection',
  'rule_version',
  'condition',
  'level',
  'hours',
  'value',
  'published',
  'gap_since',
  'missed_since',
  'over_at',
  'unknown_from',
  'unknown_to',
  'direction',
  'delivery',
  'held_back_by',
  'note',
  'webhook_result',
  'second_channel',
]

/** Events as a table, page by page, in the order given: times in UTC, numbers as published and as typed. */
export async function* inboxCsv(pages: AsyncIterable<readonly AlertEvent[]>): AsyncGenerator<string, void> {
  yield toCsv([columns])
  for await (const events of pages) yield csvLines(events.map(rowOf))
}

function rowOf({ terms, inputs, ...event }: AlertEvent): CsvRow {
  return [
    String(event.number),
    csvTime(event.recordedAtMs),
    event.kind,
    eventSubject(event),
    originWords(event, true),
    event.isMute ? undefined : String(event.ruleVersion),
    event.isMute ? undefined : termsWords(terms),
    event.isMute ? undefined : amountText(terms, (value) => value),
    event.hours && hoursWords(event.hours),
    inputs.value,
    timeOf(inputs.publishedAtMs),
    timeOf(inputs.gapSinceMs),
    timeOf(inputs.missedSinceMs),
    timeOf(inputs.over?.publishedAtMs),
    timeOf(event.unknown?.fromMs),
    timeOf(event.unknown?.toMs),
    inputs.direction,
    event.delivery,
    event.heldBackBy,
    event.note,
    event.webhookResult,
    event.secondChannel,
  ]
}

function timeOf(atMs: number | undefined): string | undefined {
  return atMs === undefined ? undefined : csvTime(atMs)
}
