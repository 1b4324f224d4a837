/** Claims the profile, so that only one process checks alerts and writes. */
import { createHash } from 'node:crypto'
import {
  copyFileSync,
  existsSync,
  lstatSync,
  mkdirSync,
  mkdtempSync,
  realpathSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { homedir, tmpdir } from 'node:os'
import { join } from 'node:path'
import { app } from 'electron'
import { failure, ok, type Outcome } from '../../core/model'
import { statFile, SpecialFile } from '../base/own-file'
import { isAfterCrash, readProfileUse, type ProfileUse } from '../desktop/launch-options'
import { isWritableFolder } from '../storage/disk'
import { otherComputer, removeOtherLock } from '../storage/profile-holder'
import type { StartedVersion } from './new-version'

/** Electron throws if the profile's folder is missing and the home is not writable. */
export function canWriteProfile(): boolean {
  try {
    return isWritableFolder(app.getPath('userData'))
  } catch {
    return false
  }
}

/**
 * Name of another computer that uses this profile. Undefined if there is none, or if the arguments already say what to
 * do.
 */
export function conflictingComputer(argv: readonly string[]): string | undefined {
  // After a crash the profile is ours, even if this computer was renamed.
  if (readProfileUse(argv) !== undefined || isAfterCrash(argv) || !canWriteProfile()) return undefined
  return otherComputer(app.getPath('userData'))
}

/** Files copied for a read-only start. Rules and history are not, because the other computer checks the alerts. */
const filesToLookAt = ['settings.json', 'secret.json', 'window.json', 'ticker.json', 'index-windows.json']

/** Opens another computer's profile read-only: copies it to a temporary folder, which is removed when the app ends. */
export function openReadOnly(): void {
  const profile = app.getPath('userData')
  const folder = mkdtempSync(join(tmpdir(), 'indexwatch-'))
  for (const name of filesToLookAt) {
    if (existsSync(join(profile, name))) copyFileSync(join(profile, name), join(folder, name))
  }
  app.setPath('userData', folder)
  app.on('quit', () => rmSync(folder, { recursive: true, force: true }))
}

/** What a second start sends to the running app. */
const thisStart = (): StartedVersion => ({ version: app.getVersion() })

/**
 * Takes Chromium's lock in a temporary folder. Every start of this user derives the same folder from `name`. Throws if the
 * folder belongs to another user.
 */
function lockElsewhere(name: string): boolean {
  const uid = process.getuid?.() ?? -1
  const folder = join(tmpdir(), `indexwatch-${uid}-${createHash('sha256').update(name).digest('hex').slice(0, 16)}`)
  mkdirSync(folder, { recursive: true, mode: 0o700 })
  const found = lstatSync(folder)
  if (!found.isDirectory() || (uid !== -1 && found.uid !== uid)) throw new Error(`${folder} belongs to another user`)
  app.setPath('userData', folder)
  return app.requestSingleInstanceLock(thisStart())
}

/** Chromium's lock is a symbolic link. FAT, exFAT and some network disks have none. */
function hasLinks(folder: string): boolean {
  const path = join(folder, `.link-${process.pid}`)
  try {
    symlinkSync('nowhere', path)
    rmSync(path)
    return true
  } catch {
    return false
  }
}

/**
 * True if this is the only instance. The lock is in the profile's folder, or in a temporary folder if the disk has no
 * symbolic links. If the profile is not writable, its files are in a temporary folder too.
 */
function isOnlyInstance(canSave: boolean): boolean {
  if (!canSave) {
    const isOnly = lockElsewhere(homedir())
    app.setPath('userData', mkdtempSync(join(tmpdir(), 'indexwatch-')))
    return isOnly
  }
  if (app.requestSingleInstanceLock(thisStart())) return true
  const profile = app.getPath('userData')
  if (process.platform === 'win32' || hasLock(profile) || hasLinks(profile)) return false
  try {
    return lockElsewhere(realpathSync(profile))
  } finally {
    app.setPath('userData', profile)
  }
}

/** `existsSync` would follow the link, whose target does not exist. */
function hasLock(folder: string): boolean {
  return lstatSync(join(folder, 'SingletonLock'), { throwIfNoEntry: false }) !== undefined
}

/**
 * Why Chromium refused a lock that no process holds. Undefined if a process holds it. The usual reason: the lock's
 * socket is in the system's temporary folder, which is not writable.
 */
function lockProblem(): string | undefined {
  if (process.platform === 'win32' || hasLock(app.getPath('userData'))) return undefined
  try {
    rmSync(mkdtempSync(join(tmpdir(), 'indexwatch-')), { recursive: true })
    return undefined
  } catch (error) {
    return `the temporary folder ${tmpdir()} is not writable. Free some space there, or set TMPDIR to another folder. ${String(error)}`
  }
}

/**
 * A file that exists while a watch uses the profile. A second start must not wait for a window that a watch never
 * opens.
 */
const watchMark = () => join(app.getPath('userData'), 'watching')

function markWatch(isForWatch: boolean): void {
  statFile(watchMark())
  if (isForWatch) writeFileSync(watchMark(), '', { mode: 0o600 })
  else rmSync(watchMark(), { force: true })
}

interface Claim {
  canSave: boolean
  isForWatch: boolean
  profileUse: ProfileUse | undefined
}

/**
 * Claims the profile. Returns false if the running app has it. That app then shows its window. Fails if either process
 * is a watch, which has no window, or if neither the home nor the temporary folder is writable.
 */
export function claimProfile({ canSave, isForWatch, profileUse }: Claim): Outcome<boolean> {
  // A read-only start has a folder of its own.
  if (profileUse === 'readOnly') return ok(true)
  let isOnly: boolean
  try {
    if (profileUse === 'takeOver') removeOtherLock(app.getPath('userData'))
    isOnly = isOnlyInstance(canSave)
  } catch (error) {
    return failure('noPermission', `neither your home folder nor any other folder is writable. ${String(error)}`)
  }
  const problem = !isOnly && canSave ? lockProblem() : undefined
  if (problem !== undefined) return failure('badEnvironment', problem)
  const isWatched = canSave && existsSync(watchMark())
  if (!isOnly && (isForWatch || isWatched)) {
    const other = isWatched ? 'a headless watch' : 'the app'
    return failure(
      'inUse',
      `${other} is running on this profile. End it first, or use another folder: --user-data-dir=DIR`,
    )
  }
  try {
    if (isOnly && canSave) markWatch(isForWatch)
  } catch (error) {
    if (error instanceof SpecialFile) return failure('badEnvironment', error.message)
    throw error
  }
  return ok(isOnly)
}
