import { mkdir } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, type ElectronApplication } from '@playwright/test'
import { Message, MessageType, sessionBus, type MessageBus } from 'dbus-next'
import { DBusSession } from './dbus-session'

const manager = {
  name: 'org.freedesktop.login1',
  path: '/org/freedesktop/login1',
  interface: 'org.freedesktop.login1.Manager',
} as const

/**
 * A logind on a private system bus, which announces sleep like the real one. It refuses sleep delays, because this
 * D-Bus library cannot pass the file descriptor that represents one.
 */
export class LogindPeer {
  readonly address: string
  readonly #daemon: DBusSession
  readonly #bus: MessageBus
  /** Number of requests to delay sleep. */
  #inhibitCount = 0

  private constructor(daemon: DBusSession) {
    this.address = daemon.address
    this.#daemon = daemon
    this.#bus = sessionBus({ busAddress: daemon.address })
    this.#bus.addMethodHandler((call: Message) => this.#answer(call))
  }

  /** Keeps the files of its bus below `folder`. Resolves when it accepts requests. */
  static async start(folder: string): Promise<LogindPeer> {
    const place = join(folder, 'system-bus')
    await mkdir(place)
    const peer = new LogindPeer(await DBusSession.start(place))
    await peer.#bus.requestName(manager.name, 0)
    return peer
  }

  /**
   * Puts the app to sleep for `sleptMs` while `meanwhile` runs. Announces the sleep, stops the process, sets its wall
   * clock forward, and announces the wake-up. Use `watchAgain` for its page afterwards.
   */
  async sleep(app: ElectronApplication, sleptMs: number, meanwhile: () => void): Promise<void> {
    await expect.poll(() => this.#inhibitCount).toBeGreaterThan(0)
    await app.evaluate(({ powerMonitor }) => {
      const suspended = new Promise<void>((resolve) => {
        powerMonitor.once('suspend', resolve)
      })
      Object.assign(globalThis, { suspended })
    })
    this.#announceSleep(true)
    await app.evaluate(async (_electron, ms) => {
      await (globalThis as unknown as { suspended: Promise<void> }).suspended
      const wallMs = Date.now.bind(Date)
      Date.now = () => wallMs() + ms
    }, sleptMs)
    app.process().kill('SIGSTOP')
    try {
      meanwhile()
      this.#announceSleep(false)
    } finally {
      app.process().kill('SIGCONT')
    }
  }

  async stop(): Promise<void> {
    this.#bus.disconnect()
    await this.#daemon.stop()
  }

  #announceSleep(isStarting: boolean): void {
    this.#bus.send(Message.newSignal(manager.path, manager.interface, 'PrepareForSleep', 'b', [isStarting]))
  }

  #answer(call: Message): boolean {
    if (call.type !== MessageType.METHOD_CALL || call.interface !== manager.interface) return false
    if (call.member !== 'Inhibit') return false
    this.#inhibitCount += 1
    // The library then answers that the method does not exist.
    return false
  }
}
