import { rm } from 'node:fs/promises'
import { app } from 'electron'
import type { Outcome } from '../protocol/model'
import { LoginStart } from './desktop/login-start'
import { writeFileAtomically } from './storage/atomic-file'
import type { SettingsStore } from './storage/settings'

const failed =
  'Indexwatch could not change whether it starts when you log in: your autostart folder cannot be written to. Check whom it belongs to.'

/**
 * Keeps the session's autostart as the settings say, from now on. At the start it is set anew where it is wanted, since
 * the program may have moved; where it is not wanted nothing is touched.
 */
export function followLoginStart(settings: SettingsStore, tell: (message: string) => void): void {
  const loginStart = new LoginStart({
    platform: process.platform,
    env: process.env,
    homeFolder: app.getPath('home'),
    command: app.isPackaged ? [process.env['APPIMAGE'] ?? process.execPath] : [process.execPath, app.getAppPath()],
    setLoginItem: (item) => {
      app.setLoginItemSettings(item)
    },
    write: writeFileAtomically,
    remove: removeFile,
  })
  let isApplied = false
  // One after the other: who switches it on and off again means the last.
  let working = Promise.resolve()
  const apply = (isWanted: boolean) => {
    if (isWanted === isApplied) return
    isApplied = isWanted
    working = working.then(async () => {
      const outcome = await loginStart.apply(isWanted)
      if (!outcome.ok) tell(failed)
    })
  }
  apply(settings.get().startsAtLogin)
  settings.events.on('changed', ({ startsAtLogin }) => {
    apply(startsAtLogin)
  })
}

async function removeFile(path: string): Promise<Outcome<null>> {
  try {
    await rm(path, { force: true })
    return { ok: true, value: null }
  } catch (error) {
    return { ok: false, problem: { code: 'notRemoved', message: String(error) } }
  }
}
