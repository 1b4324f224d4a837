import type { AlertEvent } from '../../core/alert-events'
import { inboxRecord, recordCells, records } from '../../core/records'
import { csvLines, recordsCsv } from '../base/csv'

/** Events as a table, page by page, in the order given: times in UTC, numbers as published and as typed. */
export async function* inboxCsv(pages: AsyncIterable<readonly AlertEvent[]>): AsyncGenerator<string, void> {
  const names = records.inboxEvent
  yield recordsCsv(names, [])
  for await (const events of pages) yield csvLines(events.map((event) => recordCells(names, inboxRecord(event))))
}
