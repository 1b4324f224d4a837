import { execFileSync } from 'node:child_process'
import {
  copyFileSync,
  existsSync,
  mkdirSync,
  renameSync,
  rmSync,
  symlinkSync,
  truncateSync,
  writeFileSync,
} from 'node:fs'
import { join } from 'node:path'
import Database from 'libsql'
import { defaultPreferences } from '../../core/preferences'
import { firstSettings, toDocument } from '../../main/storage/settings'
import { canMount } from './small-disk'

/**
 * A reason why the app's next start on a profile with alerts checks none of them. The locked history has its own test.
 */
export interface WayOfNotJudging {
  name: string
  /** The text in the window, the tray and the notification. */
  words: string
  /** True if connections come from the settings instead of the environment. */
  isOfSettings?: true
  /** Applies the reason to a profile whose history has rules. Returns how to undo it. */
  begin: (userData: string) => Promise<() => Promise<void>> | (() => Promise<void>)
}

const nothing = () => Promise.resolve()
const historyIn = (userData: string) => join(userData, 'tape.db')

function dropJournal(userData: string): void {
  for (const end of ['-wal', '-shm']) rmSync(historyIn(userData) + end, { force: true })
}

/** Moves the history to a full disk. Returns how to make room. */
function fillDisk(userData: string): () => Promise<void> {
  const disk = join(userData, '..', 'small-disk')
  mkdirSync(disk, { recursive: true })
  execFileSync('mount', ['-t', 'tmpfs', '-o', 'size=2m', 'tmpfs', disk])
  copyFileSync(historyIn(userData), join(disk, 'tape.db'))
  rmSync(historyIn(userData))
  symlinkSync(join(disk, 'tape.db'), historyIn(userData))
  const ballast = join(disk, 'ballast')
  try {
    writeFileSync(ballast, Buffer.alloc(2 ** 21))
  } catch (error) {
    if (!(error instanceof Error && 'code' in error && error.code === 'ENOSPC')) throw error
  }
  return () => {
    truncateSync(ballast, 0)
    return Promise.resolve()
  }
}

/** Writes the profile of a user who has entered a connection. */
function writeProfile(userData: string): void {
  const profile = {
    id: 'desk',
    name: 'Desk',
    auth: 'basic',
    isEnabled: true,
    webSocketUrl: 'ws://127.0.0.1:9/v1',
    keyId: 'made-up-key',
  } as const
  const settings = { ...firstSettings(), ...defaultPreferences(), profiles: [profile] }
  writeFileSync(join(userData, 'settings.json'), JSON.stringify(toDocument(settings)))
}

export const waysOfNotJudging: readonly WayOfNotJudging[] = [
  ...(canMount
    ? [{ name: 'full', words: 'Alerts are off: the disk is full', begin: fillDisk } satisfies WayOfNotJudging]
    : []),
  {
    name: 'damaged',
    words: 'Alerts are off: the history was lost and had no backup',
    begin: (userData) => {
      dropJournal(userData)
      rmSync(join(userData, 'tape-backup.db'), { force: true })
      writeFileSync(historyIn(userData), 'nothing')
      return nothing
    },
  },
  {
    name: 'newer',
    words: 'Alerts are off: a newer version of Indexwatch wrote the history',
    begin: (userData) => {
      const database = new Database(historyIn(userData))
      database.exec('PRAGMA user_version = 99')
      database.close()
      return nothing
    },
  },
  {
    name: 'keyring-refused',
    words: 'Alerts are off: the key is not available',
    isOfSettings: true,
    begin: (userData) => {
      writeProfile(userData)
      return nothing
    },
  },
  {
    name: 'settings-damaged',
    words: 'Alerts are off: the settings are damaged',
    isOfSettings: true,
    begin: (userData) => {
      writeProfile(userData)
      rmSync(join(userData, 'settings.json.bak'), { force: true })
      truncateSync(join(userData, 'settings.json'), 40)
      return nothing
    },
  },
  {
    name: 'history-missing',
    words: 'Alerts are off: the history is missing',
    begin: (userData) => {
      dropJournal(userData)
      const away = join(userData, '..', 'away')
      mkdirSync(join(away, 'disk'), { recursive: true })
      renameSync(historyIn(userData), join(away, 'disk', 'tape.db'))
      symlinkSync(join(away, 'disk', 'tape.db'), historyIn(userData))
      renameSync(join(away, 'disk'), join(away, 'unmounted'))
      return () => {
        renameSync(join(away, 'unmounted'), join(away, 'disk'))
        return Promise.resolve()
      }
    },
  },
]

/** Unmounts the disks, even while the app has files open. */
export function endDisks(userData: string): void {
  const disk = join(userData, '..', 'small-disk')
  if (existsSync(join(disk, 'ballast'))) execFileSync('umount', ['-l', disk])
}
