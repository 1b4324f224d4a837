/** Many queries of the history in a row. The first that fails ends them all. */
import { ok, type Failure, type Outcome } from '../../core/model'
import type { HistoryAccess, Queries, QueryName, StoredValue, ValueCursor } from './contract'

/** The result of a query. A failure rejects, which `answered` handles. */
export type Ask = <Q extends QueryName>(name: Q, params: Queries[Q]['params']) => Promise<Queries[Q]['result']>

class UnansweredError extends Error {
  readonly failure: Failure

  constructor(failure: Failure) {
    super(failure.problem.message)
    this.failure = failure
  }
}

/** Use it only within `answered`. */
export function asking(history: Pick<HistoryAccess, 'query'>): Ask {
  return async (name, params) => {
    const answer = await history.query(name, params)
    if (!answer.ok) throw new UnansweredError(answer)
    return answer.value
  }
}

/** The result of the work, or the failure of the first query in it that failed. */
export async function answered<T>(work: () => Promise<T>): Promise<Outcome<T>> {
  try {
    return ok(await work())
  } catch (error) {
    if (error instanceof UnansweredError) return error.failure
    throw error
  }
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
