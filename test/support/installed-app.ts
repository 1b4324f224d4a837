import { execFile, type ChildProcessWithoutNullStreams } from 'node:child_process'
import { once } from 'node:events'
import { chmod, mkdir, mkdtemp, readFile, readdir, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { expect } from '@playwright/test'
import type { DesktopParts } from './app-bench'
import { DBusSession } from './dbus-session'
import { DesktopPeer } from './desktop-peer'
import { VirtualDisplay } from './virtual-display'

const run = promisify(execFile)

/** A display and a bus that every user may use, for packaged apps. Windows are inspected from outside. */
export class OpenDesktop {
  readonly folder: string
  readonly peer: DesktopPeer
  readonly #bus: DBusSession
  readonly #display: VirtualDisplay

  private constructor(folder: string, bus: DBusSession, peer: DesktopPeer, display: VirtualDisplay) {
    this.folder = folder
    this.#bus = bus
    this.peer = peer
    this.#display = display
  }

  /** Creates a desktop whose given parts are played by the peer. Real ones may replace the others. */
  static async create(parts: DesktopParts = {}): Promise<OpenDesktop> {
    const folder = await mkdtemp(join(tmpdir(), 'indexwatch-desktop-'))
    await chmod(folder, 0o777)
    const [bus, display] = await Promise.all([DBusSession.start(folder), VirtualDisplay.start({ folder })])
    await chmod(join(folder, 'bus'), 0o777)
    await mkdir(join(folder, 'home'))
    await chmod(join(folder, 'home'), 0o777)
    return new OpenDesktop(folder, bus, await DesktopPeer.start(bus.address, parts), display)
  }

  get variables(): Record<string, string> {
    return { DISPLAY: this.#display.name, DBUS_SESSION_BUS_ADDRESS: this.#bus.address }
  }

  /** The variables for programs on this desktop, with a home of their own. */
  get environment(): Record<string, string> {
    const { PATH = '' } = process.env
    const home = join(this.folder, 'home')
    return { PATH, LANG: 'C.UTF-8', HOME: home, XDG_CONFIG_HOME: join(home, '.config'), ...this.variables }
  }

  /** Waits until a window with this name is on the screen. */
  async window(name: string): Promise<void> {
    await expect.poll(() => this.#windows(), { timeout: 60_000 }).toContain(`"${name}"`)
  }

  /** Waits until the screen has more colours than an empty background, which means that text is painted. */
  async painted(): Promise<void> {
    await expect.poll(() => this.#colours(), { timeout: 60_000 }).toBeGreaterThan(100)
  }

  /** Presses a key in the window with this name. */
  async press(name: string, key: string): Promise<void> {
    const env = { ...process.env, ...this.variables }
    const { stdout } = await run('xdotool', ['search', '--onlyvisible', '--name', `^${name}$`], { env })
    const id = stdout.trim().split('\n').at(-1) ?? ''
    // Waiting for the focus would need a window manager.
    await run('xdotool', ['windowfocus', id, 'key', '--window', id, key], { env })
  }

  /** Whether a window with this name is on the screen. */
  async hasWindow(name: string): Promise<boolean> {
    return (await this.#windows()).includes(`"${name}"`)
  }

  /** Clicks at a position on the screen. 1 is the left button, 3 the right one. */
  async click(x: number, y: number, button: 1 | 3 = 1): Promise<void> {
    const env = { ...process.env, ...this.variables }
    await run('xdotool', ['mousemove', String(x), String(y), 'click', String(button)], { env })
  }

  /** Presses keys in the focused window. */
  async type(...keys: string[]): Promise<void> {
    await run('xdotool', ['key', ...keys], { env: { ...process.env, ...this.variables } })
  }

  async stop(): Promise<void> {
    this.peer.stop()
    await Promise.all([this.#bus.stop(), this.#display.stop()])
    await rm(this.folder, { recursive: true, force: true })
  }

  async #windows(): Promise<string> {
    const { stdout } = await run('xwininfo', ['-root', '-tree'], { env: { ...process.env, ...this.variables } })
    return stdout
  }

  async #colours(): Promise<number> {
    const file = await readFile(join(this.folder, 'Xvfb_screen0'))
    // The header of the xwd format. Its length comes first, and byte 76 has the number of colour map entries.
    const pixelsAt = file.readUInt32BE(0) + 12 * file.readUInt32BE(76)
    const seen = new Set<number>()
    for (let at = pixelsAt; at + 4 <= file.length; at += 4) seen.add(file.readUInt32LE(at))
    return seen.size
  }
}

/** Returns a function that gives the program's output so far. */
export function outputOf(child: ChildProcessWithoutNullStreams): () => string {
  let said = ''
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (data: Buffer) => (said += data.toString()))
  return () => said
}

/** Terminates a program and waits for it. Returns its exit code. */
export async function ended(child: ChildProcessWithoutNullStreams): Promise<number | null> {
  if (child.exitCode !== null || child.signalCode !== null) return child.exitCode
  const [code] = (await once(child, 'exit')) as [number | null]
  return code
}

/** A process and its descendants, with their command lines. */
export async function family(pid: number): Promise<Map<number, string>> {
  const parents = new Map<number, number>()
  for (const name of await readdir('/proc')) {
    const text = await readFile(`/proc/${name}/stat`, 'utf8').catch(() => '')
    const parent = /^.*\) \S+ (\d+)/s.exec(text)?.[1]
    if (/^\d+$/.test(name) && parent !== undefined) parents.set(Number(name), Number(parent))
  }
  const found = new Map<number, string>()
  const add = async (id: number) => {
    found.set(id, (await readFile(`/proc/${id}/cmdline`, 'utf8').catch(() => '')).replaceAll('\0', ' ').trim())
    for (const [child, parent] of parents) if (parent === id) await add(child)
  }
  await add(pid)
  return found
}

/** TCP ports on which these processes listen, as `address:port` in the kernel's notation. */
export async function listening(pids: Iterable<number>): Promise<string[]> {
  const sockets = new Set<string>()
  for (const pid of pids) {
    const folder = `/proc/${pid}/fd`
    for (const name of await readdir(folder).catch(() => [])) {
      const { stdout } = await run('readlink', [join(folder, name)]).catch(() => ({ stdout: '' }))
      const inode = /^socket:\[(\d+)\]/.exec(stdout)?.[1]
      if (inode !== undefined) sockets.add(inode)
    }
  }
  const found: string[] = []
  for (const table of ['tcp', 'tcp6', 'udp', 'udp6']) {
    for (const line of (await readFile(`/proc/net/${table}`, 'utf8')).split('\n').slice(1)) {
      const [, local = '', , state, , , , , , inode = ''] = line.trim().split(/\s+/)
      const isOpen = table.startsWith('udp') ? state === '07' : state === '0A'
      if (isOpen && sockets.has(inode)) found.push(`${table} ${local}`)
    }
  }
  return found
}
