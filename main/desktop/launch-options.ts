import { accessSync, constants, mkdirSync } from 'node:fs'
import { resolve } from 'node:path'
import { parseArgs } from 'node:util'
import * as v from 'valibot'
import { failure, type ConnectionProfile, type IndexId, type Outcome } from '../../protocol/model'
import { profileSchema } from '../../protocol/settings-schema'
import { isIndexId } from '../../protocol/shapes'
import { linkAmong } from './deep-link'

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
  /** No window: values and alerts as lines. */
  watch?: WatchOptions
  /** What the app was started to open, not read yet. */
  link?: string
}

/** What a watch prints. Without lists and ids: the rows of every list. */
export interface WatchOptions {
  lists: readonly string[]
  ids: readonly IndexId[]
  /** One JSON object a line. */
  isJson: boolean
  printsAlerts: boolean
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

/** What windows call the app. A test build's version ends so; it is to be taken for nothing else. */
export function appTitle(version: string): string {
  return version.endsWith('-test') ? 'Indexwatch TEST BUILD' : 'Indexwatch'
}

const usage = `Usage: indexwatch [FLAGS] [LINK]
       indexwatch watch [--list NAME] [--ids A,B] [--json] [--alerts] [FLAGS]

  watch                no window: values as lines until Ctrl+C, of lists, of ids, or of all lists;
                       --json prints one JSON object a line, --alerts the alerts as well

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
  return argv.includes('--version') ? `${appTitle(version)} ${version}\n` : undefined
}

/** Where the command begins, as in `indexwatch watch --json`; -1 where the window is asked for. */
function watchAt(argv: readonly string[]): number {
  return argv.indexOf('watch')
}

/** Whether this start is a watch, which has no window, even if its arguments turn out wrong. */
export function isWatch(argv: readonly string[]): boolean {
  return watchAt(argv) !== -1
}

const watchArguments = {
  list: { type: 'string', multiple: true },
  ids: { type: 'string', multiple: true },
  json: { type: 'boolean' },
  alerts: { type: 'boolean' },
} as const

function readWatch(argv: readonly string[]): Outcome<WatchOptions | undefined> {
  const at = watchAt(argv)
  if (at === -1) return { ok: true, value: undefined }
  const own = argv.slice(at + 1).filter((argument) => !allowedSwitches.has(switchName(argument, /^--([^=]+)/) ?? ''))
  try {
    const { values } = parseArgs({ args: own, options: watchArguments })
    const ids = (values.ids ?? []).flatMap((text) => text.split(',')).map((id) => id.trim())
    if (ids.some((id) => !isIndexId(id)))
      return failure('badArguments', 'watch --ids: give ids such as BRTI,ETHUSD_RTI.')
    const { list: lists = [], json: isJson = false, alerts: printsAlerts = false } = values
    return { ok: true, value: { lists, ids, isJson, printsAlerts } }
  } catch (error) {
    return failure('badArguments', `watch: ${error instanceof Error ? error.message : String(error)}`)
  }
}

/**
 * Reads flags and `INDEXWATCH_*` variables. A packaged app takes neither variables nor `--report` unless
 * `INDEXWATCH_DEV=1`. Problem `badEnvironment`: a variable cannot be used, the message names it;
 * `badArguments`: `watch` does not know an argument.
 */
export function readLaunch({ argv, env, isPackaged }: Launch): Outcome<LaunchOptions> {
  const forDevelopment = isDevelopment({ env, isPackaged })
  const environment = forDevelopment ? readEnvironment(env) : { ok: true as const, value: undefined }
  if (!environment.ok) return environment
  const watch = readWatch(argv)
  if (!watch.ok) return watch
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
      ...(watch.value === undefined ? {} : { watch: watch.value }),
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
  const at = watchAt(argv)
  return argv.find((argument, position) => {
    const name = switchName(argument, pattern)
    const isOfWatch = at !== -1 && position > at && name !== undefined && Object.hasOwn(watchArguments, name)
    return name !== undefined && !isOfWatch && !allowedSwitches.has(name) && !(name === 'no-sandbox' && isRoot)
  })
}

function switchName(argument: string, pattern: RegExp): string | undefined {
  return pattern.exec(argument.trim())?.[1]
}

/** What to do about a switch that `findForeignSwitch` found. */
export function foreignSwitchRemedy(foreign: string, env: Launch['env']): string {
  if (!/^--?no-sandbox$/.test(foreign.trim())) return `${foreign} is not allowed here. Start the app without it.`
  if (env['APPIMAGE'] === undefined)
    return `${foreign} would turn off the protection of the window. Start the app without it.`
  // What AppImages start with where they find that programs cannot make user namespaces.
  return (
    'This system does not let an AppImage protect its window: it keeps programs from making user namespaces. ' +
    'Install the deb or the rpm package of Indexwatch instead. ' +
    'Or have your administrator allow it: on Ubuntu by “sysctl kernel.apparmor_restrict_unprivileged_userns=0”.'
  )
}

const startedSchema = v.object({ version: v.pipe(v.string(), v.regex(/^[\w.+-]{1,40}$/)) })
/** What a second start gives the running app. */
export type StartedVersion = v.InferOutput<typeof startedSchema>

/** The version of a second start; `undefined` where it does not say. */
export function startedVersion(start: unknown): string | undefined {
  const read = v.safeParse(startedSchema, start)
  return read.success ? read.output.version : undefined
}

const refusalFlag = '--refused='

/** How the app starts itself, in a process without the switches that it refuses, to show why it does not start. */
export function refusalArguments(message: string, argv: readonly string[]): string[] {
  // Where the sandbox cannot be had there is no process without this one.
  return [...(argv.includes('--no-sandbox') ? ['--no-sandbox'] : []), refusalFlag + message]
}

/** The environment of such a start: without what it could give away. */
export function refusalEnvironment(env: Launch['env']): Launch['env'] {
  const left = new Set(['NODE_DEBUG', variables.keySecret])
  return Object.fromEntries(Object.entries(env).filter(([name]) => !left.has(name)))
}

/** The message of such a start, `undefined` for every other one. `argv` is without the executable. */
export function refusalToShow(argv: readonly string[]): string | undefined {
  const [first, ...more] = argv.filter((argument) => argument !== '--no-sandbox')
  return more.length === 0 && first?.startsWith(refusalFlag) ? first.slice(refusalFlag.length) : undefined
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
