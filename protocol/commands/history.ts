/** Commands about the history: what was published and amended, and when the app learned it. */
import * as v from 'valibot'
import { timeSchema } from '../alert-schema'
import type { AmendmentPage } from '../history'
import type { Json } from '../json'
import { command, indexId, type SavedFile } from './command'

const amendmentCursor = v.strictObject({ amendedAtMs: timeSchema, publishedAtMs: timeSchema, id: indexId })

export const historyCommands = {
  /** Of one index or of all. The next page is asked for with the `next` of the one before. */
  getAmendments: command({
    indexId: v.exactOptional(indexId),
    before: v.exactOptional(amendmentCursor),
  }).answers<Json<AmendmentPage>>(),
  /** All amendments of an index or of all, to where the user says. */
  saveAmendmentsCsv: command({ indexId: v.exactOptional(indexId) }).answers<SavedFile>(),
}
