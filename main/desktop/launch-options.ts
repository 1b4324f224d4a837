import { join, resolve } from 'node:path'
import { parseArgs } from 'node:util'
import * as v from 'valibot'
import type { AssistantSetup } from '../../protocol/assistants'
import { ok, failure, type ConnectionProfile, type IndexId, type Outcome } from '../../core/model'
import { deskAddressSchema, deskNameSchema, watcherNameSchema } from '../../core/desk'
import { profileSchema } from '../../core/settings-schema'
import { splitIds } from '../../core/formula-id'
import { isIndexId, proxyAddress } from '../../core/shapes'
import { appFlags, commandIn, commands, helpText } from '../base/command-line'
import { basicAuthorization } from '../base/http'
import { percentDecoded } from '../base/sanitize'
import { appTitle } from './app-names'
import { isLink, linkAmong } from './deep-link'
import type { GivenProxy } from './proxies'

/** A connection from the environment, for development and tests. It is never saved. */
interface EnvironmentConnection {
  profile: ConnectionProfile
  keySecret: string
}

export interface LaunchOptions {
  isDemo: boolean
  /** Start in the tray, without a window. */
  isHidden: boolean
  /** The file for a picture of the window, after the first values are printed. */
  reportPath?: string
  environment?: EnvironmentConnection
  /** The password of the saved desk. */
  deskPassword?: string | undefined
  /** Set for a watch: no window, values and alerts as lines. */
  watch?: WatchOptions
  /** The link to open, not parsed yet. */
  link?: string
  /** Set if the app was restarted after a crash, with its time if known. */
  afterCrash?: { crashedAtMs?: number }
  /** What to do with a profile that another computer uses. */
  profileUse?: ProfileUse
}

/** `takeOver` ends the app on the other computer. `readOnly` shows settings and lists without saving anything. */
export type ProfileUse = 'takeOver' | 'readOnly'

/** What a watch prints. Without lists and ids, the rows of all lists. */
export interface WatchOptions {
  lists: readonly string[]
  ids: readonly IndexId[]
  /** One JSON object per line. */
  isJson: boolean
  printsAlerts: boolean
  /** Ids or groups of the rules whose events are printed. Empty for all rules. */
  rules: readonly string[]
  /** Port of the metrics server, on this computer only. */
  metricsPort?: number
  /** Set if this watch is one of the watchers of a desk. */
  desk?: DeskToWatch
}

export interface DeskToWatch {
  address: string
  name: string
  watcher: string
  /** The file with user and password, or with credentials of NATS. */
  signInPath?: string
  /** Makes a stream that the server has lost. */
  begins: boolean
}

interface Launch {
  argv: readonly string[]
  env: Readonly<Record<string, string | undefined>>
  isPackaged: boolean
}

/** True if this start serves an AI assistant over stdio instead of running the app. Older configurations have `--mcp`. */
export function isForAssistant(argv: readonly string[]): boolean {
  return argv.includes('--mcp') || commandIn(argv)?.name === 'mcp'
}

/** True if this start exports values instead of running the app. */
export function isForExport(argv: readonly string[]): boolean {
  return commandIn(argv)?.name === 'export'
}

/** The command that an assistant starts: the installed app, or a script of a clone. */
export function assistantSetup(start: {
  isPackaged: boolean
  executable: string
  /** Folder of the sources, for an unpackaged app. */
  sources: string
  /** Value of `--user-data-dir`. Empty for the default folder. */
  profile: string
  needsNoSandbox: boolean
}): AssistantSetup {
  const profile = start.profile === '' ? [] : [`--user-data-dir=${resolve(start.profile)}`]
  if (!start.isPackaged) return { command: 'node', args: [join(start.sources, 'scripts', 'mcp.js'), ...profile] }
  return { command: start.executable, args: ['mcp', ...(start.needsNoSandbox ? ['--no-sandbox'] : []), ...profile] }
}

