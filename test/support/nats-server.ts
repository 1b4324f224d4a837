import { spawn, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { cpSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { connect, createServer, type AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { freeLoopbackPort } from '../../main/access/loopback-server'

interface Options {
  /** The rest of its configuration. */
  configuration?: string
  hasJetStream?: boolean
  port?: number
  /** Of the other nodes of a cluster, and of this one. */
  routes?: { own: number; all: readonly number[] }
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

  static async start({ configuration = '', hasJetStream = true, routes, ...given }: Options = {}): Promise<NatsServer> {
    const port = given.port ?? (await freeLoopbackPort())
    if (port === undefined) throw new Error('no port is free')
    const folder = mkdtempSync(join(tmpdir(), 'indexwatch-nats-'))
    const store = hasJetStream ? `jetstream { store_dir: "${join(folder, 'jetstream')}" }` : ''
    const cluster = routes === undefined ? '' : clusterOf(port, routes)
    writeFileSync(join(folder, 'nats.conf'), `listen: "127.0.0.1:${port}"\n${store}\n${cluster}\n${configuration}\n`)
    const server = new NatsServer(port, folder)
    await server.begin()
    return server
  }

  /** Three nodes that replicate. */
  static async startCluster(): Promise<NatsServer[]> {
    const holders = Array.from({ length: 6 }, () => createServer().listen(0, '127.0.0.1'))
    await Promise.all(holders.map((holder) => once(holder, 'listening')))
    const ports = holders.map((holder) => (holder.address() as AddressInfo).port)
    for (const holder of holders) holder.close()
    const all = ports.slice(3)
    // A cluster needs an account of its own beside that of the desk.
    const configuration =
      'accounts { D { jetstream: enabled, users: [{ user: d, password: d }] }, SYS {} }\nsystem_account: SYS'
    const started = ports.slice(0, 3).map((port, at) => {
      return NatsServer.start({ configuration, port, routes: { own: all[at] ?? 0, all } })
    })
    return Promise.all(started)
  }

  /** Starts it, also again with the same data. */
  async begin(): Promise<void> {
    this.#process = spawn('nats-server', ['-c', join(this.#folder, 'nats.conf'), '-l', join(this.#folder, 'log')], {
      env: { ...process.env, PATH: path },
      stdio: 'ignore',
    })
    const ended = once(this.#process, 'exit').then(() => {
      throw new Error('nats-server did not start')
    })
    await Promise.race([answers(this.port), ended])
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

  /** Its data as they are now. Returns the function that brings them back, while it is stopped. */
  keepData(): () => void {
    const [data, copy] = ['jetstream', 'copy'].map((name) => join(this.#folder, name)) as [string, string]
    cpSync(data, copy, { recursive: true })
    return () => {
      rmSync(data, { recursive: true })
      cpSync(copy, data, { recursive: true })
    }
  }

  /** Stops it and deletes its data. */
  async dispose(): Promise<void> {
    await this.stop()
    rmSync(this.#folder, { recursive: true, force: true })
  }
}

/** A node is named after its port. */
function clusterOf(port: number, { own, all }: { own: number; all: readonly number[] }): string {
  const routes = all.map((each) => `"nats://127.0.0.1:${each}"`).join(', ')
  return `server_name: "n${port}"\ncluster { name: "desk", listen: "127.0.0.1:${own}", routes: [${routes}] }`
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
