/** Queries of the history, one after the other. The first failure ends the work (`base/answered.ts`). */
import { need } from '../base/answered'
import type { HistoryAccess, Queries, QueryName, StoredValue, ValueCursor } from './contract'

/** The result of a query. A failure rejects. */
export type Ask = <Q extends QueryName>(name: Q, params: Queries[Q]['params']) => Promise<Queries[Q]['result']>

/** Returns a function that makes a query and throws its failure. Use it only within `answered`. */
export function asking(history: Pick<HistoryAccess, 'query'>): Ask {
  return async (name, params) => need(await history.query(name, params))
}

/** The values of a range, page by page, oldest first. */
export async function* valuePages(
  ask: Ask,
  wanted: Omit<Queries['values']['params'], 'after'>,
): AsyncGenerator<StoredValue[], void> {
  let after: ValueCursor | undefined
  do {
    const page = await ask('values', { ...wanted, ...(after !== undefined && { after }) })
    yield page.values
    after = page.next
  } while (after !== undefined)
}
