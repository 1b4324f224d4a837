import { randomUUID } from 'node:crypto'
import type { CommandHandlers } from '../protocol/desktop'
import { ListFiles } from './app-list-files'
import type { Owners } from './app-views'
import { nativeFileDialogs } from './desktop/file-dialogs'

type FileCommand = 'saveListCsv' | 'saveConstituentsCsv' | 'exportLists' | 'chooseListFile' | 'importLists' | 'copyText'

/** What leaves the app by file or clipboard, and what comes in by file. */
export function fileCommands(owners: Owners): Pick<CommandHandlers, FileCommand> {
  const files = new ListFiles({ owners, dialogs: nativeFileDialogs, newId: randomUUID })
  return {
    saveListCsv: (args) => files.saveListCsv(args),
    saveConstituentsCsv: (args) => files.saveConstituentsCsv(args),
    exportLists: (args) => files.exportLists(args),
    chooseListFile: () => files.chooseListFile(),
    importLists: (args) => files.importLists(args),
    copyText: (args) => files.copyText(args),
  }
}
