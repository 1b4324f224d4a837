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
  /** The last list cannot be removed. `restoreList` takes the answer to undo it. */
  removeList: command({ listId: localId }).answers<{ list: Watchlist; position: number }>(),
  // Enough for a list of two thousand.
  restoreList: command({ list: watchlistSchema, position }, { nodes: 6_200, characters: 262_144 }).answers<null>(),
  moveList: command({ listId: localId, position }).answers<null>(),
  /** Moves an index in the manual order. The position is counted without the index itself. */
  moveIndex: command({ listId: localId, indexId, position }).answers<null>(),
  /** `null` restores the manual order, or the default columns. What is left out stays. */
  arrangeList: command({
    listId: localId,
    sort: v.exactOptional(v.nullable(sortSchema)),
    columns: v.exactOptional(v.nullable(columnsSchema)),
  }).answers<null>(),
  setPinned: command({ indexId, isPinned: v.boolean() }).answers<null>(),
  /** Saves values, names and times of a list as CSV. */
  saveListCsv: command({ listId: localId }).answers<SavedFile>(),
  exportLists: command({ listIds: v.pipe(v.array(localId), v.minLength(1)) }).answers<SavedFile>(),
  /** Lets the user choose a file of watchlists and returns what importing it would do. `null` if the user cancelled. */
  chooseListFile: command({}).answers<ListImportPreview | null>(),
  /** Imports all of the file or nothing. */
  importLists: command({ importId: localId }).answers<{ adds: number; changes: number }>(),
}
