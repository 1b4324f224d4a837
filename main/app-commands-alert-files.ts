import type { CommandHandlers } from '../protocol/desktop'
import type { Outcome } from '../protocol/model'
import type { Owners } from './app-views'

type AlertFileCommand = 'previewAlert' | 'saveInboxCsv' | 'exportAlerts' | 'chooseAlertFile' | 'importAlerts'

const notYet: Outcome<never> = { ok: false, problem: { code: 'notYet', message: 'Not there yet.' } }

/** What a draft would do, and rules and inbox on their way to a file and back. */
export function alertFileCommands(_owners: Owners): Pick<CommandHandlers, AlertFileCommand> {
  return {
    previewAlert: () => notYet,
    saveInboxCsv: () => notYet,
    exportAlerts: () => notYet,
    chooseAlertFile: () => notYet,
    importAlerts: () => notYet,
  }
}
