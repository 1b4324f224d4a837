import type { HandlersOf } from '../../protocol/commands/contract'
import type { spreadsheetCommands } from '../../protocol/commands/spreadsheets'
import type { AppContext } from './context'

/** Spreadsheets on this computer: the token they show. */
export function spreadsheetHandlers({
  spreadsheets,
}: Pick<AppContext, 'spreadsheets'>): HandlersOf<typeof spreadsheetCommands> {
  return { makeSpreadsheetToken: async () => ({ ok: true, value: { token: await spreadsheets.makeToken() } }) }
}
