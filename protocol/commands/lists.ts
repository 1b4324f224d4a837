/** Commands about watchlists, and what is pinned. */
import * as v from 'valibot'
import { requestedResolutions, type Watchlist } from '../../core/model'
import { maxTickerText } from '../../core/tickers'
import type { ListImportPreview, TickerImportPreview } from '../responses'
import {
  columnsSchema,
  listNameSchema,
  sectionNameSchema,
  sortSchema,
  watchlistSchema,
  widthsSchema,
} from '../../core/settings-schema'
import { command, indexId, localId, position, type SavedFile } from './command'

const maxResolution = v.picklist(requestedResolutions)
/** Ids of indices and of sections. */
const rowIds = v.pipe(v.array(indexId), v.minLength(1))
/** Enough for all rows of a list of two thousand. */
const ofOneList = { nodes: 6_700, characters: 262_144 }
const ofAllLists = { nodes: 120_000, characters: 4 * 2 ** 20 }

/** The rows that a change concerned, and the rows of each changed list before it. `undoRows` takes it. */
export interface RowsUndo {
  rowIds: string[]
  /** `isNew` for a list that the change created. */
  lists: (Pick<Watchlist, 'id' | 'entries' | 'sections'> & { isNew?: true })[]
}

const undoneList = v.object({
  ...v.pick(watchlistSchema, ['id', 'entries', 'sections']).entries,
  isNew: v.exactOptional(v.literal(true)),
})

export const listCommands = {
  addIndex: command({
    listId: localId,
    indexId,
    position: v.exactOptional(position),
    maxResolution: v.exactOptional(maxResolution),
  }).answers<{ wasThere: boolean }>(),
  removeRows: command({ listId: localId, rowIds }, ofOneList).answers<RowsUndo>(),
  /**
   * Moves rows within a list, or to another list. With `isCopy` they also stay. The position is counted without the rows. The
   * default is the end. `present` are those that the other list had already.
   */
  moveRows: command(
    {
      fromId: localId,
      toId: localId,
      rowIds,
      position: v.exactOptional(position),
      isCopy: v.exactOptional(v.boolean()),
    },
    ofOneList,
  ).answers<{ present: string[]; undo: RowsUndo }>(),
  /** Adds a section above a row, or at the end. With `sectionId` renames that section. */
  nameSection: command({
    listId: localId,
    sectionId: v.exactOptional(indexId),
    name: sectionNameSchema,
    beforeId: v.exactOptional(indexId),
  }).answers<{ sectionId: string }>(),
  /** Undoes `removeRows`, `moveRows` or `importLists`. Later changes of other rows stay. */
  undoRows: command({ rowIds, lists: v.array(undoneList) }, ofAllLists).answers<null>(),
  setResolution: command({ listId: localId, indexId, maxResolution }).answers<null>(),
  createList: command({ name: listNameSchema }).answers<{ listId: string }>(),
  renameList: command({ listId: localId, name: listNameSchema }).answers<null>(),
  /** The last list cannot be removed. `restoreList` takes the answer to undo it. */
  removeList: command({ listId: localId }).answers<{ list: Watchlist; position: number }>(),
  restoreList: command({ list: watchlistSchema, position }, ofOneList).answers<null>(),
  moveList: command({ listId: localId, position }).answers<null>(),
  /** `null` restores the manual order, the default columns or their widths. What is left out stays. */
  arrangeList: command({
    listId: localId,
    sort: v.exactOptional(v.nullable(sortSchema)),
    columns: v.exactOptional(v.nullable(columnsSchema)),
    widths: v.exactOptional(v.nullable(widthsSchema)),
  }).answers<null>(),
  setPinned: command({ indexId, isPinned: v.boolean() }).answers<null>(),
  /** Saves values, names and times of a list as CSV. */
  saveListTable: command({ listId: localId }).answers<SavedFile>(),
  exportLists: command({ listIds: v.pipe(v.array(localId), v.minLength(1)) }).answers<SavedFile>(),
  /** Lets the user choose a file of lists and returns what importing it would do. `null` if the user cancelled. */
  chooseListFile: command({}).answers<ListImportPreview | TickerImportPreview | null>(),
  /** Reads a text as `chooseListFile` reads a file. `fileName` if it comes from one. */
  readLists: command(
    {
      text: v.pipe(v.string(), v.maxLength(maxTickerText)),
      fileName: v.exactOptional(v.pipe(v.string(), v.maxLength(255))),
    },
    { nodes: 3, characters: maxTickerText + 1_024 },
  ).answers<ListImportPreview | TickerImportPreview>(),
  /**
   * Imports all of the file or nothing. From tickers only those in `taken`, by their place in the preview, `into` the list
   * of this name, or each section into a list of its name. `undo` is for `undoRows`. It is missing if frequencies changed.
   */
  importLists: command(
    {
      importId: localId,
      taken: v.exactOptional(v.array(position)),
      into: v.exactOptional(listNameSchema),
    },
    { nodes: 2_100, characters: 1_024 },
  ).answers<{ adds: number; changes: number; undo?: RowsUndo }>(),
}
