/** Decides whether the app may start, and explains a refusal. */
import { spawnSync } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { homedir, tmpdir } from 'node:os'
import { join } from 'node:path'
import { setFlagsFromString } from 'node:v8'
import { app, dialog, Menu } from 'electron'
import { failure, type Outcome } from '../../core/model'
import type { SystemClock } from '../base/clock'
import { flagWithBlank } from '../base/command-line'
import type { Log } from '../base/log'
import { readOwnFile } from '../base/own-file'
import { sanitizeText } from '../base/sanitize'
import { findRefusedSwitch, isDevelopment, isWatch, readLaunch, type LaunchOptions } from '../desktop/launch-options'
import { addLinuxSwitches, hasDisplay, openFilesProblem } from '../desktop/linux'
import { refusedSwitchMessage, refusalArguments, refusalEnvironment } from '../desktop/refused-start'
import { isWritableFolder } from '../storage/disk'
import { ProfileHolder } from '../storage/profile-holder'
import { readSettings } from '../storage/settings'
import { startAgain } from './start-again'

export const badStartCode = 2

/** Writes to the terminal. Control characters are removed, because the message may quote arguments. */
export function printError(message: string): void {
  process.stderr.write(`Indexwatch: ${sanitizeText(message, Number.POSITIVE_INFINITY)}\n`)
}

/**
 * Ends the start and says why. An installed app has no terminal, so a dialog shows the reason too. The dialog needs a
 * process of its own, because the refused switches have taken effect in this one.
 */
export function refuseStart(message: string): void {
  printError(message)
  if (app.isPackaged && hasDisplay() && !isWatch(process.argv)) {
    const env = refusalEnvironment(process.env)
    spawnSync(process.execPath, refusalArguments(message, process.argv), { stdio: 'ignore', env })
  }
  app.exit(badStartCode)
}

/** A new temporary folder, in the home if the system's temporary folder is full. */
function folderForAMessage(): string {
  try {
    return mkdtempSync(join(tmpdir(), 'indexwatch-'))
  } catch {
    return mkdtempSync(join(homedir(), '.indexwatch-'))
  }
}

export async function showRefusal(message: string): Promise<void> {
  // The running app may be using the profile.
  app.setPath('userData', folderForAMessage())
  await app.whenReady()
  await dialog.showMessageBox({
    type: 'error',
    title: 'Indexwatch cannot start',
    message: 'Indexwatch cannot start',
    detail: message,
    buttons: ['Close'],
  })
  rmSync(app.getPath('userData'), { recursive: true, force: true })
  app.exit(badStartCode)
}

const inUseElsewhere = (computer: string) =>
  `the profile is in use on the computer ${computer}. Quit Indexwatch there, or start with --take-over to end it there.`

/** Asks what to do about a profile that another computer uses, and starts again with the answer. */
async function askAboutComputer(computer: string): Promise<void> {
  // Two computers must not write to the profile.
  app.setPath('userData', folderForAMessage())
  await app.whenReady()
  const { response } = await dialog.showMessageBox({
    type: 'warning',
    title: 'Indexwatch is in use',
    message: `Indexwatch is in use on ${computer}`,
    detail:
      `The computer ${computer} uses the same settings and history, or was switched off while using them. ` +
      `Read-only shows your watchlists here. ${computer} checks the alerts, and changes here are not saved. ` +
      `Taking over ends Indexwatch on ${computer} within seconds. Its last changes may be lost.`,
    buttons: ['Open read-only', 'Take over', 'Quit'],
    defaultId: 0,
    cancelId: 2,
  })
  rmSync(app.getPath('userData'), { recursive: true, force: true })
  const [chosen] = [['--read-only'], ['--take-over']][response] ?? []
  if (chosen !== undefined) startAgain([...process.argv.slice(1), chosen])
  app.exit(0)
}

/** Asks what to do if another computer uses the profile. A watch refuses to start instead. */
export function answerOtherComputer(computer: string): void {
  if (isWatch(process.argv)) refuseStart(inUseElsewhere(computer))
  else void askAboutComputer(computer)
}

