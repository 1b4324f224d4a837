/** Starts the app again after a crash of its main process. A separate process waits for the end of the app. */
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

/** How to start the app after a crash. `bye`: not at all. */
type Word = 'shown' | 'hidden' | 'bye'

/** Sends a word to the process that waits for the end of the app. The last word counts. */
type Supervisor = (word: Word) => void

/** A SIGTERM so soon after the end of the session bus comes from GLib. */
const busEndMs = 5_000

interface Options {
  budget: Pick<ComebackBudget, 'waitMs'>
  clock: Pick<Clock, 'after' | 'monotonicMs'>
  supervise: () => Supervisor
}

/** Keeps a supervisor running while the user wants it and the budget allows it. */
export class Comeback {
  readonly #options: Options
  #supervisor: Supervisor | undefined
  #word: Word = 'hidden'
  #cancelWait: (() => void) | undefined
  #hasEnded = false
  #busEndedMs = -Infinity

  constructor(options: Options) {
    this.#options = options
  }

  /** The time until the budget allows another start. 0: now. */
  get waitMs(): number {
    return this.#options.budget.waitMs()
  }

  /** The user has turned it on or off. */
  turn(isWanted: boolean): void {
    if (!isWanted) this.#disarm()
    else if (!this.#hasEnded) this.#arm()
  }

  /** `false`: only the tray icon is shown. */
  setShown(isShown: boolean): void {
    this.#word = isShown ? 'shown' : 'hidden'
    this.#supervisor?.(this.#word)
  }

  /** The session bus ended. GLib sends the app SIGTERM at about the same time. */
  busEnded(): void {
    this.#busEndedMs = this.#options.clock.monotonicMs()
  }

  /** The app ends in order and is not started again. A signal from GLib at the end of the session bus does not count. */
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

/** Allows three starts after a crash in five minutes. The times are on the disk, because each start is a new process. */
export class ComebackBudget {
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

  /** The time until another start is allowed. 0: now. */
  waitMs(): number {
    const oldest = this.#recent().at(-maxInWindow)
    return oldest === undefined ? 0 : oldest + windowMs - this.#clock.wallMs()
  }

  /** A time in the future does not count: the clock was set back since. */
  #recent(): number[] {
    const nowMs = this.#clock.wallMs()
    return this.#read().filter((atMs) => atMs <= nowMs && nowMs - atMs < windowMs)
  }

  #read(): number[] {
    try {
      const read = v.safeParse(timesSchema, JSON.parse(readFileSync(this.#path, 'utf8')))
      return read.success ? read.output : []
    } catch {
      // The file is absent, or a power cut damaged it. A restart of the computer takes long enough to allow a start.
      return []
    }
  }
}

/**
 * Reads words until the pipe closes. The system closes it when the app ends, whatever ends the app. A log-out ends this shell,
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
  return (word) => {
    shell.stdin?.write(`${word}\n`)
  }
}

/** For Windows, which has no such shell. Electron's relauncher starts the app after every end, so the last word is in a file. */
let isRelauncherWaiting = false

function relaunchSupervisor(path: string): Supervisor {
  if (!isRelauncherWaiting) app.relaunch({ args: [...argumentsAfterCrash(process.argv), crashFlag] })
  isRelauncherWaiting = true
  return (word) => writeFileSync(path, word)
}

const wordPath = (folder: string) => join(folder, 'comeback')

/** The last word of the app that ran before. Only on Windows. */
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

/** `undefined` if the disk refuses to count the starts. */
export function createComeback({ folder, clock, log, isAfterCrash: isNoted }: Start): Comeback | undefined {
  const budget = new ComebackBudget(join(folder, 'comebacks.json'), clock)
  try {
    if (isNoted) budget.note()
  } catch (error) {
    log.warn('The app is not started again after a crash', { error: String(error) })
    return undefined
  }
  const supervise = () => (process.platform === 'win32' ? relaunchSupervisor(wordPath(folder)) : shellSupervisor(log))
  return new Comeback({ budget, clock, supervise })
}

/** Whether the relauncher of Windows has started the app after an end in order. */
export function isNeedlessStart(argv: readonly string[]): boolean {
  return isAfterCrash(argv) && lastWord() === 'bye'
}

/** Whether the window was closed at the crash. Only for Windows: elsewhere the arguments say it. */
export function crashedHidden(argv: readonly string[]): boolean {
  return isAfterCrash(argv) && lastWord() === 'hidden'
}