/** True for a start in development or a test: an unpackaged app, or a packaged one with INDEXWATCH_DEV=1. */
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

function readEnvironment(env: Launch['env']): Outcome<EnvironmentConnection | undefined> {
  const webSocketUrl = env[variables.webSocketUrl] ?? ''
  const restUrl = env[variables.restUrl] ?? ''
  const mcpUrl = env[variables.mcpUrl] ?? ''
  if (webSocketUrl === '') {
    if (restUrl === '' && mcpUrl === '') return ok(undefined)
    const set = restUrl === '' ? variables.mcpUrl : variables.restUrl
    return failure('badEnvironment', `${set} is set, but ${variables.webSocketUrl} is not. Set both or neither.`)
  }
  const parsed = v.safeParse(profileSchema, {
    id: 'environment',
    auth: 'basic',
    isEnabled: true,
    name: 'Environment',
    webSocketUrl,
    ...(restUrl !== '' && { restUrl }),
    ...(mcpUrl !== '' && { mcpUrl }),
    keyId: env[variables.keyId] ?? '',
  })
  if (parsed.success) {
    return ok({ profile: parsed.output, keySecret: env[variables.keySecret] ?? '' })
  }
  const [issue] = parsed.issues
  const field = v.getDotPath(issue) as keyof typeof variables | null
  return failure('badEnvironment', `${field === null ? 'INDEXWATCH_*' : variables[field]}: ${issue.message}`)
}

/** The text for `--help` or `--version`, after which the process exits. Undefined for every other start. */
export function textToPrint(argv: readonly string[], version: string): string | undefined {
  const name = commandIn(argv)?.name
  if (argv.includes('--help')) return helpText(name === undefined ? 'indexwatch' : `indexwatch ${name}`, name)
  return argv.includes('--version') ? `${appTitle(version)} ${version}\n` : undefined
}

/** True if this start is a watch, which has no window, even with invalid arguments. */
export function isWatch(argv: readonly string[]): boolean {
  return commandIn(argv)?.name === 'watch'
}

/** The arguments of this start's command: its flags, also those before it, without other switches of the app. */
export function commandArguments(argv: readonly string[]): string[] {
  const command = commandIn(argv)
  if (command === undefined) return []
  return argv.filter((argument, position) => {
    const name = switchName(argument, /^--([^=]+)/) ?? ''
    const isOwn = Object.hasOwn(commands[command.name].flags, name)
    const isOther = allowedSwitches.has(name) || name === 'no-sandbox'
    return isOwn || (position > command.at && !isOther)
  })
}

function readWatch(argv: readonly string[]): Outcome<WatchOptions | undefined> {
  if (!isWatch(argv)) return ok(undefined)
  try {
    const { values } = parseArgs({ args: commandArguments(argv), options: commands.watch.flags })
    const ids = (values.ids ?? []).flatMap(splitIds)
    if (ids.some((id) => !isIndexId(id)))
      return failure('badArguments', 'watch --ids: enter ids such as BRTI,ETHUSD_RTI.')
    const port = values.metrics === undefined ? undefined : Number(/^\d{4,5}$/.exec(values.metrics)?.[0])
    if (port !== undefined && !(Number.isInteger(port) && port >= 1_024 && port <= 65_535)) {
      return failure('badArguments', 'watch --metrics: enter a port from 1024 to 65535.')
    }
    const { list: lists = [], json: isJson = false, rule: rules = [] } = values
    const printsAlerts = values.alerts === true || rules.length > 0
    const desk = readDesk(values)
    if (!desk.ok) return desk
    return ok({
      ...{ lists, ids, isJson, printsAlerts, rules, metricsPort: port },
      ...(desk.value !== undefined && { desk: desk.value }),
    })
  } catch (error) {
    const said = error instanceof Error ? error.message : String(error)
    return failure('badArguments', `watch: ${said.replace(/\.$/, '')}. See indexwatch watch --help.`)
  }
}

