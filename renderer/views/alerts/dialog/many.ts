/** Groups of indices on each of which an alert can be created at once. */
import type { IndexId, Watchlist } from '../../../../core/model'

interface Many {
  key: string
  /** As the sentence of the dialog names it. */
  words: string
  /** The group of its alerts. */
  group?: string
  ids: readonly IndexId[]
}

/** The selected rows, if `id` is one of them, and all watchlists and sections with `id` and others. */
export function manyFrom(lists: readonly Watchlist[], selected: readonly IndexId[], id: IndexId): Many[] {
  const ofLists: Many[] = lists.flatMap(({ id: listId, name, entries, sections = [] }) => {
    const ids = entries.map((entry) => entry.id)
    const ends = [...sections.slice(1).map(({ at }) => at), ids.length]
    const parts = sections.map((section, at) => {
      const { id: key, name: group } = section
      return { key, words: `each of ${group}`, group, ids: ids.slice(section.at, ends[at]) }
    })
    return [{ key: listId, words: `each of ${name}`, group: name, ids }, ...parts]
  })
  const rows: Many = { key: 'rows', words: 'each selected row', ids: selected }
  return [rows, ...ofLists].filter(({ ids }) => ids.length > 1 && ids.includes(id))
}
