/** Start at login. */
import { readFile, rm } from 'node:fs/promises'
import { app } from 'electron'
import { done, failure, type Outcome } from '../../core/model'
import { lookAtFile } from '../base/own-file'
import { LoginStart } from '../desktop/login-start'
import { errorCode } from '../base/own-file'
import { writeFileAtomically } from '../storage/disk'
import type { SettingsStore } from '../storage/settings'
import { appImagePath } from '../updates/package-kind'

const loginStartFailed =
  'Start at login could not be changed: your autostart folder is not writable. Check its permissions.'

const loginStartUnknown =
  'Start at login could not be read. Check the permissions and contents of your autostart folder.'

/** True if the session started the app, on macOS only. A login item there has no flag for a hidden start. */
export function wasOpenedAtLogin(): boolean {
  return process.platform === 'darwin' && app.getLoginItemSettings().wasOpenedAtLogin
}

/**
 * Returns a function that applies the setting to the session's autostart. At the start the setting is taken from the
 * system, so a change made there counts.
 */
export async function loginStartSwitch(
  settings: SettingsStore,
  onNotice: (message: string) => void,
): Promise<(isWanted: boolean) => void> {
  const loginStart = new LoginStart({
    platform: process.platform,
    env: process.env,
    homeFolder: app.getPath('home'),
    command: app.isPackaged ? [appImagePath(process) ?? process.execPath] : [process.execPath, app.getAppPath()],
    setLoginItem: (item) => app.setLoginItemSettings(item),
    isLoginItem: (item) => {
      const found = app.getLoginItemSettings(item)
      // An item switched off in the Task Manager stays a login item.
      return process.platform === 'win32' ? found.executableWillLaunchAtLogin : found.openAtLogin
    },
    read: readEntry,
    write: writeFileAtomically,
    remove: removeFile,
  })
  let isApplied = settings.get().startsAtLogin
  try {
    isApplied = await loginStart.adopt()
    if (isApplied !== settings.get().startsAtLogin) await settings.setPreferences({ startsAtLogin: isApplied })
  } catch {
    onNotice(loginStartUnknown)
  }
  // Changes run one after the other, so switching on and off quickly ends with off.
  let working = Promise.resolve()
  return (isWanted) => {
    if (isWanted === isApplied) return
    isApplied = isWanted
    working = working.then(async () => {
      const outcome = await loginStart.apply(isWanted)
      if (!outcome.ok) onNotice(loginStartFailed)
    })
  }
}

async function readEntry(path: string): Promise<string | undefined> {
  try {
    lookAtFile(path)
    return await readFile(path, 'utf8')
  } catch (error) {
    if (errorCode(error) === 'ENOENT') return undefined
    throw error
  }
}

async function removeFile(path: string): Promise<Outcome<null>> {
  try {
    await rm(path, { force: true })
    return done
  } catch (error) {
    return failure('notRemoved', String(error))
  }
}
