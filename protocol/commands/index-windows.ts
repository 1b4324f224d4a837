/** Commands of the windows of single indices. They share those about indices, history and alerts with the main window. */
import * as v from 'valibot'
import type { WindowSnapshot } from '../desktop'
import type { Json } from '../json'
import { maxFollowed } from '../responses'
import { command, indexId } from './command'

export const indexWindowCommands = {
  /** Like `getSnapshot`, with only what the window of this index shows. */
  getIndexSnapshot: command({ indexId }).answers<Json<WindowSnapshot>>(),
  /** Like `followIndices`, for the window of `indexId`. */
  followInWindow: command({
    indexId,
    indexIds: v.pipe(v.array(indexId), v.maxLength(maxFollowed)),
  }).answers<null>(),
  closeIndexWindow: command({ indexId }).answers<null>(),
  /** Shows the main window at this place, such as `compare/BRTI`. */
  showInMainWindow: command({ address: v.pipe(v.string(), v.maxLength(2_000)) }).answers<null>(),
}
