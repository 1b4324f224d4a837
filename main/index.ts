/** Electron's life cycle: what must happen before the app is ready, and how it ends. */
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { app } from 'electron'
import { App } from './app'
import { SystemClock } from './base/clock'
import { createLog, redactor, type Log } from './base/log'
import { findDangerousSwitch, isDevelopment, readLaunch } from './desktop/launch-options'
import { lockDown } from './desktop/lockdown'
import { declarePageScheme } from './desktop/page-scheme'
import { passwordStore } from './desktop/password-store'
import { isWritableFolder } from './desktop/writable-folder'

/** What quitting may take before the process ends all the same. */
const quitTimeoutMs = 2_000
const badStartCode = 2

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
  const store = passwordStore({
    platform: process.platform,
    currentDesktop: process.env['XDG_CURRENT_DESKTOP'],
    hasSwitch: app.commandLine.hasSwitch('password-store'),
    hasSessionBus: hasSessionBus(),
  })
  if (store !== undefined) app.commandLine.appendSwitch('password-store', store)
}

function followLifeCycle(indexwatch: App): void {
  let stopping: Promise<void> | undefined
  app.on('second-instance', () => {
    indexwatch.startedAgain()
  })
  app.on('activate', () => {
    indexwatch.openWindow()
  })
  // The app lives in the tray; listening is what keeps it running.
  app.on('window-all-closed', () => undefined)
  app.on('before-quit', (event) => {
    event.preventDefault()
    const timeout = new Promise<void>((resolve) => setTimeout(resolve, quitTimeoutMs))
    stopping ??= Promise.race([indexwatch.stop(), timeout]).finally(() => {
      app.exit(0)
    })
  })
}

function start(): void {
  delete process.env['NODE_TLS_REJECT_UNAUTHORIZED']
  const clock = new SystemClock()
  const secrets = new Set<string>()
  const log = createLog({
    write: (line) => process.stderr.write(`${line}\n`),
    redact: redactor(() => [...secrets]),
    clock,
  })
  guardProcess(log)
  const surroundings = { argv: process.argv, env: process.env, isPackaged: app.isPackaged }
  const isRoot = process.getuid?.() === 0
  const dangerous = isDevelopment(surroundings) ? undefined : findDangerousSwitch(process.argv.slice(1), isRoot)
  if (dangerous !== undefined) {
    refuseStart(`${dangerous} is not allowed here. Start the app without it.`)
    return
  }
  const launch = readLaunch(surroundings)
  // Electron gives its own variables to every page's preload and to child processes.
  delete process.env['INDEXWATCH_KEY_SECRET']
  if (!launch.ok) {
    refuseStart(launch.problem.message)
    return
  }
  configureChromium(isRoot)
  declarePageScheme()
  lockDown(log)
  const canSave = isWritableFolder(app.getPath('userData'))
  if (canSave && !app.requestSingleInstanceLock()) {
    log.info('Indexwatch is running already: its window opens')
    app.exit(0)
    return
  }
  const indexwatch = new App({ launch: launch.value, clock, log, hidden: secrets, canSave })
  followLifeCycle(indexwatch)
  // Electron is ready only once this file has run to its end: waiting for it here would wait for ever.
  void app.whenReady().then(() => indexwatch.start())
}

start()
