/** Groups of indices on each of which an alert can be created at once. */
import type { IndexId, Watchlist } from '../../../../core/model'

interface Many {
  /** Unlike any id of an index. */
  key: string
  words: string
  /** The group of its alerts. */
  group?: string
  ids: readonly IndexId[]
}

export const selectedKey = 'each selected'

/** The selected rows, and all watchlists and sections with several indices. */
export function manyFrom(lists: readonly Watchlist[], selected: readonly IndexId[]): Many[] {
  const ofLists = lists.flatMap((list) => {
    const ids = list.entries.map(({ id }) => id)
    const { sections = [] } = list
    const parts = sections.map((section, at) => {
      return { ...section, ids: ids.slice(section.at, sections[at + 1]?.at) }
    })
    return [{ ...list, ids }, ...parts]
  })
  const all: Many[] = ofLists.map(({ id, name, ids }) => {
    return { key: `each ${id}`, words: `each of ${name} (${ids.length})`, group: name, ids }
  })
  const rows: Many = { key: selectedKey, words: `each of ${selected.length} selected rows`, ids: selected }
  return [rows, ...all].filter(({ ids }) => ids.length > 1)
}
