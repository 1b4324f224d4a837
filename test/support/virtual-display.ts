import { spawn, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import type { Readable } from 'node:stream'

/** An X display without a screen, with a clipboard and a focus that no other app shares. */
export class VirtualDisplay {
  /** As DISPLAY has it. */
  readonly name: string
  readonly #server: ChildProcess

  private constructor(name: string, server: ChildProcess) {
    this.name = name
    this.#server = server
  }

  /**
   * Takes a free number; done when clients are accepted. What is on the screen is written to `Xvfb_screen0` in the folder,
   * as xwd has it.
   */
  static async start(folder?: string): Promise<VirtualDisplay> {
    const screen = ['-screen', '0', '1280x900x24', '-nolisten', 'tcp']
    if (folder !== undefined) screen.push('-fbdir', folder)
    const server = spawn('Xvfb', ['-displayfd', '3', ...screen], { stdio: ['ignore', 'ignore', 'ignore', 'pipe'] })
    const ended = once(server, 'exit').then(([code]) => {
      throw new Error(`Xvfb ended with ${String(code)}`)
    })
    ended.catch(() => undefined)
    let number = ''
    // The number and the end of its line may come apart.
    while (!number.endsWith('\n')) {
      const [part] = (await Promise.race([once(server.stdio[3] as Readable, 'data'), ended])) as [Buffer]
      number += part.toString()
    }
    return new VirtualDisplay(`:${number.trim()}`, server)
  }

  async stop(): Promise<void> {
    if (this.#server.exitCode !== null || this.#server.signalCode !== null) return
    const ended = once(this.#server, 'exit')
    this.#server.kill()
    await ended
  }
}
