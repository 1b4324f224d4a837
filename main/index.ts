/** Electron's life cycle: what happens before the app is ready, and how the process ends. */
import { setTimeout as delay } from 'node:timers/promises'
import { app, protocol } from 'electron'
import { createApp } from './app/app'
import { createCrashRestart, wasHiddenAtCrash, followsNormalEnd } from './app/crash-restart'
import { followLifeCycle } from './app/life-cycle'
import { runningAppImage } from './app/own-updates'
import { createProcessLog } from './app/process-log'
import { canWriteProfile, claimProfile, conflictingComputer, openReadOnly } from './app/profile-claim'
import { askKeyring, exportValues, serveAssistant } from './app/side-processes'
import {
  badStartCode,
  restartsAfterCrash,
  printError,
  configureChromium,
  answerOtherComputer,
  readStart,
  refuseStart,
  showRefusal,
  claimHolder,
  wantsXWayland,
} from './app/start'
import { startAgain } from './app/start-again'
import { SystemClock } from './base/clock'
import { appId } from './desktop/app-names'
import { linkScheme } from './desktop/deep-link'
import { isForAssistant, isForExport, textToPrint } from './desktop/launch-options'
import { currentWindowSystem, warnOfSessionBus, watchWithoutDisplay, xWaylandAtStart } from './desktop/linux'
import { lockDown } from './desktop/lockdown'
import { pageScheme } from './desktop/page-files'
import { refusalToShow } from './desktop/refused-start'
import { denyPageStores } from './storage/disk'
import { isForKeyring } from './storage/keyring'
import { maxHandOverMs, otherComputer } from './storage/profile-holder'

/** The exit code of a watch whose key the provider refuses. */
const keyLostCode = 3

function start(): void {
  if (watchWithoutDisplay()) return
  const refusal = app.isPackaged ? refusalToShow(process.argv.slice(1)) : undefined
  if (refusal !== undefined) {
    void showRefusal(refusal)
    return
  }
  if (followsNormalEnd(process.argv)) {
    app.exit(0)
    return
  }
  const computer = conflictingComputer(process.argv)
  if (computer !== undefined) {
    answerOtherComputer(computer)
    return
  }
  const xWayland = xWaylandAtStart(wantsXWayland)
  if (xWayland === 'startAgain') {
    startAgain(['--ozone-platform=x11', ...process.argv.slice(1)])
    app.exit(0)
    return
  }
  delete process.env['NODE_TLS_REJECT_UNAUTHORIZED']
  const clock = new SystemClock()
  const secrets = new Set<string>()
  const { log, problems, openFile } = createProcessLog(clock, secrets)
  const isRoot = process.getuid?.() === 0
  const launch = readStart(isRoot)
  if (!launch.ok) {
    refuseStart(launch.problem.message)
    return
  }
  const isForWatch = launch.value.watch !== undefined
  if (isForWatch) {
    app.disableHardwareAcceleration()
    // The reader of the pipe ended.
    process.stdout.on('error', () => app.quit())
  }
  const { profileUse } = launch.value
  if (profileUse === 'readOnly') openReadOnly()
  const canSave = profileUse !== 'readOnly' && canWriteProfile()
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
  openFile()
  try {
    denyPageStores(app.getPath('userData'))
  } catch (error) {
    log.warn('The stores of the page are not closed', { error: String(error) })
  }
  if (isForWatch) warnOfSessionBus(log)
  log.info('Indexwatch starts', { version: app.getVersion(), electron: process.versions.electron })
  const image = isForWatch ? undefined : runningAppImage(canSave, log)
  if (image?.countStart() === true) {
    log.error('This version failed to start twice: the one before it starts instead')
    startAgain(process.argv.slice(1))
    app.exit(0)
    return
  }
  const folder = app.getPath('userData')
  const holder = canSave ? claimHolder(folder, clock, log) : undefined
  const crashRestart =
    isForWatch || !canSave || !restartsAfterCrash()
      ? undefined
      : createCrashRestart({ folder, clock, log, isAfterCrash: launch.value.afterCrash !== undefined })
  let exitCode = 0
  const indexwatch = createApp({
    launch: { ...launch.value, isHidden: launch.value.isHidden || wasHiddenAtCrash(process.argv) },
    clock,
    log,
    hidden: secrets,
    problems,
    canSave,
    image,
    crashRestart,
    windowSystem: currentWindowSystem(wantsXWayland),
    lacksXWayland: xWayland === 'lacking',
    onWatchOver: (why, message) => {
      printError(message)
      exitCode = why === 'keyLost' ? keyLostCode : badStartCode
      app.quit()
    },
  })
  followLifeCycle({ indexwatch, crashRestart, holder, exitCode: () => exitCode })
  holder?.follow((computer) => {
    log.warn('Another computer has taken over the profile', { computer })
    crashRestart?.end()
    // Immediately: anything written from now on could overwrite the other computer's data.
    process.kill(process.pid, 'SIGKILL')
  })
  // On Linux the desktop file registers the scheme. This call would also register the app for web pages.
  if (app.isPackaged && process.platform !== 'linux') app.setAsDefaultProtocolClient(linkScheme)
  // Not awaited: Electron becomes ready only after this file has run.
  void app
    .whenReady()
    .then(() => delay(isInUseElsewhere ? maxHandOverMs : 0))
    .then(() => indexwatch.start())
}

const text = textToPrint(process.argv, app.getVersion())
if (isForKeyring(process.argv)) askKeyring()
else if (text !== undefined) {
  process.stdout.write(text)
  app.exit(0)
} else if (isForAssistant(process.argv)) await serveAssistant()
else if (isForExport(process.argv)) await exportValues()
else start()
