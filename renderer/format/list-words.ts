/** Texts about rows that were moved between watchlists. */
import type { IndexId } from '../../core/model'

/** A row by its id, or several by their number. */
export function rowsWords(ids: readonly IndexId[]): string {
  const [only = ''] = ids
  return ids.length === 1 ? only : `${ids.length} rows`
}

/** A move of rows to another list. */
interface RowMove {
  rowIds: readonly IndexId[]
  from: string
  to: string
  isCopy: boolean
  /** The rows that the other list had already. */
  present: readonly IndexId[]
}

/** What the move did. Rows that were already there are named or counted. */
export function movedWords({ rowIds, from, to, isCopy, present }: RowMove): string {
  const placed = rowIds.filter((id) => !present.includes(id))
  if (placed.length === 0) {
    const already = `already in ${to}`
    if (isCopy) return `${rowsWords(rowIds)} ${rowIds.length === 1 ? 'is' : 'are'} ${already}`
    return `${rowsWords(rowIds)} removed from ${from}: ${already}`
  }
  const done = isCopy ? `${rowsWords(placed)} added to ${to}` : `${rowsWords(rowIds)} moved to ${to}`
  if (present.length === 0) return done
  const which = present.length === 1 ? rowsWords(present) : String(present.length)
  return `${done}. ${which} ${present.length === 1 ? 'was' : 'were'} already there.`
}
