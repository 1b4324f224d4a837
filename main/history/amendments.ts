/** What was amended, as people read it: before, after, by how much, and which alerts were concerned. */
import type { AlertEvent } from '../../core/alert-events'
import { isDecimalText, subtractDecimals } from '../../core/decimal'
import type { AmendmentCursor, AmendmentPage } from '../../protocol/history'
import { ok, type IndexId, type Outcome } from '../../core/model'
import { amendmentRecord, records, type AmendmentEntry, type ProgramRecord } from '../../core/records'
import { recordsCsv } from '../base/csv'
import type { HistoryAccess, StoredAmendment } from '../history-store/contract'

type Asking = Pick<HistoryAccess, 'query'>

interface Wanted {
  /** Absent: of all indices. */
  indexId?: IndexId | undefined
  before?: AmendmentCursor | undefined
}

const csvPageSize = 500

/** One page of the amendments of an index or of all, newest first. */
export async function amendmentPage(
  history: Asking,
  { indexId, before }: Wanted,
  limit?: number,
): Promise<Outcome<AmendmentPage>> {
  const page = await history.query('amendments', {
    id: indexId,
    before,
    limit,
  })
  if (!page.ok) return page
  const events = await eventsById(history, page.value.amendments)
  if (!events.ok) return events
  // What is no number is damaged, and left out as everywhere.
  const readable = page.value.amendments.filter(({ after }) => isDecimalText(after))
  const amendments = readable.map((amendment) => toEntry(amendment, events.value))
  const { next } = page.value
  return ok({ amendments, next })
}

/** All amendments of an index or of all as CSV, newest first; values are as published, digit by digit. */
export async function amendmentsCsv(history: Asking, indexId: IndexId | undefined): Promise<Outcome<string>> {
  const rows: ProgramRecord[] = []
  let before: AmendmentCursor | undefined
  do {
    const page = await amendmentPage(history, { indexId, before }, csvPageSize)
    if (!page.ok) return page
    rows.push(...page.value.amendments.map(amendmentRecord))
    before = page.value.next
  } while (before !== undefined)
  return ok(recordsCsv(records.amendment, rows))
}

async function eventsById(
  history: Asking,
  amendments: readonly StoredAmendment[],
): Promise<Outcome<ReadonlyMap<string, AlertEvent>>> {
  const ids = new Set(amendments.flatMap(({ eventIds }) => eventIds))
  const found = new Map<string, AlertEvent>()
  for (const answer of await Promise.all([...ids].map((id) => history.query('event', { id })))) {
    if (!answer.ok) return answer
    if (answer.value !== null) found.set(answer.value.id, answer.value)
  }
  return ok(found)
}

function toEntry(
  { eventIds, before, ...facts }: StoredAmendment,
  events: ReadonlyMap<string, AlertEvent>,
): AmendmentEntry {
  const isKnown = before !== undefined && isDecimalText(before)
  return {
    ...facts,
    ...(isKnown && { before, difference: subtractDecimals(facts.after, before) }),
    alerts: eventIds.flatMap((id) => events.get(id) ?? []).sort((a, b) => a.number - b.number),
  }
}
