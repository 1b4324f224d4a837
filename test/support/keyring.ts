import { execFile, spawn, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { Message, sessionBus, type MessageBus } from 'dbus-next'
import { expect } from '@playwright/test'

type Environment = Record<string, string>

const serviceName = 'org.freedesktop.secrets'
const password = 'made-up password'
const prompter = 'org.gnome.keyring.SystemPrompter'

/** A real keyring on a test's own bus, in the home of its environment, with a made-up password. */
export class Keyring {
  readonly #daemon: ChildProcess
  readonly #environment: Environment

  private constructor(daemon: ChildProcess, environment: Environment) {
    this.#daemon = daemon
    this.#environment = environment
  }

  /**
   * Resolves when the keyring answers on the bus. A locked keyring asks for its password in its own window if `asks` is
   * set and there is a display.
   */
  static async start(environment: Environment, { isUnlocked = true, asks = false } = {}): Promise<Keyring> {
    const bus = sessionBus({ busAddress: environment['DBUS_SESSION_BUS_ADDRESS'] ?? '' })
    try {
      if (asks) await letAsk(bus, environment)
      const unlock = isUnlocked ? ['--unlock'] : []
      const daemon = spawn('gnome-keyring-daemon', [...unlock, '--foreground', '--components=secrets'], {
        env: environment,
        stdio: ['pipe', 'ignore', 'ignore'],
      })
      daemon.stdin.end(password)
      await expect.poll(() => askBus(bus, 'NameHasOwner', 's', [serviceName])).toEqual([true])
      return new Keyring(daemon, environment)
    } finally {
      bus.disconnect()
    }
  }

  /** Starts a locked keyring that already exists and asks for its password. */
  static async startLocked(environment: Environment): Promise<Keyring> {
    await (await Keyring.start(environment)).stop()
    return Keyring.start(environment, { isUnlocked: false, asks: true })
  }

  /** Resolves when the password window is open. */
  async expectQuestion(): Promise<void> {
    await expect.poll(() => this.isAsking()).toBe(true)
  }

  /** Whether the password window is open. */
  async isAsking(): Promise<boolean> {
    // xdotool exits with 1 if there is none.
    return this.#xdotool('search', '--onlyvisible', '--class', 'gcr-prompter').then(
      (windows) => windows !== '',
      () => false,
    )
  }

  /** Enters the password as the user. */
  async allow(): Promise<void> {
    await this.expectQuestion()
    await this.#xdotool('type', password)
    await this.#xdotool('key', 'Return')
    await expect.poll(() => this.isAsking()).toBe(false)
  }

  /** Presses Cancel at each question until `isOver`. The app asks once to read and once to store. */
  async refuseUntil(isOver: () => Promise<boolean>): Promise<void> {
    await this.expectQuestion()
    await expect
      .poll(async () => {
        if (await this.isAsking()) await this.#xdotool('key', 'Escape')
        return isOver()
      })
      .toBe(true)
  }

  async stop(): Promise<void> {
    if (this.#daemon.exitCode !== null || this.#daemon.signalCode !== null) return
    const ended = once(this.#daemon, 'exit')
    this.#daemon.kill()
    await ended
  }

  async #xdotool(...args: string[]): Promise<string> {
    return (await promisify(execFile)('xdotool', args, { env: this.#environment })).stdout
  }
}

/** A secret service that receives every request and answers none. Returns a function that ends it. */
export async function startSilentKeyring(environment: Environment): Promise<() => void> {
  const bus = sessionBus({ busAddress: environment['DBUS_SESSION_BUS_ADDRESS'] ?? '' })
  bus.addMethodHandler(() => true)
  await bus.requestName(serviceName, 0)
  return () => bus.disconnect()
}

/** Lets the bus start the password window on the display of this environment when a keyring calls it. */
async function letAsk(bus: MessageBus, environment: Environment): Promise<void> {
  const variables = Object.entries(environment).map(([name, value]) => `${name}=${value}`)
  const command = ['/usr/bin/env', ...variables, '/usr/libexec/gcr-prompter'].join(' ')
  await writeFile(
    join(environment['HOME'] ?? '', 'services', `${prompter}.service`),
    `[D-BUS Service]\nName=${prompter}\nExec=${command}\n`,
  )
  await askBus(bus, 'ReloadConfig', '', [])
}

async function askBus(bus: MessageBus, member: string, signature: string, body: unknown[]): Promise<unknown> {
  const destination = 'org.freedesktop.DBus'
  const path = '/org/freedesktop/DBus'
  const answer = await bus.call(new Message({ destination, path, interface: destination, member, signature, body }))
  return answer?.body
}
