import { spawn, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { Message, sessionBus } from 'dbus-next'
import { expect } from '@playwright/test'

/** A real keyring on a test's own bus, in the home of its environment, with a password made up for it. */
export class Keyring {
  readonly #daemon: ChildProcess

  private constructor(daemon: ChildProcess) {
    this.#daemon = daemon
  }

  /** Done when the keyring answers on the bus; one that is not unlocked has nobody to ask for the password. */
  static async start(environment: Record<string, string>, { isUnlocked = true } = {}): Promise<Keyring> {
    const unlock = isUnlocked ? ['--unlock'] : []
    const daemon = spawn('gnome-keyring-daemon', [...unlock, '--foreground', '--components=secrets'], {
      env: environment,
      stdio: ['pipe', 'ignore', 'ignore'],
    })
    daemon.stdin.end('made-up password')
    const bus = sessionBus({ busAddress: environment['DBUS_SESSION_BUS_ADDRESS'] ?? '' })
    try {
      await expect
        .poll(async () => {
          const answer = await bus.call(
            new Message({
              destination: 'org.freedesktop.DBus',
              path: '/org/freedesktop/DBus',
              interface: 'org.freedesktop.DBus',
              member: 'NameHasOwner',
              signature: 's',
              body: ['org.freedesktop.secrets'],
            }),
          )
          return answer?.body as unknown
        })
        .toEqual([true])
    } finally {
      bus.disconnect()
    }
    return new Keyring(daemon)
  }

  async stop(): Promise<void> {
    if (this.#daemon.exitCode !== null || this.#daemon.signalCode !== null) return
    const ended = once(this.#daemon, 'exit')
    this.#daemon.kill()
    await ended
  }
}
