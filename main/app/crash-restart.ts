/** Restarts the app after a crash of its main process. A separate process waits for the end of the app. */
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { app } from 'electron'
import * as v from 'valibot'
import { timeSchema } from '../../core/shapes'
import type { Clock } from '../base/clock'
import { startDetachedShell } from '../base/detached-shell'
import type { Log } from '../base/log'
import { argumentsAfterCrash, crashFlag, isAfterCrash } from '../desktop/launch-options'
import { environmentOutside } from '../updates/app-image'
import { appImagePath } from '../updates/package-kind'

/** How to restart the app after a crash. `bye` means not at all. */
type Word = 'shown' | 'hidden' | 'bye'

/** Sends a word to the process that waits for the end of the app. The last word applies. */
type Supervisor = (word: Word) => void

/** A SIGTERM within this time after the session bus ended comes from GLib. */
const busEndMs = 5_000

interface Options {
  budget: Pick<RestartBudget, 'waitMs'>
  clock: Pick<Clock, 'after' | 'monotonicMs'>
  supervise: () => Supervisor
}

/** Keeps a supervisor process running while the user wants one and the budget allows a restart. */
export class CrashRestart {
  readonly #options: Options
  #supervisor: Supervisor | undefined
  #word: Word = 'hidden'
  #cancelWait: (() => void) | undefined
  #hasEnded = false
  #busEndedMs = -Infinity

  constructor(options: Options) {
    this.#options = options
  }

  /** Time until the budget allows another restart. 0 if it does now. */
  get waitMs(): number {
    return this.#options.budget.waitMs()
  }

  /** Called when the user turns restarting on or off. */
  turn(isWanted: boolean): void {
    if (!isWanted) this.#disarm()
    else if (!this.#hasEnded) this.#arm()
  }

  /** False if only the tray icon is shown. */
  setShown(isShown: boolean): void {
    this.#word = isShown ? 'shown' : 'hidden'
    this.#supervisor?.(this.#word)
  }

  /** Called when the session bus ends. GLib sends the app a SIGTERM at about the same time. */
  busEnded(): void {
    this.#busEndedMs = this.#options.clock.monotonicMs()
  }

  /** The app ends normally and must not be restarted. Ignores a signal that GLib sent at the end of the session bus. */
  end({ isBySignal = false } = {}): void {
    if (isBySignal && this.#options.clock.monotonicMs() - this.#busEndedMs < busEndMs) return
    this.#hasEnded = true
    this.#disarm()
  }

  #arm(): void {
    if (this.#supervisor !== undefined || this.#cancelWait !== undefined) return
    const { clock, supervise } = this.#options
    if (this.waitMs > 0) {
      this.#cancelWait = clock.after(this.waitMs, () => {
        this.#cancelWait = undefined
        this.#arm()
      })
      return
    }
    this.#supervisor = supervise()
    this.#supervisor(this.#word)
  }

  #disarm(): void {
    this.#cancelWait?.()
    this.#cancelWait = undefined
    this.#supervisor?.('bye')
    this.#supervisor = undefined
  }
}

const timesSchema = v.array(timeSchema)
const windowMs = 5 * 60_000
const maxInWindow = 3

/**
 * Allows three restarts after crashes in five minutes. The times are stored on disk, because each start is a new
 * process.
 */
export class RestartBudget {
  readonly #path: string
  readonly #clock: Pick<Clock, 'wallMs'>

  constructor(path: string, clock: Pick<Clock, 'wallMs'>) {
    this.#path = path
    this.#clock = clock
  }

  /** Counts this start. Throws if the disk refuses. */
  note(): void {
    writeFileSync(this.#path, JSON.stringify([...this.#recent(), this.#clock.wallMs()]))
  }

  /** Time until another restart is allowed. 0 if it is now. */
  waitMs(): number {
    const oldest = this.#recent().at(-maxInWindow)
    return oldest === undefined ? 0 : oldest + windowMs - this.#clock.wallMs()
  }

  /** Times in the future are ignored: the clock was set back since. */
  #recent(): number[] {
    const nowMs = this.#clock.wallMs()
    try {
      const all = v.parse(timesSchema, JSON.parse(readFileSync(this.#path, 'utf8')))
      return all.filter((atMs) => atMs <= nowMs && nowMs - atMs < windowMs)
    } catch {
      // The file is missing or was damaged by a power cut. A reboot takes long enough to allow a restart.
      return []
    }
  }
}

/**
 * Reads words until the pipe closes. The system closes it when the app ends for any reason. A log-out ends this shell
 * too. The shell waits a second for the system to close the app's files.
 */
const watcher = `how=--hidden
while read -r word; do
  case $word in bye) exit 0 ;; shown) how= ;; hidden) how=--hidden ;; esac
done
ended=$(date +%s)
sleep 1
exec "$@" ${crashFlag}=$ended $how </dev/null`

function shellSupervisor(log: Log): Supervisor {
  const program = appImagePath(process) ?? process.execPath
  const shell = startDetachedShell(watcher, {
    args: [program, ...argumentsAfterCrash(process.argv)],
    env: environmentOutside(process.env),
    input: 'pipe',
  })
  shell.on('error', (error) => log.warn('The app is not started again after a crash', { error: error.message }))
  // Writing fails if a log-out has ended the shell.
  shell.stdin?.on('error', () => undefined)
  return (word) => shell.stdin?.write(`${word}\n`)
}

/**
 * Windows has no such shell. Electron's relauncher restarts the app after every end, so the last word is kept in a
 * file.
 */
let isRelauncherWaiting = false

function relaunchSupervisor(path: string): Supervisor {
  if (!isRelauncherWaiting) app.relaunch({ args: [...argumentsAfterCrash(process.argv), crashFlag] })
  isRelauncherWaiting = true
  return (word) => writeFileSync(path, word)
}

const wordPath = (folder: string) => join(folder, 'comeback')

/** The last word of the previous run. Only on Windows. */
function lastWord(): string | undefined {
  if (process.platform !== 'win32') return undefined
  try {
    return readFileSync(wordPath(app.getPath('userData')), 'utf8')
  } catch {
    return undefined
  }
}

interface Start {
  /** The profile's folder. */
  folder: string
  clock: Clock
  log: Log
  isAfterCrash: boolean
}

/** Undefined if the disk refuses to count the restarts. */
export function createCrashRestart({ folder, clock, log, isAfterCrash: isNoted }: Start): CrashRestart | undefined {
  const budget = new RestartBudget(join(folder, 'comebacks.json'), clock)
  try {
    if (isNoted) budget.note()
  } catch (error) {
    log.warn('The app is not started again after a crash', { error: String(error) })
    return undefined
  }
  const supervise = () => (process.platform === 'win32' ? relaunchSupervisor(wordPath(folder)) : shellSupervisor(log))
  return new CrashRestart({ budget, clock, supervise })
}

/** True if the relauncher of Windows started the app after a normal end. */
export function followsNormalEnd(argv: readonly string[]): boolean {
  return isAfterCrash(argv) && lastWord() === 'bye'
}

/** True if the window was closed at the time of the crash. Only on Windows: elsewhere the arguments say it. */
export function wasHiddenAtCrash(argv: readonly string[]): boolean {
  return isAfterCrash(argv) && lastWord() === 'hidden'
}
