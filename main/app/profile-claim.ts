/** Takes the profile for this process: one process alone judges alerts and writes. */
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
import { failure, type Outcome } from '../../protocol/model'
import { lookAtFile, SpecialFile } from '../base/own-file'
import { isAfterCrash, readProfileUse, type ProfileUse } from '../desktop/launch-options'
import { isWritableFolder } from '../storage/disk'
import { otherComputer, removeOtherLock } from '../storage/profile-holder'
import type { StartedVersion } from './new-version'

/** Whether the profile's folder can be written to. Electron itself fails where the home it would lie in cannot be. */
export function canWriteProfile(): boolean {
  try {
    return isWritableFolder(app.getPath('userData'))
  } catch {
    return false
  }
}

/** The computer that has this profile already; `undefined` where the start says what to do about it, or none has it. */
export function computerInTheWay(argv: readonly string[]): string | undefined {
  // The app that crashed had the profile, even if its computer was renamed since.
  if (readProfileUse(argv) !== undefined || isAfterCrash(argv) || !canWriteProfile()) return undefined
  return otherComputer(app.getPath('userData'))
}

/** Files that a look at the profile needs. Rules and history are not among them: the other computer judges alerts. */
const filesToLookAt = ['settings.json', 'secret.json', 'window.json', 'ticker.json']

/** Opens another computer's profile read-only: copies it to a temporary folder, which is removed when the app ends. */
export function lookAtProfile(): void {
  const profile = app.getPath('userData')
  const folder = mkdtempSync(join(tmpdir(), 'indexwatch-'))
  for (const name of filesToLookAt) {
    if (existsSync(join(profile, name))) copyFileSync(join(profile, name), join(folder, name))
  }
  app.setPath('userData', folder)
  app.on('quit', () => {
    rmSync(folder, { recursive: true, force: true })
  })
}

/** What the running instance learns of a second start. */
const thisStart = (): StartedVersion => ({ version: app.getVersion() })

/**
 * Takes Chromium's lock in a temporary folder that every start of this user takes for `name`. Throws where somebody else has
 * that folder.
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

/** Chromium's lock is a link, which FAT, exFAT and some network disks do not have. */
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
 * Whether this is the only instance. The lock lies in the profile's folder or, where that takes none, in a temporary one.
 * What is kept until the end then lies apart, if nothing can be kept in the profile.
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

/** It is a link to nothing. */
function hasLock(folder: string): boolean {
  return lstatSync(join(folder, 'SingletonLock'), { throwIfNoEntry: false }) !== undefined
}

/**
 * Why the lock of the profile was refused although nobody has it; `undefined` where somebody does. Its socket lies in the
 * temporary folder of the system.
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

/** Says that a watch has the profile, so that another start does not wait for a window that never opens. */
const watchMark = () => join(app.getPath('userData'), 'watching')

function markWatch(isForWatch: boolean): void {
  lookAtFile(watchMark())
  if (isForWatch) writeFileSync(watchMark(), '', { mode: 0o600 })
  else rmSync(watchMark(), { force: true })
}

interface Claim {
  canSave: boolean
  isForWatch: boolean
  profileUse: ProfileUse | undefined
}

/**
 * Takes the profile for this process: `false` where the running app has it, which shows itself in this one's place. Fails
 * where a watch is involved, which shows nothing, and where no folder of the user's, or no temporary one, can be written to.
 */
export function claimProfile({ canSave, isForWatch, profileUse }: Claim): Outcome<boolean> {
  // In a folder of its own there is nobody else.
  if (profileUse === 'look') return { ok: true, value: true }
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
  return { ok: true, value: isOnly }
}
