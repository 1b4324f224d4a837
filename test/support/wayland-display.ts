import { spawn, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { existsSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { VirtualDisplay } from './virtual-display'

const socket = 'wayland-test'
const startWithinMs = 10_000

/** A Wayland compositor whose only screen is filled by the app; what it shows is read from the display it draws on. */
export class WaylandDisplay {
  readonly #folder: string
  readonly #display: VirtualDisplay
  readonly #compositor: ChildProcess

  private constructor(folder: string, display: VirtualDisplay, compositor: ChildProcess) {
    this.#folder = folder
    this.#display = display
    this.#compositor = compositor
  }

  /** Starts it with these variables, among them a folder for sockets; what is on its screen lies in `folder`. */
  static async start(environment: Record<string, string>, folder: string): Promise<WaylandDisplay> {
    const display = await VirtualDisplay.start(folder)
    const args = ['--backend=x11-backend.so', '--width=1280', '--height=900', '--idle-time=0', `--socket=${socket}`]
    const compositor = spawn('weston', [...args, '--shell=kiosk-shell.so'], {
      env: { ...environment, DISPLAY: display.name },
      stdio: 'ignore',
    })
    await once(compositor, 'spawn')
    const wayland = new WaylandDisplay(folder, display, compositor)
    for (const startedAt = performance.now(); performance.now() - startedAt < startWithinMs;) {
      if (existsSync(join(environment['XDG_RUNTIME_DIR'] ?? '', socket))) return wayland
      await sleep(50)
    }
    await wayland.stop()
    throw new Error('weston did not come up')
  }

  /** What an app needs to find it. */
  readonly variables = { WAYLAND_DISPLAY: socket, XDG_SESSION_TYPE: 'wayland' }

  /** How many colours its upper third has: one while nothing is painted, a hundred with text. The pointer is below it. */
  async colours(): Promise<number> {
    const file = await readFile(join(this.#folder, 'Xvfb_screen0'))
    // The header of the xwd format: its own length first, the number of entries of its colour map at byte 76.
    const pixelsAt = file.readUInt32BE(0) + 12 * file.readUInt32BE(76)
    const seen = new Set<number>()
    for (let at = pixelsAt; at < pixelsAt + 1280 * 300 * 4; at += 4) seen.add(file.readUInt32LE(at))
    return seen.size
  }

  async stop(): Promise<void> {
    const isOver = this.#compositor.exitCode !== null || this.#compositor.signalCode !== null
    if (!isOver) {
      const ended = once(this.#compositor, 'exit')
      this.#compositor.kill()
      await ended
    }
    await this.#display.stop()
  }
}
