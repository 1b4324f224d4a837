/** Has the app started again after a crash of its main process, by something that outlives it. */
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { app } from 'electron'
import * as v from 'valibot'
import { timeSchema } from '../../protocol/alert-schema'
import type { Clock } from '../base/clock'
import { startDetachedShell } from '../base/detached-shell'
import type { Log } from '../base/log'
import { argumentsAfterCrash, crashFlag, isAfterCrash } from '../desktop/launch-options'
import { environmentOutside } from '../updates/app-image'
import { appImagePath } from '../updates/package-kind'

/** How the app is to start after a crash: with its window, or in the tray. After `bye` it is not started. */
type Word = 'shown' | 'hidden' | 'bye'

/** What outlives the app. It starts the app again unless the last word it was told is `bye`. */
type Supervisor = (word: Word) => void

/** A signal so soon after the end of the session bus is GLib's. */
const busEndMs = 5_000

interface Options {
  budget: Pick<ComebackBudget, 'waitMs'>
  clock: Pick<Clock, 'after' | 'monotonicMs'>
  supervise: () => Supervisor
}

/** Whether the app is started again after a crash, as its user wants it and as the budget allows. */
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

  /** For how long the app is not started again, because it was too often; 0 where it may be. */
  get waitMs(): number {
    return this.#options.budget.waitMs()
  }

  /** The user wants it, or not. */
  turn(isWanted: boolean): void {
    if (!isWanted) this.#disarm()
    else if (!this.#hasEnded) this.#arm()
  }

  /** The window is open, or the app is in the tray alone. */
  setShown(isShown: boolean): void {
    this.#word = isShown ? 'shown' : 'hidden'
    this.#supervisor?.(this.#word)
  }

  /** GLib then sends the app SIGTERM, before or after this call. */
  busEnded(): void {
    this.#busEndedMs = this.#options.clock.monotonicMs()
  }

  /** The app ends in order: nothing starts it again, unless the signal that ends it came with the end of the session bus. */
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

/** At most three starts after a crash in five minutes. Kept on the disk, because each of them is a process of its own. */
export class ComebackBudget {
  readonly #path: string
  readonly #clock: Pick<Clock, 'wallMs'>

  constructor(path: string, clock: Pick<Clock, 'wallMs'>) {
    this.#path = path
    this.#clock = clock
  }

  /** This start is one after a crash. Throws where the disk refuses. */
  note(): void {
    writeFileSync(this.#path, JSON.stringify([...this.#recent(), this.#clock.wallMs()]))
  }

  /** For how long the app is not to be started again; 0 where it may be. */
  waitMs(): number {
    const oldest = this.#recent().at(-maxInWindow)
    return oldest === undefined ? 0 : oldest + windowMs - this.#clock.wallMs()
  }

  /** A time that is still to come is of a clock that was set back since. */
  #recent(): number[] {
    const nowMs = this.#clock.wallMs()
    return this.#read().filter((atMs) => atMs <= nowMs && nowMs - atMs < windowMs)
  }

  #read(): number[] {
    try {
      const read = v.safeParse(timesSchema, JSON.parse(readFileSync(this.#path, 'utf8')))
      return read.success ? read.output : []
    } catch {
      // Absent, or damaged by a power cut: the five minutes are over by then.
      return []
    }
  }
}

/**
 * Reads words until the app is gone: the system closes the app's end of the pipe, however the app ends. A log-out ends the
 * shell as well. The second is for what the app had open.
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
  shell.on('error', (error) => {
    log.warn('The app is not started again after a crash', { error: error.message })
  })
  // A log-out has ended the shell.
  shell.stdin?.on('error', () => undefined)
  return (word) => {
    shell.stdin?.write(`${word}\n`)
  }
}

/** Windows has no such shell. There Electron's own process waits for the app's end and starts it again in any case. */
let isRelauncherWaiting = false

function relaunchSupervisor(path: string): Supervisor {
  if (!isRelauncherWaiting) app.relaunch({ args: [...argumentsAfterCrash(process.argv), crashFlag] })
  isRelauncherWaiting = true
  return (word) => {
    writeFileSync(path, word)
  }
}

const wordPath = (folder: string) => join(folder, 'comeback')

/** The last word of the app that ended before this start, on Windows alone. */
function lastWord(): string | undefined {
  if (process.platform !== 'win32') return undefined
  try {
    return readFileSync(wordPath(app.getPath('userData')), 'utf8')
  } catch {
    return undefined
  }
}

interface Start {
  /** Of the profile. */
  folder: string
  clock: Clock
  log: Log
  isAfterCrash: boolean
}

/** What starts the app again; `undefined` where the disk does not keep how often it did. */
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

/** Whether this start follows an end in order: on Windows alone the app is started after each of its ends. */
export function isNeedlessStart(argv: readonly string[]): boolean {
  return isAfterCrash(argv) && lastWord() === 'bye'
}

/** Whether the app was in the tray alone when it crashed. Only on Windows do the arguments not say it. */
export function crashedHidden(argv: readonly string[]): boolean {
  return isAfterCrash(argv) && lastWord() === 'hidden'
}
