import { spawn, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { connect } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { freeLoopbackPort } from '../../main/access/loopback-server'

interface Options {
  /** The rest of its configuration. */
  configuration?: string
  hasJetStream?: boolean
}

/** Debian installs it where users do not look for programs. */
const path = `${process.env['PATH'] ?? ''}:/usr/sbin`

/** A real NATS server on this computer, with its data in a temporary folder. */
export class NatsServer {
  readonly address: string
  readonly port: number
  readonly #folder: string
  #process: ChildProcess | undefined

  private constructor(port: number, folder: string) {
    this.port = port
    this.#folder = folder
    this.address = `nats://127.0.0.1:${port}`
  }

  static async start({ configuration = '', hasJetStream = true }: Options = {}): Promise<NatsServer> {
    const port = await freeLoopbackPort()
    if (port === undefined) throw new Error('no port is free')
    const folder = mkdtempSync(join(tmpdir(), 'indexwatch-nats-'))
    const store = hasJetStream ? `jetstream { store_dir: "${join(folder, 'jetstream')}" }` : ''
    writeFileSync(join(folder, 'nats.conf'), `listen: "127.0.0.1:${port}"\n${store}\n${configuration}\n`)
    const server = new NatsServer(port, folder)
    await server.begin()
    return server
  }

  /** Starts it, also again with the same data. */
  async begin(): Promise<void> {
    this.#process = spawn('nats-server', ['-c', join(this.#folder, 'nats.conf'), '-l', join(this.#folder, 'log')], {
      env: { ...process.env, PATH: path },
      stdio: 'ignore',
    })
    const failed = once(this.#process, 'error').then(([error]: unknown[]) => {
      throw error
    })
    await Promise.race([answers(this.port), failed])
  }

  signal(signal: NodeJS.Signals): void {
    this.#process?.kill(signal)
  }

  async stop(signal: NodeJS.Signals = 'SIGKILL'): Promise<void> {
    const child = this.#process
    if (child === undefined || child.exitCode !== null || child.signalCode !== null) return
    const ended = once(child, 'exit')
    child.kill('SIGCONT')
    child.kill(signal)
    await ended
  }

  /** Stops it and deletes its data. */
  async dispose(): Promise<void> {
    await this.stop()
    rmSync(this.#folder, { recursive: true, force: true })
  }
}

/** Resolves when something answers at the port with the greeting of a server. */
async function answers(port: number): Promise<void> {
  for (;;) {
    const socket = connect(port, '127.0.0.1')
    const isThere = await new Promise<boolean>((resolve) => {
      socket.once('data', () => resolve(true))
      socket.once('error', () => resolve(false))
    })
    socket.destroy()
    if (isThere) return
    await new Promise((resolve) => setTimeout(resolve, 20))
  }
}