export function configureChromium(isRoot: boolean): void {
  // On busy processors, main was seen to wait 0.1 s for the threads of a parallel scavenge.
  setFlagsFromString('--no-parallel-scavenge')
  addLinuxSwitches()
  // No window has a menu. Electron would build its default one at each start. On macOS that menu has Copy and Quit.
  if (process.platform !== 'darwin') Menu.setApplicationMenu(null)
  // Root needs --no-sandbox. With both, Chromium ends without a message.
  if (!(isRoot && app.commandLine.hasSwitch('no-sandbox'))) app.enableSandbox()
  // The app sends its requests through Node, so Chromium needs only the development server.
  const devServer = app.isPackaged ? undefined : process.env['ELECTRON_RENDERER_URL']
  const exception = devServer === undefined ? '' : `, EXCLUDE ${new URL(devServer).hostname}`
  app.commandLine.appendSwitch('host-resolver-rules', `MAP * ~NOTFOUND${exception}`)
  // The proxy is for requests through Node, which read it by `givenProxy`. The page's session must not use it.
  app.commandLine.removeSwitch('proxy-server')
  app.commandLine.removeSwitch('proxy-bypass-list')
  // By default each process wakes up every four seconds to give back free memory.
  const features = [app.commandLine.getSwitchValue('enable-features'), 'PartitionAllocMemoryReclaimer:interval/60s']
  app.commandLine.appendSwitch('enable-features', features.filter((each) => each !== '').join(','))
}

/** Reads the setting before the app does. Problems with the file are reported later. */
export function wantsXWayland(): boolean {
  try {
    const read = readSettings(JSON.parse(readOwnFile(join(app.getPath('userData'), 'settings.json'))))
    return read.kind === 'ok' && read.settings.usesXWayland
  } catch {
    return false
  }
}

/** Tests often kill the app, so a developer's start needs this variable. */
export function restartsAfterCrash(): boolean {
  return (
    !isDevelopment({ env: process.env, isPackaged: app.isPackaged }) || process.env['INDEXWATCH_COMES_BACK'] === '1'
  )
}

/** The first argument that an installed app refuses. Undefined in a developer's start. */
export function refusedSwitch(isRoot: boolean): string | undefined {
  const { argv, env, platform } = process
  if (isDevelopment({ env, isPackaged: app.isPackaged })) return undefined
  return findRefusedSwitch(argv.slice(1), { isRoot, platform })
}

/** Reads arguments and environment. Removes secrets from the environment. */
export function readStart(isRoot: boolean): Outcome<LaunchOptions> {
  const surroundings = { argv: process.argv, env: process.env, isPackaged: app.isPackaged }
  const foreign = refusedSwitch(isRoot)
  if (foreign !== undefined) return failure('badArguments', refusedSwitchMessage(foreign, process.env))
  const blank = flagWithBlank(process.argv)
  if (blank !== undefined) return failure('badArguments', blank)
  if ((process.env['NODE_DEBUG'] ?? '') !== '') {
    return failure(
      'badEnvironment',
      'NODE_DEBUG would print every request with the key. Start the app without this variable.',
    )
  }
  const problem = openFilesProblem()
  if (problem !== undefined) return failure('badEnvironment', problem)
  const launch = readLaunch(surroundings)
  // Electron gives its own variables to every page's preload and to child processes.
  delete process.env['INDEXWATCH_KEY_SECRET']
  delete process.env['INDEXWATCH_DESK_PASSWORD']
  if (!launch.ok) return launch
  const wantedFolder = app.commandLine.getSwitchValue('user-data-dir')
  if (wantedFolder === '' || isWritableFolder(wantedFolder)) return launch
  // Electron would silently use the default folder.
  return failure('badArguments', `--user-data-dir: the folder ${wantedFolder} cannot be written to.`)
}

/** Undefined if the disk refuses. */
export function claimHolder(folder: string, clock: SystemClock, log: Log): ProfileHolder | undefined {
  const holder = new ProfileHolder(folder, clock)
  try {
    holder.take()
    return holder
  } catch (error) {
    log.warn('The computer that uses the profile could not be recorded', { error: String(error) })
    return undefined
  }
}
