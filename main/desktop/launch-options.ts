import { resolve } from 'node:path'
import * as v from 'valibot'
import { profileSchema } from '../../protocol/settings-schema'
import { linkAmong } from './deep-link'
import type { ConnectionProfile, Outcome } from '../../protocol/model'
import { accessSync, constants, mkdirSync } from 'node:fs'

/** A connection given by the environment: for development and tests, never saved. */
interface EnvironmentConnection {
  profile: ConnectionProfile
  keySecret: string
}

export interface LaunchOptions {
  isDemo: boolean
  /** Start in the tray, without a window. */
  isHidden: boolean
  /** Print the first values and write a picture of the window to this file. */
  reportPath?: string
  environment?: EnvironmentConnection
  /** What the app was started to open, not read yet. */
  link?: string
}

interface Launch {
  argv: readonly string[]
  env: Readonly<Record<string, string | undefined>>
  isPackaged: boolean
}

/** Whether this is a developer's or a test's start: an unpacked app, or a packaged one with INDEXWATCH_DEV=1. */
export function isDevelopment({ env, isPackaged }: Pick<Launch, 'env' | 'isPackaged'>): boolean {
  return !isPackaged || env['INDEXWATCH_DEV'] === '1'
}

const variables = {
  webSocketUrl: 'INDEXWATCH_WS_URL',
  restUrl: 'INDEXWATCH_REST_URL',
  mcpUrl: 'INDEXWATCH_MCP_URL',
  keyId: 'INDEXWATCH_KEY_ID',
  keySecret: 'INDEXWATCH_KEY_SECRET',
} as const

function problem(message: string): Outcome<never> {
  return { ok: false, problem: { code: 'badEnvironment', message } }
}

function readEnvironment(env: Launch['env']): Outcome<EnvironmentConnection | undefined> {
  const webSocketUrl = env[variables.webSocketUrl] ?? ''
  const restUrl = env[variables.restUrl] ?? ''
  const mcpUrl = env[variables.mcpUrl] ?? ''
  if (webSocketUrl === '') {
    if (restUrl === '' && mcpUrl === '') return { ok: true, value: undefined }
    const set = restUrl === '' ? variables.mcpUrl : variables.restUrl
    return problem(`${set} is set, ${variables.webSocketUrl} is not: set both or neither.`)
  }
  const parsed = v.safeParse(profileSchema, {
    id: 'environment',
    auth: 'basic',
    isEnabled: true,
    name: 'Environment',
    webSocketUrl,
    ...(restUrl === '' ? {} : { restUrl }),
    ...(mcpUrl === '' ? {} : { mcpUrl }),
    keyId: env[variables.keyId] ?? '',
  })
  if (parsed.success) {
    return { ok: true, value: { profile: parsed.output, keySecret: env[variables.keySecret] ?? '' } }
  }
  const [issue] = parsed.issues
  const field = v.getDotPath(issue) as keyof typeof variables | null
  return problem(`${field === null ? 'INDEXWATCH_*' : variables[field]}: ${issue.message}`)
}

const usage = `Usage: indexwatch [FLAGS] [LINK]

  --demo               the demo service, whatever connection is set up
  --hidden             start in the tray
  --user-data-dir=DIR  where settings and last values live
  --version            print the version and end
  --help               print this and end

LINK: indexwatch://index/ID, indexwatch://list/NAME or indexwatch://alert/new?index=ID&level=LEVEL
`

/** What a start that only asks for a text prints, with which it ends; `undefined` for every other start. */
export function textAskedFor(argv: readonly string[], version: string): string | undefined {
  if (argv.includes('--help')) return usage
  return argv.includes('--version') ? `Indexwatch ${version}\n` : undefined
}

/**
 * Reads flags and `INDEXWATCH_*` variables. A packaged app takes neither variables nor `--report` unless
 * `INDEXWATCH_DEV=1`. Problem `badEnvironment`: a variable cannot be used, the message names it.
 */
export function readLaunch({ argv, env, isPackaged }: Launch): Outcome<LaunchOptions> {
  const forDevelopment = isDevelopment({ env, isPackaged })
  const environment = forDevelopment ? readEnvironment(env) : { ok: true as const, value: undefined }
  if (!environment.ok) return environment
  const reportFlag = '--report='
  const link = linkAmong(argv)
  const report = forDevelopment ? argv.find((argument) => argument.startsWith(reportFlag)) : undefined
  return {
    ok: true,
    value: {
      isDemo: argv.includes('--demo'),
      isHidden: argv.includes('--hidden'),
      ...(report === undefined ? {} : { reportPath: resolve(report.slice(reportFlag.length)) }),
      ...(environment.value === undefined ? {} : { environment: environment.value }),
      ...(link === undefined ? {} : { link }),
    },
  }
}

/** What a product start takes: the app's own flags, and what a desktop may need of Chromium's to show a window at all. */
const allowedSwitches = new Set([
  'demo',
  'hidden',
  'user-data-dir',
  'password-store',
  'disable-gpu',
  'force-device-scale-factor',
  'ozone-platform',
  'ozone-platform-hint',
])

/**
 * The first switch a product start refuses, or `undefined`: Chromium and Node have hundreds, many of which write down what
 * the app says, open it to others or turn its checks off. `--no-sandbox` is for root on Linux alone, where Chromium does
 * not start without it.
 */
export function findForeignSwitch(
  argv: readonly string[],
  { isRoot, platform }: { isRoot: boolean; platform: NodeJS.Platform },
): string | undefined {
  // As Chromium reads them: with blanks around, by one dash or two, on Windows by a slash too.
  const pattern = platform === 'win32' ? /^(?:--|-|\/)([^=]+)/ : /^--?([^=]+)/
  return argv.find((argument) => {
    const name = pattern.exec(argument.trim())?.[1]
    return name !== undefined && !allowedSwitches.has(name) && !(name === 'no-sandbox' && isRoot)
  })
}

/**
 * Whether files can be made in `folder`, which is made when it is missing. To be asked before the single-instance lock:
 * in a folder that is not writable the lock is refused as if another instance were running.
 */
export function isWritableFolder(folder: string): boolean {
  try {
    mkdirSync(folder, { recursive: true })
    accessSync(folder, constants.W_OK | constants.X_OK)
    return true
  } catch {
    return false
  }
}

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

/**
 * Whether Chromium shows the app under Wayland, where the compositor alone places windows and stacks them. Since Electron
 * 38 it does wherever the session is one of Wayland's; before, only where it was asked to.
 */
export function isWayland(options: {
  platform: NodeJS.Platform
  env: Readonly<Record<string, string | undefined>>
  /** `--ozone-platform`, or an empty text. */
  ozonePlatform: string
  /** `--ozone-platform-hint`, or an empty text. */
  ozoneHint: string
  electronMajor: number
}): boolean {
  const { platform, env, ozonePlatform, ozoneHint, electronMajor } = options
  if (platform !== 'linux') return false
  const wanted = ozonePlatform || ozoneHint || (electronMajor >= 38 ? 'auto' : 'x11')
  if (wanted !== 'auto') return wanted === 'wayland'
  return env['XDG_SESSION_TYPE'] === 'wayland' && (env['WAYLAND_DISPLAY'] ?? '') !== ''
}
