import { rm } from 'node:fs/promises'
import { app, nativeTheme } from 'electron'
import { failure, type Outcome } from '../../protocol/model'
import { LoginStart } from '../desktop/login-start'
import { writeFileAtomically } from '../storage/disk'
import type { SettingsStore } from '../storage/settings'

interface Listener {
  /** Changes are counted from something else from now on. */
  onChangeBase: () => void
  /** What of the values is to be kept. */
  onBounds: (bounds: { keepDays: number; maxBytes: number }) => void
  /** A sentence the user should read once. */
  onNotice: (message: string) => void
}

const loginStartFailed =
  'Indexwatch could not change whether it starts when you log in: your autostart folder cannot be written to. Check who owns it.'

/** Applies the preferences that matter outside the window, now and whenever they change. */
export function followPreferences(settings: SettingsStore, { onChangeBase, onBounds, onNotice }: Listener): void {
  const applyLoginStart = loginStartSwitch(() => {
    onNotice(loginStartFailed)
  })
  let base = settings.get().changeBase
  let bounds = ''
  const apply = () => {
    const { theme, startsAtLogin, changeBase, historyDays, historyGigabytes } = settings.get()
    nativeTheme.themeSource = theme
    applyLoginStart(startsAtLogin)
    if (changeBase !== base) {
      base = changeBase
      onChangeBase()
    }
    const nextBounds = `${historyDays} ${historyGigabytes}`
    if (nextBounds === bounds) return
    bounds = nextBounds
    onBounds({ keepDays: historyDays, maxBytes: historyGigabytes * 2 ** 30 })
  }
  apply()
  settings.events.on('changed', apply)
}

/**
 * Keeps the session's autostart as it is wanted. At the start it is set again where it is wanted, since the program may
 * have moved; where it is not wanted nothing is touched.
 */
function loginStartSwitch(onFailure: () => void): (isWanted: boolean) => void {
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
  // One after the other: switching on and off again quickly ends with off.
  let working = Promise.resolve()
  return (isWanted) => {
    if (isWanted === isApplied) return
    isApplied = isWanted
    working = working.then(async () => {
      const outcome = await loginStart.apply(isWanted)
      if (!outcome.ok) onFailure()
    })
  }
}

async function removeFile(path: string): Promise<Outcome<null>> {
  try {
    await rm(path, { force: true })
    return { ok: true, value: null }
  } catch (error) {
    return failure('notRemoved', String(error))
  }
}
