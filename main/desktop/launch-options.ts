import { join, resolve } from 'node:path'
import { parseArgs } from 'node:util'
import * as v from 'valibot'
import type { AssistantSetup } from '../../protocol/assistants'
import { ok, failure, type ConnectionProfile, type IndexId, type Outcome } from '../../core/model'
import { profileSchema } from '../../core/settings-schema'
import { isIndexId, proxyAddress } from '../../core/shapes'
import { basicAuthorization } from '../base/http'
import { percentDecoded } from '../base/sanitize'
import { appTitle } from './app-names'
import { isLink, linkAmong } from './deep-link'
import type { GivenProxy } from './proxies'

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
  /** The app was started again after a crash, which was at this time where it is known. */
  afterCrash?: { crashedAtMs?: number }
  /** What the user wants of a profile that another computer has. */
  profileUse?: ProfileUse
}

/** To have the other computer's app end, or to look at its settings and lists and keep nothing. */
export type ProfileUse = 'takeOver' | 'look'

/** What a watch prints. Without lists and ids: the rows of every list. */
export interface WatchOptions {
  lists: readonly string[]
  ids: readonly IndexId[]
  /** One JSON object a line. */
  isJson: boolean
  printsAlerts: boolean
  /** Ids or groups of the rules whose alerts are printed; of all rules without any. */
  rules: readonly string[]
  /** Where metrics are answered, on this computer alone. */
  metricsPort?: number
}

interface Launch {
  argv: readonly string[]
  env: Readonly<Record<string, string | undefined>>
  isPackaged: boolean
}

/** Whether this start serves an AI assistant over stdio, and is no app. */
export function isForAssistant(argv: readonly string[]): boolean {
  return argv.includes('--mcp')
}

