import { randomUUID } from 'node:crypto'
import type { CommandHandlers } from '../protocol/desktop'
import { RuleFiles } from './app-rule-files'
import { AlertPreviews } from './app-alert-preview'
import type { Owners } from './app-views'
import { nativeFileDialogs } from './desktop/file-dialogs'

type AlertFileCommand = 'previewAlert' | 'saveInboxCsv' | 'exportAlerts' | 'chooseAlertFile' | 'importAlerts'

/** What a draft would do, and rules and inbox on their way to a file and back. */
export function alertFileCommands(owners: Owners): Pick<CommandHandlers, AlertFileCommand> {
  const files = new RuleFiles({ owners, dialogs: nativeFileDialogs, newId: randomUUID })
  const previews = new AlertPreviews(owners)
  return {
    previewAlert: (args) => previews.preview(args),
    saveInboxCsv: (args) => files.saveInboxCsv(args),
    exportAlerts: (args) => files.exportAlerts(args),
    chooseAlertFile: () => files.chooseAlertFile(),
    importAlerts: (args) => files.importAlerts(args),
  }
}
