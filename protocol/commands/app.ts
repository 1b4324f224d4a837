/** Commands about the app itself: what the window shows, preferences, messages, support. */
import * as v from 'valibot'
import type { Delivery } from '../../core/alert-events'
import { timeSchema } from '../../core/shapes'
import type { WindowSnapshot } from '../desktop'
import type { Json } from '../json'
import type { About, Diagnostics, HistorySize } from '../responses'
import { preferencePatch } from '../../core/preferences'
import { command, localId } from './command'

export const appCommands = {
  getSnapshot: command({}).answers<Json<WindowSnapshot>>(),
  /** What is left out stays. */
  setPreferences: command(preferencePatch).answers<null>(),
  // As much as a table of two thousand rows needs.
  copyText: command({ text: v.string() }, { nodes: 2, characters: 1_048_576 }).answers<null>(),
  dismissNotice: command({ noticeId: localId }).answers<null>(),
  /** Shows a notification and answers whether the desktop showed it, in plain words too. */
  testNotification: command({}).answers<{ delivery: Delivery; words: string }>(),
  getDiagnostics: command({}).answers<Json<Diagnostics>>(),
  getHistorySize: command({}).answers<HistorySize>(),
  /** Deletes the values from before this time for good; alerts and their inbox stay. */
  clearHistory: command({ beforeMs: timeSchema }).answers<HistorySize>(),
  /** Shows a folder in the desktop's file manager: the log file's, or the one of everything that is kept. */
  openFolder: command({ folder: v.picklist(['log', 'data']) }).answers<null>(),
  /** Ends the app and starts it again. */
  restart: command({}).answers<null>(),
  getAbout: command({}).answers<About>(),
  /** Looks for a newer version of the app now; what comes of it is in the window's state. */
  checkForUpdates: command({}).answers<null>(),
  /** Quits, installs the version that is ready and starts it. */
  restartToUpdate: command({}).answers<null>(),
  /** Makes a token for spreadsheets in the place of the one before, which is refused from now on. It is answered this once. */
  makeSpreadsheetToken: command({}).answers<{ token: string }>(),
  /** Shows the app's website, where its packages are. */
  openSite: command({}).answers<null>(),
}
