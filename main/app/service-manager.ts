import { execFile } from 'node:child_process'
import type { Clock } from '../base/clock'
import type { Log } from '../base/log'

interface Options {
  env: Readonly<Record<string, string | undefined>>
  pid: number
  clock: Pick<Clock, 'after'>
  log: Log
}

/** Its own program speaks for us: Node has no sockets of the kind that systemd listens at. */
const program = 'systemd-notify'
const programTimeoutMs = 10_000

/**
 * What systemd hears of a watch that it started: that it is up, and again and again that it still turns. One that has stopped
 * turning is ended and started again by its unit. Without systemd nothing is said.
 */
export class ServiceManager {
  readonly #options: Options
  #cancel: (() => void) | undefined

  constructor(options: Options) {
    this.#options = options
  }

  /** The watch is up. */
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

  /** Within which it must be heard of; 0 where nobody waits for that, or for another process. */
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
