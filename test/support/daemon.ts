import { spawn, type ChildProcess, type StdioOptions } from 'node:child_process'
import { once } from 'node:events'
import type { Readable } from 'node:stream'

/** A program that serves tests until it is stopped. It prints a line when it is ready. */
export class Daemon {
  readonly #child: ChildProcess
  readonly #name: string

  constructor(name: string, args: readonly string[], stdio: StdioOptions) {
    this.#name = name
    this.#child = spawn(name, args, { stdio })
  }

  /**
   * The first line that the program writes to this file descriptor, 1 being standard output.
   * @throws {Error} if the program ends first or cannot be started
   */
  async firstLine(file: number): Promise<string> {
    const output = this.#child.stdio[file] as Readable
    const ended = once(this.#child, 'exit').then(([code]) => {
      throw new Error(`${this.#name} ended with ${String(code)}`)
    })
    ended.catch(() => undefined)
    let line = ''
    // A line and its line break may arrive separately.
    while (!line.endsWith('\n')) {
      const [part] = (await Promise.race([once(output, 'data'), ended])) as [Buffer]
      line += part.toString()
    }
    return line.trim()
  }

  /** Resolves when the program has ended. */
  async stop(): Promise<void> {
    if (this.#child.exitCode !== null || this.#child.signalCode !== null) return
    const ended = once(this.#child, 'exit')
    this.#child.kill()
    await ended
  }
}
