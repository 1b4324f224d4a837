import { spawn, type ChildProcess, type StdioOptions } from 'node:child_process'
import { once } from 'node:events'
import type { Readable } from 'node:stream'

/** A program that serves tests until it is stopped, and says in a line when it is there. */
export class Daemon {
  readonly #child: ChildProcess
  readonly #name: string

  constructor(name: string, args: readonly string[], stdio: StdioOptions) {
    this.#name = name
    this.#child = spawn(name, args, { stdio })
  }

  /**
   * The first line of what it writes to this one of its files, 1 for its output.
   * @throws {Error} when it ends before, or cannot be started
   */
  async firstLine(file: number): Promise<string> {
    const output = this.#child.stdio[file] as Readable
    const ended = once(this.#child, 'exit').then(([code]) => {
      throw new Error(`${this.#name} ended with ${String(code)}`)
    })
    ended.catch(() => undefined)
    let line = ''
    // A line and its end may come apart.
    while (!line.endsWith('\n')) {
      const [part] = (await Promise.race([once(output, 'data'), ended])) as [Buffer]
      line += part.toString()
    }
    return line.trim()
  }

  /** Done when it has ended. */
  async stop(): Promise<void> {
    if (this.#child.exitCode !== null || this.#child.signalCode !== null) return
    const ended = once(this.#child, 'exit')
    this.#child.kill()
    await ended
  }
}
