import { execFile } from 'node:child_process'
import type { Clock } from '../base/clock'
import type { Log } from '../base/log'

interface Options {
  env: Readonly<Record<string, string | undefined>>
  pid: number
  clock: Pick<Clock, 'after'>
  log: Log
}

/** Node cannot use the kind of socket that systemd listens on, so this program sends for us. */
const program = 'systemd-notify'
const programTimeoutMs = 10_000

/**
 * Tells systemd, if it started this watch, that the watch is ready and then regularly that it is alive. Its unit
 * restarts a watch that hangs.
 */
export class ServiceManager {
  readonly #options: Options
  #cancel: (() => void) | undefined

  constructor(options: Options) {
    this.#options = options
  }

  /** Call when the watch has started. */
  ready(): void {
    if ((this.#options.env['NOTIFY_SOCKET'] ?? '') === '') return
    this.#say('READY=1')
    const everyMs = this.#watchdogMs() / 2
    if (everyMs > 0) this.#goOn(everyMs)
  }

  dispose(): void {
    this.#cancel?.()
  }

  #goOn(everyMs: number): void {
    this.#cancel = this.#options.clock.after(everyMs, () => {
      this.#say('WATCHDOG=1')
      this.#goOn(everyMs)
    })
  }

  /** Period within which systemd expects a sign of life. 0 if it expects none, or expects it from another process. */
  #watchdogMs(): number {
    const { env, pid } = this.#options
    const isForUs = (env['WATCHDOG_PID'] ?? String(pid)) === String(pid)
    const text = env['WATCHDOG_USEC'] ?? ''
    return isForUs && /^\d{1,15}$/.test(text) ? Number(text) / 1_000 : 0
  }

  #say(state: string): void {
    const { env, log } = this.#options
    execFile(program, [state], { env: { ...env }, timeout: programTimeoutMs }, (error) => {
      if (error !== null) log.warn('systemd could not be notified', { state, error: error.message })
    })
  }
}
