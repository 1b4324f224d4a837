import type { ListImportPreview } from '../../protocol/answers'
import type { Outcome, Watchlist, WatchlistEntry } from '../../protocol/model'
import { isSameListName, mostEntries, mostLists } from '../base/list-rules'
import type { FileList } from './watchlist-file'

/** What an import would do, and the lists as they would be after it. */
export interface ImportPlan extends Omit<ListImportPreview, 'importId' | 'fileName'> {
  watchlists: Watchlist[]
}

/**
 * What the lists of a file make of those there are: a list of the same name is filled up at its end, another one stands
 * last. Nothing is removed or moved. A resolution the file does not tell leaves the one there is. All or nothing:
 * problems `listFull` and `tooManyLists` name what does not fit.
 */
export function planImport(
  watchlists: readonly Watchlist[],
  fileLists: readonly FileList[],
  newId: () => string,
): Outcome<ImportPlan> {
  const plan: ImportPlan = { adds: 0, changes: 0, lists: [], watchlists: [...watchlists] }
  for (const fileList of fileLists) {
    const at = plan.watchlists.findIndex((list) => isSameListName(list.name, fileList.name))
    const held = plan.watchlists[at]
    const merged = merge(held?.entries ?? [], fileList)
    if (merged.entries.length > mostEntries) {
      const message = `${fileList.name} would hold more than ${mostEntries} indices. Nothing was imported.`
      return { ok: false, problem: { code: 'listFull', message } }
    }
    if (held === undefined) plan.watchlists.push({ id: newId(), name: fileList.name, entries: merged.entries })
    else plan.watchlists[at] = { ...held, entries: merged.entries }
    const { adds, changes } = merged
    plan.lists.push({ name: held?.name ?? fileList.name, isNew: held === undefined, adds, changes })
    plan.adds += adds.length
    plan.changes += changes.length
  }
  if (plan.watchlists.length <= mostLists) return { ok: true, value: plan }
  const message = `There would be more than ${mostLists} lists. Nothing was imported.`
  return { ok: false, problem: { code: 'tooManyLists', message } }
}

function merge(entries: readonly WatchlistEntry[], { entries: told }: FileList) {
  const asked = new Map(told.map((entry) => [entry.id, entry.maxResolution]))
  const held = new Set(entries.map(({ id }) => id))
  const changes: string[] = []
  const kept = entries.map((entry) => {
    const maxResolution = asked.get(entry.id) ?? entry.maxResolution
    if (maxResolution === entry.maxResolution) return entry
    changes.push(entry.id)
    return { ...entry, maxResolution }
  })
  const added = told
    .filter(({ id }) => !held.has(id))
    .map(({ id, maxResolution = 'PER_SECOND' }): WatchlistEntry => ({ id, maxResolution }))
  return { entries: [...kept, ...added], adds: added.map(({ id }) => id), changes }
}
