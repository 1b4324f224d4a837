/** Commands about the history: what was published and amended, and when the app learned it. */
import * as v from 'valibot'
import { timeSchema } from '../../core/shapes'
import type { AwayReport } from '../away'
import {
  exportFormats,
  exportResolutions,
  type AmendmentPage,
  type ExportProgress,
  type Membership,
  type ValueAt,
} from '../history'
import type { Json } from '../json'
import { command, indexId, type SavedFile } from './command'

const amendmentCursor = v.strictObject({ amendedAtMs: timeSchema, publishedAtMs: timeSchema, id: indexId })

export const historyCommands = {
  /** Of one index or of all. The next page is asked for with the `next` of the one before. */
  getAmendments: command({
    indexId: v.exactOptional(indexId),
    before: v.exactOptional(amendmentCursor),
  }).answers<Json<AmendmentPage>>(),
  /** Which constituents joined an index, left it or were reweighted, as far as it is in the history. */
  getMembership: command({ indexId }).answers<Json<Membership>>(),
  /** All of it, to where the user says. */
  saveMembershipCsv: command({ indexId }).answers<SavedFile>(),
  /** What an index said at a time that is over, by what is in the history. */
  getValueAt: command({ indexId, atMs: timeSchema }).answers<Json<ValueAt>>(),
  /**
   * Values to a file where the user says; see `ExportRequest`. Done when the file is there. `null`: the user cancelled,
   * there or while it was written, and there is no file. Problems `exportRunning`, `noValues` and those of the disk.
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
  /** `null`: nothing is being written. */
  getExportProgress: command({}).answers<ExportProgress | null>(),
  cancelExport: command({}).answers<null>(),
  /** What happened during the last absence, as far as is known by now; `null`: nothing worth saying. */
  getAwayReport: command({}).answers<Json<AwayReport> | null>(),
  /** The last absence is not reported any more. */
  dismissAway: command({}).answers<null>(),
  /** All amendments of an index or of all, to where the user says. */
  saveAmendmentsCsv: command({ indexId: v.exactOptional(indexId) }).answers<SavedFile>(),
}
