/** Which columns of a watchlist the user wants, and in which order. */
import { listColumns, type ListColumn } from '../../protocol/model'

/** The columns of a list nobody arranged. */
export const usualColumns: readonly ListColumn[] = listColumns.filter((column) => column !== 'resolution')

/** What each column is called on screen. */
export const columnLabels: Record<'index' | ListColumn, string> = {
  index: 'Index',
  name: 'Name',
  value: 'Value',
  change: 'Change',
  percent: 'Change %',
  trend: 'Last hour',
  published: 'Published',
  age: 'Age',
  resolution: 'Resolution',
  flags: 'Flags',
}

/** Every column, the chosen ones in their order and each hidden one behind the column it usually follows. */
export function allInOrder(chosen: readonly ListColumn[]): ListColumn[] {
  const order = [...chosen]
  for (const [at, column] of listColumns.entries()) {
    if (order.includes(column)) continue
    const before = listColumns[at - 1]
    order.splice(before === undefined ? 0 : order.indexOf(before) + 1, 0, column)
  }
  return order
}

/** The order with `column` one place on (`by` 1) or back (`by` -1); the same order where there is no such place. */
export function movedColumn(order: readonly ListColumn[], column: ListColumn, by: 1 | -1): ListColumn[] {
  const at = order.indexOf(column)
  const to = at + by
  if (at === -1 || to < 0 || to >= order.length) return [...order]
  return order.toSpliced(at, 1).toSpliced(to, 0, column)
}

/** What to store: `null` stands for the usual columns. */
export function storedColumns(chosen: readonly ListColumn[]): ListColumn[] | null {
  const isUsual = chosen.length === usualColumns.length && chosen.every((column, at) => column === usualColumns[at])
  return isUsual ? null : [...chosen]
}
