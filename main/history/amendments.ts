/** Amendments for people: value before and after, difference, and the alerts concerned. */
import type { AlertEvent } from '../../core/alert-events'
import { isDecimalText, subtractDecimals } from '../../core/decimal'
import type { AmendmentCursor, AmendmentPage } from '../../protocol/history'
import type { IndexId, Outcome } from '../../core/model'
import { amendmentRecord, type AmendmentEntry, type ProgramRecord } from '../../core/records'
import { answered } from '../base/answered'
import { asking, type Ask } from '../history-store/asking'
import type { HistoryAccess, StoredAmendment } from '../history-store/contract'

type Asking = Pick<HistoryAccess, 'query'>

interface Wanted {
  /** Undefined means all indices. */
  indexId?: IndexId | undefined
  before?: AmendmentCursor | undefined
}

const rowPageSize = 500

/** One page of amendments of an index, or of all, newest first. */
export function amendmentPage(history: Asking, wanted: Wanted, limit?: number): Promise<Outcome<AmendmentPage>> {
  return answered(() => pageOf(asking(history), wanted, limit))
}

/** The rows of all amendments of an index, or of all, newest first. */
export function amendmentRows(history: Asking, indexId: IndexId | undefined): Promise<Outcome<ProgramRecord[]>> {
  return answered(async () => {
    const rows: ProgramRecord[] = []
    let before: AmendmentCursor | undefined
    do {
      const page = await pageOf(asking(history), { indexId, before }, rowPageSize)
      rows.push(...page.amendments.map(amendmentRecord))
      before = page.next
    } while (before !== undefined)
    return rows
  })
}

async function pageOf(ask: Ask, { indexId, before }: Wanted, limit?: number): Promise<AmendmentPage> {
  const { amendments, next } = await ask('amendments', { id: indexId, before, limit })
  const ids = new Set(amendments.flatMap(({ eventIds }) => eventIds))
  const found = await Promise.all([...ids].map((id) => ask('event', { id })))
  const events = new Map(found.filter((event) => event !== null).map((event) => [event.id, event]))
  // A text that is not a number is damaged and left out.
  const readable = amendments.filter(({ after }) => isDecimalText(after))
  return { amendments: readable.map((amendment) => toEntry(amendment, events)), next }
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
