/** Commands about watchlists, and what is pinned. */
import * as v from 'valibot'
import { requestedResolutions, type Watchlist } from '../../core/model'
import type { ListImportPreview } from '../responses'
import { columnsSchema, listNameSchema, sortSchema, watchlistSchema } from '../../core/settings-schema'
import { command, indexId, localId, position, type SavedFile } from './command'

const maxResolution = v.picklist(requestedResolutions)

export const listCommands = {
  addIndex: command({
    listId: localId,
    indexId,
    position: v.exactOptional(position),
    maxResolution: v.exactOptional(maxResolution),
  }).answers<{ wasThere: boolean }>(),
  removeIndex: command({ listId: localId, indexId }).answers<{ position: number }>(),
  setResolution: command({ listId: localId, indexId, maxResolution }).answers<null>(),
  createList: command({ name: listNameSchema }).answers<{ listId: string }>(),
  renameList: command({ listId: localId, name: listNameSchema }).answers<null>(),
  /** The last list cannot be removed. The answer undoes it with `restoreList`. */
  removeList: command({ listId: localId }).answers<{ list: Watchlist; position: number }>(),
  // As much as a list of two thousand needs.
  restoreList: command({ list: watchlistSchema, position }, { nodes: 6_200, characters: 262_144 }).answers<null>(),
  moveList: command({ listId: localId, position }).answers<null>(),
  /** Puts an index at a place of the own order, counted without the index itself. */
  moveIndex: command({ listId: localId, indexId, position }).answers<null>(),
  /** `null` restores the own order, or the default columns; what is left out stays. */
  arrangeList: command({
    listId: localId,
    sort: v.exactOptional(v.nullable(sortSchema)),
    columns: v.exactOptional(v.nullable(columnsSchema)),
  }).answers<null>(),
  setPinned: command({ indexId, isPinned: v.boolean() }).answers<null>(),
  /** Values, names and times of a list as CSV, to where the user says. */
  saveListCsv: command({ listId: localId }).answers<SavedFile>(),
  exportLists: command({ listIds: v.pipe(v.array(localId), v.minLength(1)) }).answers<SavedFile>(),
  /** Lets the user choose a file of watchlists and answers what importing it would do. `null`: the user cancelled. */
  chooseListFile: command({}).answers<ListImportPreview | null>(),
  /** All of the file or nothing. */
  importLists: command({ importId: localId }).answers<{ adds: number; changes: number }>(),
}