/** What an assistant starts to be served: the installed app itself, or the command of a clone. */
export function assistantSetup(start: {
  isPackaged: boolean
  executable: string
  /** Folder of the sources, where it is not packaged. */
  sources: string
  /** Of `--user-data-dir`; empty where the default one is in use. */
  profile: string
  needsNoSandbox: boolean
}): AssistantSetup {
  const profile = start.profile === '' ? [] : [`--user-data-dir=${resolve(start.profile)}`]
  if (!start.isPackaged) return { command: 'node', args: [join(start.sources, 'scripts', 'mcp.js'), ...profile] }
  return { command: start.executable, args: ['--mcp', ...(start.needsNoSandbox ? ['--no-sandbox'] : []), ...profile] }
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

const usage = `Usage: indexwatch [FLAGS] [LINK]
       indexwatch watch [--list NAME] [--ids A,B] [--json] [--alerts] [--rule NAME] [--metrics PORT] [FLAGS]

  watch                headless: print values until Ctrl+C
    --list NAME        only the indices of this watchlist (default: all watchlists)
    --ids A,B          only these indices
    --json             print one JSON object per line
    --alerts           print alert events too
    --rule NAME        print only the events of this alert (id) or alert group
    --metrics PORT     serve Prometheus metrics at 127.0.0.1:PORT/metrics

  --demo               use the demo service, ignoring saved connections
  --hidden             start in the tray
  --take-over          use a profile that another computer uses, and end Indexwatch there
  --read-only          show such a profile without saving anything
  --mcp                serve an AI assistant over stdio, with or without the running app
  --user-data-dir=DIR  folder of the settings and the history
  --proxy-server=HOST:PORT
                       use this proxy instead of the system's
  --proxy-bypass-list=LIST
                       reach these hosts without a proxy, in Chromium's rules
  --version            print the version and exit
  --help               print this help and exit

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
  rule: { type: 'string', multiple: true },
  metrics: { type: 'string' },
} as const

function readWatch(argv: readonly string[]): Outcome<WatchOptions | undefined> {
  const at = watchAt(argv)
  if (at === -1) return ok(undefined)
  const own = argv.slice(at + 1).filter((argument) => !allowedSwitches.has(switchName(argument, /^--([^=]+)/) ?? ''))
  try {
    const { values } = parseArgs({ args: own, options: watchArguments })
    const ids = (values.ids ?? []).flatMap((text) => text.split(',')).map((id) => id.trim())
    if (ids.some((id) => !isIndexId(id)))
      return failure('badArguments', 'watch --ids: enter ids such as BRTI,ETHUSD_RTI.')
    const port = values.metrics === undefined ? undefined : Number(/^\d{4,5}$/.exec(values.metrics)?.[0])
    if (port !== undefined && !(Number.isInteger(port) && port >= 1_024 && port <= 65_535)) {
      return failure('badArguments', 'watch --metrics: enter a port from 1024 to 65535.')
    }
    const { list: lists = [], json: isJson = false, rule: rules = [] } = values
    const printsAlerts = values.alerts === true || rules.length > 0
    return ok({ lists, ids, isJson, printsAlerts, rules, metricsPort: port })
  } catch (error) {
    return failure('badArguments', `watch: ${error instanceof Error ? error.message : String(error)}`)
  }
}

/** What `--NAME=` is followed by. */
function flagOf(argv: readonly string[], name: string): string | undefined {
  return argv.find((argument) => argument.startsWith(`--${name}=`))?.slice(name.length + 3)
}

/** The proxy that the command line names, or else the environment for https. */
export function givenProxy({ argv, env }: Pick<Launch, 'argv' | 'env'>): GivenProxy {
  const flag = flagOf(argv, 'proxy-server')
  const named = (name: string) => env[name.toLowerCase()] ?? env[name] ?? ''
  const text = flag ?? named('HTTPS_PROXY')
  // A name there stands for all below it too, which Chromium wants said.
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
    // Not its address, which may have a password in it.
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
 * Reads flags and `INDEXWATCH_*` variables. A packaged app takes neither variables nor `--report` unless
 * `INDEXWATCH_DEV=1`. Problem `badEnvironment`: a variable cannot be used, the message names it;
 * `badArguments`: `watch` does not know an argument.
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
    watch: watch.value,
    link: linkAmong(argv),
    afterCrash: readAfterCrash(argv),
    profileUse: readProfileUse(argv),
  })
}

/** Whether this start names a window system: what Chromium chose itself stands among its switches, but not here. */
export function namesWindowSystem(argv: readonly string[]): boolean {
  return argv.some((argument) => switchName(argument, /^--?([^=]+)/) === 'ozone-platform')
}

/**
 * The arguments with which the app starts again when its user asks for that: as it was started, but for the link, which was
 * opened when it came, the window, which is wanted now, and the window system, which is read from the settings again.
 */
export function argumentsOfRestart(argv: readonly string[]): string[] {
  return argv.slice(1).filter((argument) => !isOfOneStart(argument) && !namesWindowSystem([argument]))
}

/** With the time of the crash in seconds, where it is known. */
export const crashFlag = '--after-crash'

const crashPattern = new RegExp(`^${crashFlag}(?:=(\\d{1,11}))?$`)

function isCrashFlag(argument: string): boolean {
  return crashPattern.test(argument)
}

/** Whether this start follows a crash: nobody asked for it. */
export function isAfterCrash(argv: readonly string[]): boolean {
  return argv.some(isCrashFlag)
}

export function readProfileUse(argv: readonly string[]): ProfileUse | undefined {
  if (argv.includes('--take-over')) return 'takeOver'
  return argv.includes('--read-only') ? 'look' : undefined
}

/** What holds for one start alone: a link, which was opened when it came, and answers to what that start found. */
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
 * The arguments with which the app starts again after a crash: as it was started, but for the link, which was opened when
 * it came. Whether it starts in the tray depends on where it was last.
 */
export function argumentsAfterCrash(argv: readonly string[]): string[] {
  return argv.slice(1).filter((argument) => !isOfOneStart(argument))
}

/** What a product start takes: the app's own flags, and what a desktop may need of Chromium's to show a window at all. */
const allowedSwitches = new Set([
  'after-crash',
  'take-over',
  'read-only',
  'demo',
  'hidden',
  'mcp',
  'keyring',
  'user-data-dir',
  'password-store',
  'proxy-server',
  'proxy-bypass-list',
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
