/** Commands about the history: what was published, amended and received. */
import * as v from 'valibot'
import { timeSchema } from '../../core/shapes'
import type { AwayReport } from '../away'
import {
  exportFormats,
  exportResolutions,
  type AmendmentPage,
  type ExportProgress,
  type Membership,
  type Revisions,
  type ValueAt,
} from '../history'
import type { Json } from '../json'
import { command, indexId, type SavedFile } from './command'

const amendmentCursor = v.strictObject({ amendedAtMs: timeSchema, publishedAtMs: timeSchema, id: indexId })

export const historyCommands = {
  /** Amendments of one index or of all. `before` is the `next` of the previous page. */
  getAmendments: command({
    indexId: v.exactOptional(indexId),
    before: v.exactOptional(amendmentCursor),
  }).answers<Json<AmendmentPage>>(),
  /** Constituent changes of an index, as far as they are in the history. */
  getMembership: command({ indexId }).answers<Json<Membership>>(),
  /** Saves all constituent changes. */
  saveMembershipTable: command({ indexId }).answers<SavedFile>(),
  /** The value of an index at a past time, from the history. */
  getValueAt: command({ indexId, atMs: timeSchema }).answers<Json<ValueAt>>(),
  /** Asks the provider for the values around a time, stores them, and returns the value at that time. */
  askValueAt: command({ indexId, atMs: timeSchema }).answers<Json<ValueAt>>(),
  /**
   * All known revisions of the values published in a range (both ends included) of at most an hour. `asks`: asks the
   * provider for values that the history lacks, and stores them.
   */
  getRevisions: command({ indexId, fromMs: timeSchema, toMs: timeSchema, asks: v.boolean() }).answers<
    Json<Revisions>
  >(),
  /**
   * Exports values to a file, see `ExportRequest`. Returns when it is written. `null` if the user cancelled, before or
   * during writing: no file is left. Problems: `exportRunning`, `noValues` and those of the disk.
   */
  exportValues: command(
    {
      indexIds: v.pipe(v.array(indexId), v.minLength(1)),
      fromMs: timeSchema,
      toMs: timeSchema,
      resolution: v.picklist(exportResolutions),
      format: v.picklist(exportFormats),
    },
    { nodes: 2_100, characters: 131_072 },
  ).answers<{ fileName: string; rowCount: number } | null>(),
  /** `null` if no export is running. */
  getExportProgress: command({}).answers<ExportProgress | null>(),
  cancelExport: command({}).answers<null>(),
  /** The report of the last absence, as far as it is known. `null` if nothing happened. */
  getAwayReport: command({}).answers<Json<AwayReport> | null>(),
  /** Dismisses the last absence. */
  dismissAway: command({}).answers<null>(),
  /** Saves all amendments of an index or of all indices. */
  saveAmendmentsTable: command({ indexId: v.exactOptional(indexId) }).answers<SavedFile>(),
}
