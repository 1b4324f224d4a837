/** What Linux needs before the app starts. */
import { spawnSync } from 'node:child_process'
import { accessSync, constants, existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { app } from 'electron'
import { environmentWithoutSessionBus, environmentWithSessionBus, isWithoutSessionBus } from '../base/session-bus'
import type { Log } from '../base/log'
import type { WindowSystem } from '../../protocol/desktop'
import { isWatch, namesWindowSystem } from './launch-options'
import { listensOnX, maxOpenFiles, minOpenFiles, passwordStore, windowSystem } from './linux-session'

export function hasDisplay(): boolean {
  return process.platform !== 'linux' || Boolean(process.env['DISPLAY'] ?? process.env['WAYLAND_DISPLAY'])
}

function hasSessionBus(): boolean {
  const { XDG_RUNTIME_DIR: runtimeFolder, DBUS_SESSION_BUS_ADDRESS: address = '' } = environmentWithSessionBus()
  const isNamed = address !== ''
  return isNamed || (runtimeFolder !== undefined && existsSync(join(runtimeFolder, 'bus')))
}

/** Chromium uses this folder for shared memory unless told otherwise. */
function canShareMemory(): boolean {
  try {
    accessSync('/dev/shm', constants.W_OK | constants.X_OK)
    return true
  } catch {
    return false
  }
}

/** Adds the Chromium switches that depend on this system. */
export function addLinuxSwitches(): void {
  // Some containers and chroots have no `/dev/shm`. Chromium would crash.
  if (process.platform === 'linux' && !canShareMemory()) app.commandLine.appendSwitch('disable-dev-shm-usage')
  const store = passwordStore({
    platform: process.platform,
    currentDesktop: process.env['XDG_CURRENT_DESKTOP'],
    hasSwitch: app.commandLine.hasSwitch('password-store'),
    hasSessionBus: hasSessionBus(),
  })
  if (store !== undefined) app.commandLine.appendSwitch('password-store', store)
}

/**
 * Restarts a watch on Linux without a display and a session bus, and ends with it. Chromium looks for both before our
 * code runs. It exits without a display, and when the session bus ends.
 */
export function watchWithoutDisplay(): boolean {
  if (process.platform !== 'linux' || !isWatch(process.argv) || app.commandLine.hasSwitch('ozone-platform'))
    return false
  const [, ...args] = process.argv
  const env = environmentWithoutSessionBus()
  const { status } = spawnSync(process.execPath, ['--ozone-platform=headless', ...args], { stdio: 'inherit', env })
  app.exit(status ?? 1)
  return true
}

/** Why the limit of open files is too low. Undefined if it is not. */
export function openFilesProblem(): string | undefined {
  if (process.platform !== 'linux') return undefined
  const maxFiles = maxOpenFiles(readFileSync('/proc/self/limits', 'utf8'))
  if (maxFiles >= minOpenFiles) return undefined
  return `the limit of open files is ${maxFiles}, and the app needs ${minOpenFiles}. Raise the limit: ulimit -n ${minOpenFiles}`
}

export function warnOfSessionBus(log: Log): void {
  if (process.platform === 'linux' && !isWithoutSessionBus())
    log.warn('This watch ends when the session bus ends: set DBUS_SESSION_BUS_ADDRESS=disabled: for it')
}

/** `wantsXWayland` returns the user's setting. */
export function currentWindowSystem(wantsXWayland: () => boolean): WindowSystem {
  const isNamed = process.platform === 'linux' && namesWindowSystem(process.argv)
  return windowSystem({
    platform: process.platform,
    env: process.env,
    ozonePlatform: app.commandLine.getSwitchValue('ozone-platform'),
    ozoneHint: app.commandLine.getSwitchValue('ozone-platform-hint'),
    electronMajor: Number.parseInt(process.versions.electron),
    named: isNamed ? { wantsXWayland: wantsXWayland() } : undefined,
  })
}

/**
 * Returns whether the app must restart on XWayland, or would if it answered. A window system in the arguments overrides
 * the setting.
 */
export function xWaylandAtStart(wantsXWayland: () => boolean): 'startAgain' | 'lacking' | undefined {
  if (namesWindowSystem(process.argv) || currentWindowSystem(wantsXWayland).xwayland !== 'offered') return undefined
  if (!wantsXWayland()) return undefined
  return hasXServer() ? 'startAgain' : 'lacking'
}

/** Chromium exits without a message if no X server answers. */
function hasXServer(): boolean {
  try {
    return listensOnX(process.env['DISPLAY'] ?? '', readFileSync('/proc/net/unix', 'utf8'))
  } catch {
    // Unknown, so try.
    return true
  }
}
