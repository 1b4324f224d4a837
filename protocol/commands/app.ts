/** Commands about the app itself: the window's state, preferences, messages, support. */
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
  /** Preferences that are left out stay. */
  setPreferences: command(preferencePatch, { nodes: 4_000, characters: 131_072 }).answers<null>(),
  // Enough for a table of two thousand rows.
  copyText: command({ text: v.string() }, { nodes: 2, characters: 1_048_576 }).answers<null>(),
  dismissNotice: command({ noticeId: localId }).answers<null>(),
  /** Shows a notification and returns whether the desktop showed it, also in words. */
  testNotification: command({}).answers<{ delivery: Delivery; words: string }>(),
  getDiagnostics: command({}).answers<Json<Diagnostics>>(),
  getHistorySize: command({}).answers<HistorySize>(),
  /** Deletes the values before this time permanently. Alerts and the inbox stay. */
  clearHistory: command({ beforeMs: timeSchema }).answers<HistorySize>(),
  /** Shows the folder of the log file or of all data in the desktop's file manager. */
  openFolder: command({ folder: v.picklist(['log', 'data']) }).answers<null>(),
  /** Restarts the app. */
  restart: command({}).answers<null>(),
  getAbout: command({}).answers<About>(),
  /** Checks for a newer version now. The result appears in the window's state. */
  checkForUpdates: command({}).answers<null>(),
  /** Quits, installs the ready version and starts it. */
  restartToUpdate: command({}).answers<null>(),
  /** Creates a token for spreadsheets and revokes the former one. It is returned only here. */
  makeSpreadsheetToken: command({}).answers<{ token: string }>(),
  /** Opens the app's website, which has its packages. */
  openSite: command({}).answers<null>(),
}
