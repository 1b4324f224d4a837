/** What an alert can be set on besides one index. */
import { listTargets, targetKey, type ListTarget } from '../../../../core/list-alerts'
import type { IndexId, Watchlist } from '../../../../core/model'

export interface Many {
  /** Unlike any id of an index. */
  key: string
  words: string
  ids: readonly IndexId[]
  /** One alert follows this list or section. Without it each index gets an alert of its own. */
  target?: ListTarget
}

export const selectedKey = 'each selected'

/** The selected rows if there are several, and all watchlists and sections that have an index. */
export function manyFrom(lists: readonly Watchlist[], selected: readonly IndexId[]): Many[] {
  const rows: Many = { key: selectedKey, words: `each of ${selected.length} selected rows`, ids: selected }
  const all = listTargets(lists).map(({ target, name, ids }): Many => {
    return { key: targetKey(target), words: `any of ${name} (${ids.length})`, ids, target }
  })
  return [...(selected.length > 1 ? [rows] : []), ...all.filter(({ ids }) => ids.length > 0)]
}