function readDesk(
  values: Partial<Record<'desk' | 'desk-name' | 'as' | 'desk-sign-in', string>> & { 'desk-begin'?: boolean },
): Outcome<DeskToWatch | undefined> {
  const {
    desk: address,
    'desk-name': name,
    as: watcher,
    'desk-sign-in': signInPath,
    'desk-begin': begins = false,
  } = values
  const others = [name, watcher, signInPath].some((value) => value !== undefined) || begins
  if (address === undefined) {
    return others ? failure('badArguments', 'watch: a flag of a desk needs --desk ADDRESS too.') : ok(undefined)
  }
  const wanted = {
    desk: [deskAddressSchema, address],
    'desk-name': [deskNameSchema, name],
    as: [watcherNameSchema, watcher],
  } as const
  for (const [flag, [schema, value]] of Object.entries(wanted)) {
    const read = v.safeParse(schema, value ?? '')
    if (!read.success) return failure('badArguments', `watch --${flag}: ${read.issues[0].message}`)
  }
  return ok({
    ...{ address, name: name ?? '', watcher: watcher ?? '', begins },
    ...(signInPath !== undefined && { signInPath: resolve(signInPath) }),
  })
}

/** The value of `--NAME=`. */
function flagOf(argv: readonly string[], name: string): string | undefined {
  return argv.find((argument) => argument.startsWith(`--${name}=`))?.slice(name.length + 3)
}

/** The proxy of the command line, otherwise that of the environment for https. */
export function givenProxy({ argv, env }: Pick<Launch, 'argv' | 'env'>): GivenProxy {
  const flag = flagOf(argv, 'proxy-server')
  const named = (name: string) => env[name.toLowerCase()] ?? env[name] ?? ''
  const text = flag ?? named('HTTPS_PROXY')
  // A name in NO_PROXY includes its subdomains. Chromium needs them listed.
  const withoutProxy = named('NO_PROXY')
    .split(',')
    .map((host) => host.trim())
    .filter((host) => host !== '')
    .flatMap((host) => (/^[a-z][a-z\d.-]*$/i.test(host) ? [host, `.${host}`] : [host]))
  const server = proxyAddress(text)
  const { username, password } = new URL(
    server === undefined ? 'http://none' : text.includes('://') ? text : `http://${text}`,
  )
  return {
    server,
    // Without the address, which may contain a password.
    ...(server === undefined &&
      text !== '' && {
        problem: `The proxy in ${flag === undefined ? 'HTTPS_PROXY' : '--proxy-server'} is not supported. Use http://host:port or https://host:port, or choose a proxy in Settings, Network.`,
      }),
    ...(username !== '' && {
      authorization: basicAuthorization(percentDecoded(username) ?? username, percentDecoded(password) ?? password),
    }),
    bypassList: flagOf(argv, 'proxy-bypass-list') ?? withoutProxy.join(';'),
  }
}

/**
 * Reads flags and `INDEXWATCH_*` variables. A packaged app ignores the variables and `--report` unless
 * `INDEXWATCH_DEV=1`. Problems: `badEnvironment` (the message names the variable) and `badArguments` (an unknown
 * argument of `watch`).
 */
export function readLaunch({ argv, env, isPackaged }: Launch): Outcome<LaunchOptions> {
  const forDevelopment = isDevelopment({ env, isPackaged })
  const environment = forDevelopment ? readEnvironment(env) : ok(undefined)
  if (!environment.ok) return environment
  const watch = readWatch(argv)
  if (!watch.ok) return watch
  const report = forDevelopment ? flagOf(argv, 'report') : undefined
  return ok({
    isDemo: argv.includes('--demo'),
    isHidden: argv.includes('--hidden'),
    reportPath: report && resolve(report),
    environment: environment.value,
    deskPassword: forDevelopment ? env['INDEXWATCH_DESK_PASSWORD'] : undefined,
    watch: watch.value,
    link: linkAmong(argv),
    afterCrash: readAfterCrash(argv),
    profileUse: readProfileUse(argv),
  })
}

