/** Electron's life cycle: what must happen before the app is ready, and how it ends. */
import { spawnSync } from 'node:child_process'
import { accessSync, constants, createReadStream, existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { homedir, tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { setFlagsFromString } from 'node:v8'
import { app, autoUpdater, dialog, protocol } from 'electron'
import { App } from './app/app'
import { startedVersion } from './app/new-version'
import { runningAppImage } from './app/own-updates'
import { createComeback, crashedHidden, isNeedlessStart, type Comeback } from './app/comeback'
import { canWriteProfile, claimProfile, computerInTheWay, lookAtProfile } from './app/profile-claim'
import { startAgain } from './app/start-again'
import { SystemClock } from './base/clock'
import { environmentWithoutSessionBus, environmentWithSessionBus, isWithoutSessionBus } from './base/session-bus'
import { createLog, isProblemLine, redactor, Ring, type Log } from './base/log'
import { sanitizeText } from './base/sanitize'
import { readOwnFile } from './base/own-file'
import { appId } from './desktop/app-names'
import { linkAmong, linkScheme } from './desktop/deep-link'
import { logFolder } from './desktop/folders'
import {
  findForeignSwitch,
  isDevelopment,
  isAfterCrash,
  isForAssistant,
  isWatch,
  namesWindowSystem,
  readLaunch,
  textAskedFor,
  type LaunchOptions,
} from './desktop/launch-options'
import { listensOnX, maxOpenFiles, minOpenFiles, passwordStore, windowSystem } from './desktop/linux-session'
import { lockDown } from './desktop/lockdown'
import { pageScheme } from './desktop/page-files'
import { foreignSwitchRemedy, refusalArguments, refusalEnvironment, refusalToShow } from './desktop/refused-start'
import { denyPageStores, isWritableFolder } from './storage/disk'
import { answerForApp, isForKeyring } from './storage/keyring'
import { LogFile } from './storage/log-file'
import { letGoMs, otherComputer, ProfileHolder } from './storage/profile-holder'
import { readSettings } from './storage/settings'
import type { WindowSystem } from '../protocol/desktop'
import { failure, type Outcome } from '../core/model'

/** The process ends after this time even if quitting is not done. */
const quitTimeoutMs = 2_000
/** The app hears of the end of the session bus within this time after GLib's signal for it. */
const busEndHeardMs = 100
const badStartCode = 2
/** The exit code of a watch whose key the service refuses. */
const keyLostCode = 3
/** How many lines of the log the diagnostics show. */
const maxProblems = 200

function guardProcess(log: Log): void {
  // By default Electron shows a dialog and waits.
  const fatal = (error: unknown) => {
    log.error('Ended by a fault', { error: error instanceof Error ? (error.stack ?? error.message) : String(error) })
    app.exit(1)
  }
  process.on('uncaughtException', fatal)
  process.on('unhandledRejection', fatal)
  // Writing fails if the terminal was closed.
  const ignore = () => undefined
  process.stdout.on('error', ignore)
  process.stderr.on('error', ignore)
}

/** Writes to the terminal. The message may quote names and arguments, so control characters are removed. */
function complain(message: string): void {
  process.stderr.write(`Indexwatch: ${sanitizeText(message, Number.POSITIVE_INFINITY)}\n`)
}

function hasDisplay(): boolean {
  return process.platform !== 'linux' || Boolean(process.env['DISPLAY'] ?? process.env['WAYLAND_DISPLAY'])
}

/**
 * Ends the start and says why. An installed app has no terminal, so a dialog shows the reason, too. The dialog needs a process
 * of its own, because the refused switches have taken effect in this one.
 */
function refuseStart(message: string): void {
  complain(message)
  if (app.isPackaged && hasDisplay() && !isWatch(process.argv)) {
    const env = refusalEnvironment(process.env)
    spawnSync(process.execPath, refusalArguments(message, process.argv), { stdio: 'ignore', env })
  }
  app.exit(badStartCode)
}

/** A new temporary folder. In the home if the system's temporary folder is full: that may be the message. */
function folderForAMessage(): string {
  try {
    return mkdtempSync(join(tmpdir(), 'indexwatch-'))
  } catch {
    return mkdtempSync(join(homedir(), '.indexwatch-'))
  }
}

async function showRefusal(message: string): Promise<void> {
  // Not in the profile: the app may be running.
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

/** Asks what to do about a profile that another computer has, and starts again with the answer. */
async function askAboutComputer(computer: string): Promise<void> {
  // Not in the profile: two computers must not write there.
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

function hasSessionBus(): boolean {
  const { XDG_RUNTIME_DIR: runtimeFolder, DBUS_SESSION_BUS_ADDRESS: address = '' } = environmentWithSessionBus()
  const isNamed = address !== ''
  return isNamed || (runtimeFolder !== undefined && existsSync(join(runtimeFolder, 'bus')))
}

/** Chromium shares memory in this folder unless told otherwise. */
function canShareMemory(): boolean {
  try {
    accessSync('/dev/shm', constants.W_OK | constants.X_OK)
    return true
  } catch {
    return false
  }
}

function configureChromium(isRoot: boolean): void {
  // On busy processors, main was seen to wait 0.1 s for the threads of a parallel scavenge.
  setFlagsFromString('--no-parallel-scavenge')
  // Some containers and chroots have no `/dev/shm`. Chromium would end without it.
  if (process.platform === 'linux' && !canShareMemory()) app.commandLine.appendSwitch('disable-dev-shm-usage')
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
  const store = passwordStore({
    platform: process.platform,
    currentDesktop: process.env['XDG_CURRENT_DESKTOP'],
    hasSwitch: app.commandLine.hasSwitch('password-store'),
    hasSessionBus: hasSessionBus(),
  })
  if (store !== undefined) app.commandLine.appendSwitch('password-store', store)
}

/**
 * Starts a watch on Linux again, without a display and a session bus, and ends with it. Chromium looks for both before our code
 * runs. It ends if it finds no display, and it ends with the session bus.
 */
function watchWithoutDisplay(): boolean {
  if (process.platform !== 'linux' || !isWatch(process.argv) || app.commandLine.hasSwitch('ozone-platform'))
    return false
  const [, ...args] = process.argv
  const env = environmentWithoutSessionBus()
  const { status } = spawnSync(process.execPath, ['--ozone-platform=headless', ...args], { stdio: 'inherit', env })
  app.exit(status ?? 1)
  return true
}

/** By the settings file. A later reader reports what is wrong with that file. */
function wantsXWayland(): boolean {
  try {
    const read = readSettings(JSON.parse(readOwnFile(join(app.getPath('userData'), 'settings.json'))))
    return read.kind === 'ok' && read.settings.usesXWayland
  } catch {
    return false
  }
}

function currentWindowSystem(): WindowSystem {
  const isNamed = process.platform === 'linux' && namesWindowSystem(process.argv)
  return windowSystem({
    platform: process.platform,
    env: process.env,
    ozonePlatform: app.commandLine.getSwitchValue('ozone-platform'),
    ozoneHint: app.commandLine.getSwitchValue('ozone-platform-hint'),
    electronMajor: Number.parseInt(process.versions.electron),
    ...(isNamed && { named: { wantsXWayland: wantsXWayland() } }),
  })
}

/** A window system in the arguments overrides the setting. */
function belongsOnXWayland(): boolean {
  return !namesWindowSystem(process.argv) && currentWindowSystem().xwayland === 'offered' && wantsXWayland()
}

/** Chromium ends without a message if no X server answers. */
function hasXServer(): boolean {
  try {
    return listensOnX(process.env['DISPLAY'] ?? '', readFileSync('/proc/net/unix', 'utf8'))
  } catch {
    // Unknown, so try.
    return true
  }
}

interface Life {
  indexwatch: App
  comeback: Comeback | undefined
  holder: ProfileHolder | undefined
  exitCode: () => number
}

function followLifeCycle({ indexwatch, comeback, holder, exitCode }: Life): void {
  let stopping: Promise<unknown> | undefined
  let isForced = false
  const stop = () => {
    comeback?.end({ isBySignal: isForced })
    return indexwatch.stop()
  }
  if (process.platform === 'darwin') {
    autoUpdater.on('before-quit-for-update', () => indexwatch.closeForUpdate())
  }
  app.on('second-instance', (_event, argv, _folder, start) =>
    indexwatch.startedAgain({
      isHidden: argv.includes('--hidden') || isWatch(argv) || isAfterCrash(argv),
      link: linkAmong(argv),
      version: startedVersion(start),
    }),
  )
  // macOS sends a link as an event, not as an argument.
  app.on('open-url', (event, url) => {
    event.preventDefault()
    indexwatch.openLink(url)
  })
  app.on('activate', () => indexwatch.openWindow())
  // Without a listener Electron quits when the last window closes.
  app.on('window-all-closed', () => undefined)
  // Before that, Chromium sets its own handlers. Node replaces them only for the first listener of a signal.
  void app.whenReady().then(() => {
    for (const signal of ['SIGTERM', 'SIGINT', 'SIGHUP'] as const) {
      process.removeAllListeners(signal)
      process.on(signal, () => {
        // The session or the system ends the app, so the user is not asked.
        isForced = true
        void delay(busEndHeardMs).then(() => app.quit())
      })
    }
  })
  if (process.platform === 'win32') {
    app.on('browser-window-created', (_event, window) => {
      window.on('session-end', () => {
        comeback?.end()
      })
    })
  }
  app.on('before-quit', (event) => {
    event.preventDefault()
    void indexwatch.mayEnd(isForced).then((mayEnd) => {
      if (!mayEnd) return
      stopping ??= Promise.race([stop(), delay(quitTimeoutMs)]).finally(() => {
        indexwatch.installUpdate()
        holder?.release()
        app.exit(exitCode())
      })
    })
  })
}

/** Tests often kill the app, so a developer's start needs a variable for it. */
function comesBack(): boolean {
  return (
    !isDevelopment({ env: process.env, isPackaged: app.isPackaged }) || process.env['INDEXWATCH_COMES_BACK'] === '1'
  )
}

/** The first argument that an installed app refuses. `undefined` for a developer's start. */
function foreignSwitch(isRoot: boolean): string | undefined {
  const { argv, env, platform } = process
  if (isDevelopment({ env, isPackaged: app.isPackaged })) return undefined
  return findForeignSwitch(argv.slice(1), { isRoot, platform })
}

/** Reads arguments and environment. Removes the key's secret from the environment. */
function readStart(isRoot: boolean): Outcome<LaunchOptions> {
  const surroundings = { argv: process.argv, env: process.env, isPackaged: app.isPackaged }
  const foreign = foreignSwitch(isRoot)
  if (foreign !== undefined) return failure('badArguments', foreignSwitchRemedy(foreign, process.env))
  if ((process.env['NODE_DEBUG'] ?? '') !== '') {
    return failure(
      'badEnvironment',
      'NODE_DEBUG would print every request with the key. Start the app without this variable.',
    )
  }
  const limits = process.platform === 'linux' ? readFileSync('/proc/self/limits', 'utf8') : ''
  const maxFiles = maxOpenFiles(limits)
  if (maxFiles < minOpenFiles) {
    return failure(
      'badEnvironment',
      `the limit of open files is ${maxFiles}, and the app needs ${minOpenFiles}. Raise the limit: ulimit -n ${minOpenFiles}`,
    )
  }
  const launch = readLaunch(surroundings)
  // Electron gives its own variables to every page's preload and to child processes.
  delete process.env['INDEXWATCH_KEY_SECRET']
  if (!launch.ok) return launch
  const wantedFolder = app.commandLine.getSwitchValue('user-data-dir')
  if (wantedFolder === '' || isWritableFolder(wantedFolder)) return launch
  // Electron would silently use the default folder.
  return failure('badArguments', `--user-data-dir: the folder ${wantedFolder} cannot be written to.`)
}

/** `undefined` if the disk refuses. */
function takeHold(folder: string, clock: SystemClock, log: Log): ProfileHolder | undefined {
  const holder = new ProfileHolder(folder, clock)
  try {
    holder.take()
    return holder
  } catch (error) {
    log.warn('The computer that uses the profile could not be recorded', { error: String(error) })
    return undefined
  }
}

function start(): void {
  const text = textAskedFor(process.argv, app.getVersion())
  if (text !== undefined) {
    process.stdout.write(text)
    app.exit(0)
    return
  }
  if (watchWithoutDisplay()) return
  const refusal = app.isPackaged ? refusalToShow(process.argv.slice(1)) : undefined
  if (refusal !== undefined) {
    void showRefusal(refusal)
    return
  }
  if (isNeedlessStart(process.argv)) {
    app.exit(0)
    return
  }
  const computer = computerInTheWay(process.argv)
  if (computer !== undefined) {
    if (isWatch(process.argv)) refuseStart(inUseElsewhere(computer))
    else void askAboutComputer(computer)
    return
  }
  const isForXWayland = belongsOnXWayland()
  const lacksXWayland = isForXWayland && !hasXServer()
  if (isForXWayland && !lacksXWayland) {
    startAgain(['--ozone-platform=x11', ...process.argv.slice(1)])
    app.exit(0)
    return
  }
  delete process.env['NODE_TLS_REJECT_UNAUTHORIZED']
  const clock = new SystemClock()
  const secrets = new Set<string>()
  const problems = new Ring<string>(maxProblems)
  const logFiles: LogFile[] = []
  const log = createLog({
    write: (line) => {
      process.stderr.write(`${line}\n`)
      if (isProblemLine(line)) problems.add(line)
      for (const file of logFiles) file.write(line)
    },
    redact: redactor(() => [...secrets]),
    clock,
  })
  guardProcess(log)
  const isRoot = process.getuid?.() === 0
  const launch = readStart(isRoot)
  if (!launch.ok) {
    refuseStart(launch.problem.message)
    return
  }
  const isForWatch = launch.value.watch !== undefined
  if (isForWatch) {
    app.disableHardwareAcceleration()
    // The reader of the pipe has ended.
    process.stdout.on('error', () => app.quit())
  }
  const { profileUse } = launch.value
  if (profileUse === 'look') lookAtProfile()
  const canSave = profileUse !== 'look' && canWriteProfile()
  configureChromium(isRoot)
  if (process.platform === 'win32') app.setAppUserModelId(appId)
  protocol.registerSchemesAsPrivileged([pageScheme])
  lockDown(log)
  const isInUseElsewhere = profileUse === 'takeOver' && otherComputer(app.getPath('userData')) !== undefined
  const isOnly = claimProfile({ canSave, isForWatch, profileUse })
  if (!isOnly.ok) {
    refuseStart(isOnly.problem.message)
    return
  }
  if (!isOnly.value) {
    log.info('Indexwatch is running already')
    app.exit(0)
    return
  }
  // Not before the lock: a second start must not write into the first one's file.
  logFiles.push(
    new LogFile({
      folder: logFolder(),
      onProblem: (message) => {
        process.stderr.write(`${message}\n`)
      },
    }),
  )
  try {
    denyPageStores(app.getPath('userData'))
  } catch (error) {
    log.warn('The stores of the page are not closed', { error: String(error) })
  }
  if (isForWatch && process.platform === 'linux' && !isWithoutSessionBus())
    log.warn('This watch ends when the session bus ends: set DBUS_SESSION_BUS_ADDRESS=disabled: for it')
  log.info('Indexwatch starts', { version: app.getVersion(), electron: process.versions.electron })
  const image = isForWatch ? undefined : runningAppImage(canSave, log)
  if (image?.noteStart() === true) {
    log.error('This version failed to start twice: the one before it starts instead')
    startAgain(process.argv.slice(1))
    app.exit(0)
    return
  }
  const folder = app.getPath('userData')
  const holder = canSave ? takeHold(folder, clock, log) : undefined
  const comeback =
    isForWatch || !canSave || !comesBack()
      ? undefined
      : createComeback({ folder, clock, log, isAfterCrash: launch.value.afterCrash !== undefined })
  let exitCode = 0
  const indexwatch = new App({
    launch: { ...launch.value, isHidden: launch.value.isHidden || crashedHidden(process.argv) },
    clock,
    log,
    hidden: secrets,
    problems: () => problems.all(),
    canSave,
    image,
    comeback,
    windowSystem: currentWindowSystem(),
    lacksXWayland,
    onWatchOver: (why, message) => {
      complain(message)
      exitCode = why === 'keyLost' ? keyLostCode : badStartCode
      app.quit()
    },
  })
  followLifeCycle({ indexwatch, comeback, holder, exitCode: () => exitCode })
  holder?.follow((computer) => {
    log.warn('Another computer has taken over the profile', { computer })
    comeback?.end()
    // At once: anything this process still wrote could overwrite the other's data.
    process.kill(process.pid, 'SIGKILL')
  })
  // On Linux the desktop file registers the scheme. This call would also register the app for web pages.
  if (app.isPackaged && process.platform !== 'linux') app.setAsDefaultProtocolClient(linkScheme)
  // Not awaited: Electron becomes ready only after this file has run.
  void app
    .whenReady()
    .then(() => delay(isInUseElsewhere ? letGoMs : 0))
    .then(() => indexwatch.start())
}

/** On Windows Electron's `process.stdin` ends at once, because programs with a window have none there. */
const standardInput = () => (process.platform === 'win32' ? createReadStream('', { fd: 0 }) : process.stdin)

/** The process that asks the keyring for the app, which a slow keyring would block. */
function askKeyring(): void {
  const isForeign = foreignSwitch(process.getuid?.() === 0) !== undefined
  guardProcess(createLog({ write: () => undefined, redact: () => '', clock: new SystemClock() }))
  void (isForeign ? Promise.resolve() : answerForApp(standardInput(), process.stdout)).finally(() => app.exit(0))
}

/**
 * Serves an assistant over stdio. Electron does not finish its start while this file is loaded. So it needs no window system and
 * does not claim the profile of the running app.
 */
async function serveAssistant(): Promise<void> {
  const foreign = foreignSwitch(process.getuid?.() === 0)
  if (foreign !== undefined) {
    complain(foreignSwitchRemedy(foreign, process.env))
    app.exit(badStartCode)
    return
  }
  const clock = new SystemClock()
  const log = createLog({ write: (line) => process.stderr.write(`${line}\n`), redact: (text) => text, clock })
  // Loaded here alone: the app itself needs none of it.
  const assistant = await import('./access/assistant-process')
  await assistant.serveAssistant({
    folder: app.getPath('userData'),
    version: app.getVersion(),
    clock,
    log,
    input: standardInput(),
    output: process.stdout,
  })
  app.exit(0)
}

if (isForKeyring(process.argv)) askKeyring()
else if (isForAssistant(process.argv)) await serveAssistant()
else start()
