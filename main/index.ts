/** Electron's life cycle: what must happen before the app is ready, and how it ends. */
import { createHash } from 'node:crypto'
import { existsSync, lstatSync, mkdirSync, mkdtempSync } from 'node:fs'
import { homedir, tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { app, protocol } from 'electron'
import { App } from './app/app'
import { SystemClock } from './base/clock'
import { createLog, isProblemLine, redactor, Ring, type Log } from './base/log'
import {
  findForeignSwitch,
  isDevelopment,
  isWayland,
  readLaunch,
  passwordStore,
  isWritableFolder,
  textAskedFor,
} from './desktop/launch-options'
import { lockDown } from './desktop/lockdown'
import { appId } from './desktop/app-names'
import { linkAmong, linkScheme } from './desktop/deep-link'
import { logFolder } from './desktop/log-folder'
import { pageScheme } from './desktop/page-files'
import { LogFile } from './storage/log-file'

/** What quitting may take before the process ends all the same. */
const quitTimeoutMs = 2_000
const badStartCode = 2
/** How many lines of the log the diagnostics show. */
const maxProblems = 200

function guardProcess(log: Log): void {
  // Electron would show a dialog and wait for ever.
  const fatal = (error: unknown) => {
    log.error('Ended by a fault', { error: error instanceof Error ? (error.stack ?? error.message) : String(error) })
    app.exit(1)
  }
  process.on('uncaughtException', fatal)
  process.on('unhandledRejection', fatal)
  // The terminal that started the app may be gone.
  const ignore = () => undefined
  process.stdout.on('error', ignore)
  process.stderr.on('error', ignore)
}

function refuseStart(message: string): void {
  process.stderr.write(`Indexwatch: ${message}\n`)
  app.exit(badStartCode)
}

function hasSessionBus(): boolean {
  const runtimeFolder = process.env['XDG_RUNTIME_DIR']
  const isNamed = (process.env['DBUS_SESSION_BUS_ADDRESS'] ?? '') !== ''
  return isNamed || (runtimeFolder !== undefined && existsSync(join(runtimeFolder, 'bus')))
}

function configureChromium(isRoot: boolean): void {
  // Together with --no-sandbox, without which root gets no further than this, it would end the process without a word.
  if (!(isRoot && app.commandLine.hasSwitch('no-sandbox'))) app.enableSandbox()
  // What the app itself asks goes over Node; Chromium has nobody to look for but the development server.
  const devServer = app.isPackaged ? undefined : process.env['ELECTRON_RENDERER_URL']
  const exception = devServer === undefined ? '' : `, EXCLUDE ${new URL(devServer).hostname}`
  app.commandLine.appendSwitch('host-resolver-rules', `MAP * ~NOTFOUND${exception}`)
  const store = passwordStore({
    platform: process.platform,
    currentDesktop: process.env['XDG_CURRENT_DESKTOP'],
    hasSwitch: app.commandLine.hasSwitch('password-store'),
    hasSessionBus: hasSessionBus(),
  })
  if (store !== undefined) app.commandLine.appendSwitch('password-store', store)
}

/** The profile's folder; `undefined` when the home it would lie in cannot be written to. */
function profileFolder(): string | undefined {
  try {
    const folder = app.getPath('userData')
    return isWritableFolder(folder) ? folder : undefined
  } catch {
    return undefined
  }
}

/**
 * Whether this is the only instance, which alone judges alerts. The lock lies in the profile's folder or, where that
 * cannot be written to, in one that every start of this user on this home takes; what is kept until the end then lies
 * apart. Throws where somebody else has that folder.
 */
function isOnlyInstance(canSave: boolean): boolean {
  if (canSave) return app.requestSingleInstanceLock()
  const uid = process.getuid?.() ?? -1
  const home = createHash('sha256').update(homedir()).digest('hex').slice(0, 16)
  const folder = join(tmpdir(), `indexwatch-${uid}-${home}`)
  mkdirSync(folder, { recursive: true, mode: 0o700 })
  const found = lstatSync(folder)
  if (!found.isDirectory() || (uid !== -1 && found.uid !== uid)) throw new Error(`${folder} belongs to somebody else`)
  app.setPath('userData', folder)
  const isOnly = app.requestSingleInstanceLock()
  app.setPath('userData', mkdtempSync(join(tmpdir(), 'indexwatch-')))
  return isOnly
}

function followLifeCycle(indexwatch: App): void {
  let stopping: Promise<unknown> | undefined
  app.on('second-instance', (_event, argv) => {
    indexwatch.startedAgain({ isHidden: argv.includes('--hidden'), link: linkAmong(argv) })
  })
  // On macOS a link is no argument.
  app.on('open-url', (event, url) => {
    event.preventDefault()
    indexwatch.openLink(url)
  })
  app.on('activate', () => {
    indexwatch.openWindow()
  })
  // The app lives in the tray; listening is what keeps it running.
  app.on('window-all-closed', () => undefined)
  app.on('before-quit', (event) => {
    event.preventDefault()
    stopping ??= Promise.race([indexwatch.stop(), delay(quitTimeoutMs)]).finally(() => {
      app.exit(0)
    })
  })
}

function start(): void {
  const text = textAskedFor(process.argv, app.getVersion())
  if (text !== undefined) {
    process.stdout.write(text)
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
  const surroundings = { argv: process.argv, env: process.env, isPackaged: app.isPackaged }
  const isRoot = process.getuid?.() === 0
  const foreign = isDevelopment(surroundings)
    ? undefined
    : findForeignSwitch(process.argv.slice(1), { isRoot, platform: process.platform })
  if (foreign !== undefined) {
    refuseStart(`${foreign} is not allowed here. Start the app without it.`)
    return
  }
  if ((process.env['NODE_DEBUG'] ?? '') !== '') {
    refuseStart('NODE_DEBUG has every request printed, and the key with it. Start the app without this variable.')
    return
  }
  const launch = readLaunch(surroundings)
  // Electron gives its own variables to every page's preload and to child processes.
  delete process.env['INDEXWATCH_KEY_SECRET']
  if (!launch.ok) {
    refuseStart(launch.problem.message)
    return
  }
  const wantedFolder = app.commandLine.getSwitchValue('user-data-dir')
  if (wantedFolder !== '' && !isWritableFolder(wantedFolder)) {
    // Electron would take the usual folder instead, without a word.
    refuseStart(`--user-data-dir: the folder ${wantedFolder} cannot be written to.`)
    return
  }
  const canSave = profileFolder() !== undefined
  configureChromium(isRoot)
  if (process.platform === 'win32') app.setAppUserModelId(appId)
  protocol.registerSchemesAsPrivileged([pageScheme])
  lockDown(log)
  let isOnly: boolean
  try {
    isOnly = isOnlyInstance(canSave)
  } catch (error) {
    refuseStart(`nothing can be written to your home, and no other folder serves instead. ${String(error)}`)
    return
  }
  if (!isOnly) {
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
  log.info('Indexwatch starts', { version: app.getVersion(), electron: process.versions.electron })
  const indexwatch = new App({
    launch: launch.value,
    clock,
    log,
    hidden: secrets,
    problems: () => problems.all(),
    canSave,
    placesWindows: !isWayland({
      platform: process.platform,
      env: process.env,
      ozonePlatform: app.commandLine.getSwitchValue('ozone-platform'),
      ozoneHint: app.commandLine.getSwitchValue('ozone-platform-hint'),
      electronMajor: Number.parseInt(process.versions.electron),
    }),
  })
  followLifeCycle(indexwatch)
  // On Linux the desktop file says it: asking for it there would make the app open web pages too.
  if (app.isPackaged && process.platform !== 'linux') app.setAsDefaultProtocolClient(linkScheme)
  // Electron is ready only once this file has run to its end: waiting for it here would wait for ever.
  void app.whenReady().then(() => indexwatch.start())
}

start()
