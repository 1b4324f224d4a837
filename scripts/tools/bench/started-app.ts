import { spawn, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { createRequire } from 'node:module'
import { join } from 'node:path'
import { createInterface, type Interface } from 'node:readline'
import { processTree } from '../../../test/support/process-memory'
import type { AppBench } from '../../../test/support/app-bench'
import { readLine, type Shown } from './part-protocol'
import { cpuOfUs, pssBytes, spentBy, type Spent } from './processes'

export const projectRoot = join(import.meta.dirname, '..', '..', '..')
/** The package's export in Node, which its types lack. */
export const electronPath = createRequire(import.meta.url)('electron') as string
const quitMs = 15_000
/** Without a system bus Chromium logs many errors. */
export const switches = [...(process.getuid?.() === 0 ? ['--no-sandbox'] : []), '--log-level=3']

/** An app in Electron, started as by its user: the built app or a blank one. */
export class StartedApp {
  /** Milliseconds from the start until the window was ready to show. */
  readonly readyMs: Promise<number>
  readonly paintMs: Promise<number>
  /** What its page has shown so far, if started with the probe. */
  readonly shown: Shown[] = []
  readonly #child: ChildProcess
  readonly #lines: Interface

  constructor(bench: AppBench, args: readonly string[], variables: Record<string, string>) {
    const hook = ['-r', join(projectRoot, 'scripts', 'tools', 'bench', 'start-hook.cjs')]
    const all = [...hook, ...switches, ...args]
    const startedAtMs = Date.now()
    const child = spawn(electronPath, all, {
      cwd: projectRoot,
      env: { ...bench.environment(), ...variables },
      stdio: ['pipe', 'pipe', 'pipe'],
    })
    this.#child = child
    let errors = ''
    child.stderr.setEncoding('utf8').on('data', (text: string) => (errors = (errors + text).slice(-2_000)))
    const lines = createInterface(child.stdout)
    this.#lines = lines
    lines.on('line', (text) => {
      const line = readLine(text)
      if (line !== undefined && 'shown' in line) this.shown.push(line.shown)
    })
    const timeOf = (what: 'ready' | 'paint') =>
      new Promise<number>((found, failed) => {
        lines.on('line', (text) => {
          const line = readLine(text)
          const atMs = line !== undefined && what in line ? (line as Record<typeof what, number>)[what] : undefined
          if (atMs !== undefined) found(atMs - startedAtMs)
        })
        child.once('exit', (code) =>
          failed(new Error(`the app ended with ${String(code)} before its window was there:\n${errors}`)),
        )
      })
    this.readyMs = timeOf('ready')
    this.paintMs = timeOf('paint')
    // In the tray there is no window to wait for.
    this.readyMs.catch(() => undefined)
    this.paintMs.catch(() => undefined)
  }

  /** Memory of all its processes. */
  async pssMb(): Promise<number> {
    return this.#sum((pid) => pssBytes(pid) / 1e6)
  }

  /** CPU used by its processes so far. */
  async cpuUs(): Promise<number> {
    return this.#sum(cpuOfUs)
  }

  /** CPU use and wake-ups of its processes so far. */
  async spent(): Promise<Spent> {
    return spentBy(await this.#processes())
  }

  /** The text of each row, read by page-probe.cjs. Undefined if the page was busy for longer than `timeoutMs`. */
  sweep(timeoutMs: number): Promise<Record<string, string> | undefined> {
    return new Promise((found) => {
      const read = (text: string) => {
        const line = readLine(text)
        if (line !== undefined && 'swept' in line) end(line.swept)
      }
      const end = (swept?: Record<string, string>) => {
        this.#lines.off('line', read)
        clearTimeout(timer)
        found(swept)
      }
      const timer = setTimeout(end, timeoutMs)
      this.#lines.on('line', read)
      this.#child.stdin?.write('sweep\n')
    })
  }

  /** The turns of the main loop since the previous call: their times and delays in ms. Needs `hasTimedLoop`. */
  turns(): Promise<[atMs: number, lateMs: number][]> {
    return new Promise((found) => {
      const read = (text: string) => {
        const line = readLine(text)
        if (line === undefined || !('turns' in line)) return
        this.#lines.off('line', read)
        found(line.turns)
      }
      this.#lines.on('line', read)
      this.#child.stdin?.write('turns\n')
    })
  }

  async quit(): Promise<void> {
    if (this.#child.exitCode !== null || this.#child.signalCode !== null) return
    const ended = once(this.#child, 'exit')
    this.#child.kill()
    // An app with a backlog of messages would handle the signal only minutes later.
    const killing = setTimeout(() => this.#child.kill('SIGKILL'), quitMs)
    await ended
    clearTimeout(killing)
  }

  async #sum(of: (pid: number) => number): Promise<number> {
    const sum = (await this.#processes()).reduce((all, each) => all + of(each), 0)
    if (sum === 0) throw new Error('nothing was counted of the app')
    return sum
  }

  async #processes(): Promise<number[]> {
    const { pid } = this.#child
    if (pid === undefined || this.#child.exitCode !== null) throw new Error('the app has ended')
    return processTree(pid)
  }
}
