/** Commands about spreadsheets on this computer. */
import { command } from './command'

export const spreadsheetCommands = {
  /** Makes a token in the place of the one before, which is refused from now on. It is answered this once. */
  makeSpreadsheetToken: command({}).answers<{ token: string }>(),
}