/** True if the arguments choose a window system. Chromium's own choice is among its switches, but not here. */
export function namesWindowSystem(argv: readonly string[]): boolean {
  return argv.some((argument) => switchName(argument, /^--?([^=]+)/) === 'ozone-platform')
}

/**
 * The arguments for a restart that the user asked for. Leaves out the link, which was opened already, `--hidden`,
 * because the window is wanted, and the window system, which is read from the settings again.
 */
export function argumentsOfRestart(argv: readonly string[]): string[] {
  return argv.slice(1).filter((argument) => !isOfOneStart(argument) && !namesWindowSystem([argument]))
}

/** Followed by the time of the crash in seconds, if it is known. */
export const crashFlag = '--after-crash'

const crashPattern = new RegExp(`^${crashFlag}(?:=(\\d{1,11}))?$`)

function isCrashFlag(argument: string): boolean {
  return crashPattern.test(argument)
}

/** True if this start follows a crash. */
export function isAfterCrash(argv: readonly string[]): boolean {
  return argv.some(isCrashFlag)
}

export function readProfileUse(argv: readonly string[]): ProfileUse | undefined {
  if (argv.includes('--take-over')) return 'takeOver'
  return argv.includes('--read-only') ? 'readOnly' : undefined
}

/** Arguments that apply to one start only: a link, and answers to what that start asked. */
function isOfOneStart(argument: string): boolean {
  return isLink(argument) || ['--hidden', '--take-over', '--read-only'].includes(argument) || isCrashFlag(argument)
}

function readAfterCrash(argv: readonly string[]): LaunchOptions['afterCrash'] {
  const flag = argv.find(isCrashFlag)
  if (flag === undefined) return undefined
  const [, seconds] = crashPattern.exec(flag) ?? []
  return seconds === undefined ? {} : { crashedAtMs: Number(seconds) * 1_000 }
}

/**
 * The arguments for a restart after a crash, without the link, which was opened already. The supervisor adds `--hidden`
 * if the window was closed.
 */
export function argumentsAfterCrash(argv: readonly string[]): string[] {
  return argv.slice(1).filter((argument) => !isOfOneStart(argument))
}

/** Switches that an installed app accepts: its own, and Chromium's that a desktop may need to show a window at all. */
const allowedSwitches: ReadonlySet<string> = new Set([
  ...Object.keys(appFlags),
  'after-crash',
  'mcp',
  'keyring',
  'password-store',
  'disable-gpu',
  'force-device-scale-factor',
  'ozone-platform',
  'ozone-platform-hint',
])

/**
 * The first switch that an installed app refuses. Undefined if there is none. Many of the hundreds of switches of
 * Chromium and Node record what the app does, expose it or disable its checks. `--no-sandbox` is allowed only for root
 * on Linux, where Chromium does not start without it.
 */
export function findRefusedSwitch(
  argv: readonly string[],
  { isRoot, platform }: { isRoot: boolean; platform: NodeJS.Platform },
): string | undefined {
  // As Chromium reads switches: with surrounding blanks, one dash or two, and on Windows a slash.
  const pattern = platform === 'win32' ? /^(?:--|-|\/)([^=]+)/ : /^--?([^=]+)/
  const command = commandIn(argv)
  const isOfCommand = (name: string, position: number) =>
    command !== undefined && position > command.at && Object.hasOwn(commands[command.name].flags, name)
  return argv.find((argument, position) => {
    const name = switchName(argument, pattern)
    return (
      name !== undefined &&
      !isOfCommand(name, position) &&
      !allowedSwitches.has(name) &&
      !(name === 'no-sandbox' && isRoot)
    )
  })
}

function switchName(argument: string, pattern: RegExp): string | undefined {
  return pattern.exec(argument.trim())?.[1]
}
