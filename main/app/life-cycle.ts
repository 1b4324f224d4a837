/** Connects Electron's events to the app, from a second start to the end of the process. */
import { setTimeout as delay } from 'node:timers/promises'
import { app, autoUpdater } from 'electron'
import { linkAmong } from '../desktop/deep-link'
import { isAfterCrash, isWatch } from '../desktop/launch-options'
import type { ProfileHolder } from '../storage/profile-holder'
import type { App } from './app'
import type { CrashRestart } from './crash-restart'
import { startedVersion } from './new-version'

/** The process ends after this time even if quitting has not finished. */
const quitTimeoutMs = 2_000
/** The app learns within this time after GLib's signal that the session bus ended. */
const busEndHeardMs = 100

interface Life {
  indexwatch: App
  crashRestart: CrashRestart | undefined
  holder: ProfileHolder | undefined
  exitCode: () => number
}

export function followLifeCycle({ indexwatch, crashRestart, holder, exitCode }: Life): void {
  let stopping: Promise<unknown> | undefined
  let isForced = false
  const stop = () => {
    crashRestart?.end({ isBySignal: isForced })
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
  // Before `ready` Chromium sets its own handlers. Node replaces them only for the first listener of a signal.
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
      window.on('session-end', () => crashRestart?.end())
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
