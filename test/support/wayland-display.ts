import { execFile, spawn, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { existsSync } from 'node:fs'
import { copyFile, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { setTimeout as sleep } from 'node:timers/promises'
import { VirtualDisplay } from './virtual-display'

const socket = 'wayland-test'
const startWithinMs = 60_000

/**
 * Weston with one window that fills the screen. INDEXWATCH_COMPOSITOR=mutter selects GNOME's compositor, if installed.
 */
const compositors = {
  weston: {
    command: 'weston',
    args: [
      ...['--backend=x11-backend.so', '--width=1280', '--height=900', '--idle-time=0'],
      ...[`--socket=${socket}`, '--shell=kiosk-shell.so'],
    ],
    variables: {},
  },
  mutter: {
    command: 'mutter',
    args: ['--nested', '--wayland', `--wayland-display=${socket}`],
    variables: { MUTTER_DEBUG_DUMMY_MODE_SPECS: '1280x900' },
  },
} as const

/** A Wayland compositor with one screen, nested in an X display from which the screen is read. */
export class WaylandDisplay {
  readonly #folder: string
  readonly #display: VirtualDisplay
  readonly #compositor: ChildProcess

  private constructor(folder: string, display: VirtualDisplay, compositor: ChildProcess) {
    this.#folder = folder
    this.#display = display
    this.#compositor = compositor
  }

  /** Starts the compositor with these variables, which include a folder for sockets. Writes its screen to `folder`. */
  static async start(
    environment: Record<string, string>,
    folder: string,
    kind: keyof typeof compositors = process.env['INDEXWATCH_COMPOSITOR'] === 'mutter' ? 'mutter' : 'weston',
  ): Promise<WaylandDisplay> {
    const display = await VirtualDisplay.start({ folder })
    const { command, args, variables } = compositors[kind]
    const compositor = spawn(command, args, {
      env: { ...environment, ...variables, DISPLAY: display.name },
      stdio: 'ignore',
    })
    await once(compositor, 'spawn')
    const wayland = new WaylandDisplay(folder, display, compositor)
    for (const startedAt = performance.now(); performance.now() - startedAt < startWithinMs;) {
      if (existsSync(join(environment['XDG_RUNTIME_DIR'] ?? '', socket))) return wayland
      await sleep(50)
    }
    await wayland.stop()
    throw new Error(`${kind} did not come up`)
  }

  /** The variables for apps on this display. */
  readonly variables = { WAYLAND_DISPLAY: socket, XDG_SESSION_TYPE: 'wayland' }

  /**
   * Number of bright colours in the upper third of the screen: one or two while nothing is painted, about a hundred
   * with text. The desktop's background is dark and the pointer is elsewhere.
   */
  async colours(): Promise<number> {
    const file = await readFile(join(this.#folder, 'Xvfb_screen0'))
    // The header of the xwd format. Its length comes first, and byte 76 has the number of colour map entries.
    const pixelsAt = file.readUInt32BE(0) + 12 * file.readUInt32BE(76)
    const seen = new Set<number>()
    for (let at = pixelsAt + 1280 * 32 * 4; at < pixelsAt + 1280 * 300 * 4; at += 4) {
      const colour = file.readUInt32LE(at)
      if (((colour >> 16) & 0xff) > 0x80) seen.add(colour)
    }
    return seen.size
  }

  /** Saves the screen in xwd format. */
  async keepPicture(path: string): Promise<void> {
    await copyFile(join(this.#folder, 'Xvfb_screen0'), path)
  }

  /** Saves the screen as a picture. Needs ImageMagick. */
  async picture(path: string): Promise<void> {
    await promisify(execFile)('convert', [`xwd:${join(this.#folder, 'Xvfb_screen0')}`, path])
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
