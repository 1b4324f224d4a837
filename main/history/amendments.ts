/** Amendments for people: value before and after, difference, and the alerts concerned. */
import type { AlertEvent } from '../../core/alert-events'
import { isDecimalText, subtractDecimals } from '../../core/decimal'
import type { AmendmentCursor, AmendmentPage } from '../../protocol/history'
import { ok, type IndexId, type Outcome } from '../../core/model'
import { amendmentRecord, type AmendmentEntry, type ProgramRecord } from '../../core/records'
import type { HistoryAccess, StoredAmendment } from '../history-store/contract'

type Asking = Pick<HistoryAccess, 'query'>

interface Wanted {
  /** Undefined means all indices. */
  indexId?: IndexId | undefined
  before?: AmendmentCursor | undefined
}

const rowPageSize = 500

/** One page of amendments of an index, or of all, newest first. */
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
  // A text that is not a number is damaged and left out.
  const readable = page.value.amendments.filter(({ after }) => isDecimalText(after))
  const amendments = readable.map((amendment) => toEntry(amendment, events.value))
  const { next } = page.value
  return ok({ amendments, next })
}

/** The rows of all amendments of an index, or of all, newest first. */
export async function amendmentRows(history: Asking, indexId: IndexId | undefined): Promise<Outcome<ProgramRecord[]>> {
  const rows: ProgramRecord[] = []
  let before: AmendmentCursor | undefined
  do {
    const page = await amendmentPage(history, { indexId, before }, rowPageSize)
    if (!page.ok) return page
    rows.push(...page.value.amendments.map(amendmentRecord))
    before = page.value.next
  } while (before !== undefined)
  return ok(rows)
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
