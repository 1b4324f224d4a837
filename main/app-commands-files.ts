import type { CommandHandlers } from '../protocol/desktop'
import type { Outcome } from '../protocol/model'
import type { Owners } from './app-views'

const notYet: Outcome<never> = { ok: false, problem: { code: 'notYet', message: 'Not built yet.' } }

type FileCommand = 'saveListCsv' | 'saveConstituentsCsv' | 'exportLists' | 'chooseListFile' | 'importLists' | 'copyText'

/** What leaves the app by file or clipboard, and what comes in by file. */
export function fileCommands(_owners: Owners): Pick<CommandHandlers, FileCommand> {
  return {
    saveListCsv: () => notYet,
    saveConstituentsCsv: () => notYet,
    exportLists: () => notYet,
    chooseListFile: () => notYet,
    importLists: () => notYet,
    copyText: () => notYet,
  }
}
