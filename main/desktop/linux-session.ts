/** Properties of a Linux session on which the start of the app depends. */
import { defaultWindowSystem } from '../base/electron-versions'
import type { WindowSystem } from '../../protocol/desktop'

/** Desktops on which Chromium finds a keyring itself, as in `XDG_CURRENT_DESKTOP`. */
const knownDesktops = new Set(['cinnamon', 'deepin', 'gnome', 'kde', 'pantheon', 'ukui', 'unity', 'x-cinnamon', 'xfce'])

/**
 * The value for Chromium's `--password-store` on Linux. Undefined leaves the choice to Chromium. On an unknown desktop
 * Chromium uses a fixed public key even if a keyring is running (Sway or i3 with gnome-keyring, or KeePassXC), so the
 * Secret Service is named. That needs a session bus.
 */
export function passwordStore(options: {
  platform: NodeJS.Platform
  currentDesktop: string | undefined
  hasSwitch: boolean
  hasSessionBus: boolean
}): 'gnome-libsecret' | undefined {
  const { platform, currentDesktop = '', hasSwitch, hasSessionBus } = options
  if (platform !== 'linux' || hasSwitch || !hasSessionBus) return undefined
  const desktops = currentDesktop.toLowerCase().split(':')
  return desktops.some((name) => knownDesktops.has(name)) ? undefined : 'gnome-libsecret'
}

/** Address of this session's bus. */
export function sessionBusAddress(env: Readonly<Record<string, string | undefined>>): string {
  return env['DBUS_SESSION_BUS_ADDRESS'] ?? `unix:path=${env['XDG_RUNTIME_DIR'] ?? ''}/bus`
}

interface WaylandOptions {
  platform: NodeJS.Platform
  env: Readonly<Record<string, string | undefined>>
  /** Value of `--ozone-platform`, or empty. */
  ozonePlatform: string
  /** Value of `--ozone-platform-hint`, or empty. */
  ozoneHint: string
  electronMajor: number
  /** Set if the command line chooses a window system, with the user's setting. */
  named?: { wantsXWayland: boolean }
}

/** How this start of the app can use windows. */
export function windowSystem(options: WaylandOptions): WindowSystem {
  const { platform, env, named } = options
  const isOnWayland = isWayland(options)
  const hasBoth = platform === 'linux' && (env['WAYLAND_DISPLAY'] ?? '') !== '' && (env['DISPLAY'] ?? '') !== ''
  if (!hasBoth) return { placesWindows: !isOnWayland }
  // A restarted app has the window system of the settings in its arguments too.
  if (named?.wantsXWayland === isOnWayland) {
    return { placesWindows: !isOnWayland, xwayland: 'overridden' }
  }
  return { placesWindows: !isOnWayland, xwayland: isOnWayland ? 'offered' : 'used' }
}

/** True if Chromium uses Wayland, where only the compositor places and stacks windows. */
function isWayland(options: WaylandOptions): boolean {
  const { platform, env, ozonePlatform, ozoneHint, electronMajor } = options
  if (platform !== 'linux') return false
  const wanted = ozonePlatform || ozoneHint || defaultWindowSystem(electronMajor)
  if (wanted !== 'auto') return wanted === 'wayland'
  return env['XDG_SESSION_TYPE'] === 'wayland' && (env['WAYLAND_DISPLAY'] ?? '') !== ''
}

/**
 * True if a local server listens on the display in `DISPLAY`, according to `/proc/net/unix`. The file of a socket may
 * be left over from an ended session.
 */
export function listensOnX(display: string, unixSockets: string): boolean {
  const [, number] = /^(?:unix)?:(\d+)(?:\.\d+)?$/.exec(display) ?? []
  if (number === undefined) return false
  return unixSockets.split('\n').some((line) => {
    // Flags (`__SO_ACCEPTCON` if a server listens) and the socket's name, which begins with @ if it has no file.
    const [, , , flags = '', , , , name = ''] = line.trim().split(/ +/)
    return (Number.parseInt(flags, 16) & 0x1_00_00) !== 0 && /^@?\/tmp\/\.X11-unix\/X(\d+)$/.exec(name)?.[1] === number
  })
}

/** With fewer, Chromium crashes within seconds or at the next window. */
export const minOpenFiles = 256

/** The limit of open files of a process, from its `/proc/self/limits`. `Infinity` if there is none. */
export function maxOpenFiles(limits: string): number {
  const [, soft] = /^Max open files +(\d+)/m.exec(limits) ?? []
  return soft === undefined ? Infinity : Number(soft)
}
