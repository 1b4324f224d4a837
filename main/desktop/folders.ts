import { join } from 'node:path'
import { app, shell } from 'electron'
import { done, failure, type Outcome } from '../../core/model'

/** The folder of the log file, in the profile. */
export function logFolder(): string {
  return join(app.getPath('userData'), 'logs')
}

/** Shows a folder in the desktop's file manager. Problem `notOpened` if there is no file manager or no such folder. */
export async function openFolder(which: 'log' | 'data'): Promise<Outcome<null>> {
  const folder = which === 'log' ? logFolder() : app.getPath('userData')
  const fault = await shell.openPath(folder)
  if (fault === '') return done
  const message = `The folder ${folder} could not be opened: ${fault}. Open it in your file manager.`
  return failure('notOpened', message)
}
