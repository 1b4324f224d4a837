/** What the desktop session of a Linux user offers, as far as the start of the app depends on it. */
import type { WindowSystem } from '../../protocol/desktop'

/** Desktops by which Chromium itself finds a keyring, as `XDG_CURRENT_DESKTOP` spells them. */
const knownDesktops = new Set(['cinnamon', 'deepin', 'gnome', 'kde', 'pantheon', 'ukui', 'unity', 'x-cinnamon', 'xfce'])

/**
 * What to give Chromium as `--password-store` on Linux, or `undefined` to leave the choice to it. On a desktop it does
 * not know it takes a fixed, public key although a keyring may well be running (Sway and i3 with gnome-keyring, or
 * KeePassXC), so there the Secret Service is named. Without a session bus nothing could answer.
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

/** Where the session bus of this desktop is. */
export function sessionBusAddress(env: Readonly<Record<string, string | undefined>>): string {
  return env['DBUS_SESSION_BUS_ADDRESS'] ?? `unix:path=${env['XDG_RUNTIME_DIR'] ?? ''}/bus`
}

interface WaylandOptions {
  platform: NodeJS.Platform
  env: Readonly<Record<string, string | undefined>>
  /** `--ozone-platform`, or an empty text. */
  ozonePlatform: string
  /** `--ozone-platform-hint`, or an empty text. */
  ozoneHint: string
  electronMajor: number
  /** Present where the command line names a window system, with what the settings ask for. */
  named?: { wantsXWayland: boolean }
}

/** What the app can do with its windows as it was started. */
export function windowSystem(options: WaylandOptions): WindowSystem {
  const { platform, env, named } = options
  const isOnWayland = isWayland(options)
  const hasBoth = platform === 'linux' && (env['WAYLAND_DISPLAY'] ?? '') !== '' && (env['DISPLAY'] ?? '') !== ''
  if (!hasBoth) return { placesWindows: !isOnWayland }
  // The app names one too when it starts itself again, and then the one that the settings ask for.
  if (named?.wantsXWayland === isOnWayland) {
    return { placesWindows: !isOnWayland, xwayland: 'overridden' }
  }
  return { placesWindows: !isOnWayland, xwayland: isOnWayland ? 'offered' : 'used' }
}

/**
 * Whether Chromium shows the app under Wayland, where the compositor alone places windows and stacks them. Since Electron
 * 38 it does wherever the session is one of Wayland's; before, only where it was asked to.
 */
function isWayland(options: WaylandOptions): boolean {
  const { platform, env, ozonePlatform, ozoneHint, electronMajor } = options
  if (platform !== 'linux') return false
  const wanted = ozonePlatform || ozoneHint || (electronMajor >= 38 ? 'auto' : 'x11')
  if (wanted !== 'auto') return wanted === 'wayland'
  return env['XDG_SESSION_TYPE'] === 'wayland' && (env['WAYLAND_DISPLAY'] ?? '') !== ''
}

/**
 * Whether a server of this computer listens for the display that `DISPLAY` names, from `/proc/net/unix`. A file of the
 * socket's name may be left over from a session that has ended.
 */
export function listensOnX(display: string, unixSockets: string): boolean {
  const [, number] = /^(?:unix)?:(\d+)(?:\.\d+)?$/.exec(display) ?? []
  if (number === undefined) return false
  return unixSockets.split('\n').some((line) => {
    // Flags, with `__SO_ACCEPTCON` where somebody listens, and the name; without a file it begins with an @.
    const [, , , flags = '', , , , name = ''] = line.trim().split(/ +/)
    return (Number.parseInt(flags, 16) & 0x1_00_00) !== 0 && /^@?\/tmp\/\.X11-unix\/X(\d+)$/.exec(name)?.[1] === number
  })
}

/** With fewer Chromium ends by a fault, within seconds or at the next window. */
export const minOpenFiles = 256

/** How many files a process may have open at once, from its `/proc/self/limits`; what sets no limit is `Infinity`. */
export function maxOpenFiles(limits: string): number {
  const [, soft] = /^Max open files +(\d+)/m.exec(limits) ?? []
  return soft === undefined ? Infinity : Number(soft)
}
