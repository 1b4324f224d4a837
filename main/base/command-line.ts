/** The commands and flags of the program. Help, man page and completion are made from this (`command-files.ts`). */
import { exportFormats, exportResolutions } from '../../protocol/history'

/** A flag, as `parseArgs` of Node reads it. */
export interface Flag {
  readonly type: 'string' | 'boolean'
  /** It may be repeated. */
  readonly multiple?: true
  /** The name of its value, after `=` or a blank. Chromium reads only values after `=`. */
  readonly value?: string
  readonly choices?: readonly string[]
  readonly names?: 'file' | 'folder'
  readonly help: string
}
export type Flags = Readonly<Record<string, Flag>>

const folder = {
  type: 'string',
  value: '=DIR',
  names: 'folder',
  help: 'folder of the settings and the history',
} as const

export const appFlags = {
  demo: { type: 'boolean', help: 'use the demo service, ignoring saved connections' },
  hidden: { type: 'boolean', help: 'start in the tray' },
  'take-over': { type: 'boolean', help: 'use a profile that another computer uses, and end Indexwatch there' },
  'read-only': { type: 'boolean', help: 'show such a profile without saving anything' },
  'user-data-dir': folder,
  'proxy-server': { type: 'string', value: '=HOST:PORT', help: "use this proxy instead of the system's" },
  'proxy-bypass-list': {
    type: 'string',
    value: '=LIST',
    help: "reach these hosts without a proxy, in Chromium's rules",
  },
  version: { type: 'boolean', help: 'print the version and exit' },
  help: { type: 'boolean', help: 'print this help and exit' },
} as const satisfies Flags

const watchFlags = {
  list: {
    type: 'string',
    multiple: true,
    value: ' NAME',
    help: 'only the indices of this watchlist (default: all watchlists)',
  },
  ids: { type: 'string', multiple: true, value: ' A,B', help: 'only these indices' },
  json: { type: 'boolean', help: 'print one JSON object per line' },
  alerts: { type: 'boolean', help: 'print alert events too' },
  rule: {
    type: 'string',
    multiple: true,
    value: ' NAME',
    help: 'print only the events of this alert (id) or alert group',
  },
  metrics: { type: 'string', value: ' PORT', help: 'serve Prometheus metrics at 127.0.0.1:PORT/metrics' },
  desk: { type: 'string', value: ' ADDRESS', help: 'check the alerts of the desk at this address, tls://HOST:PORT' },
  'desk-name': { type: 'string', value: ' NAME', help: 'name of the desk' },
  as: { type: 'string', value: ' NAME', help: 'name of this watcher of the desk' },
  'desk-sign-in': {
    type: 'string',
    value: ' FILE',
    names: 'file',
    help: 'a file with user and password, a line each, or a credentials file of NATS',
  },
  'desk-begin': { type: 'boolean', help: 'make the desk again, or the parts that its server lacks' },
} as const satisfies Flags

const exportFlags = {
  ids: { type: 'string', value: ' A,B', help: 'the indices. Required' },
  from: {
    type: 'string',
    value: ' TIME',
    help: 'start, such as 2026-11-01, "2026-11-01 16:00 London" or yesterday. Required',
  },
  to: { type: 'string', value: ' TIME', help: 'end, not included (default: now)' },
  out: {
    type: 'string',
    value: ' FILE',
    names: 'file',
    help: 'a .csv, .xlsx or .parquet file. An existing file is replaced. Required',
  },
  format: {
    type: 'string',
    value: ' F',
    choices: exportFormats,
    help: 'csv, csv-excel (as in your region), xlsx, parquet (default: by the ending of FILE)',
  },
  resolution: {
    type: 'string',
    value: ' R',
    choices: exportResolutions,
    help: `${exportResolutions.join(', ')} (default: every, which has all revisions)`,
  },
  zone: { type: 'string', value: ' ZONE', help: 'zone of times without one, such as Europe/London (default: UTC)' },
  demo: { type: 'boolean', help: 'export the history of the demo service' },
  'user-data-dir': folder,
  help: appFlags.help,
} as const satisfies Flags

interface Command {
  summary: string
  flags: Flags
  /** True if the command also accepts the flags of the app. */
  takesAppFlags: boolean
}

export const commands = {
  watch: {
    summary: 'print values and alerts as lines until Ctrl+C, without a window',
    flags: watchFlags,
    takesAppFlags: true,
  },
  export: {
    summary: 'write values of the history to a file. The app may be running',
    flags: exportFlags,
    takesAppFlags: false,
  },
  mcp: {
    summary: 'serve an AI assistant over stdio, with or without the running app',
    flags: {},
    takesAppFlags: true,
  },
} as const satisfies Record<string, Command>
export type CommandName = keyof typeof commands

export const links = 'indexwatch://index/ID, indexwatch://list/NAME or indexwatch://alert/new?index=ID&level=LEVEL'

/** The flags of a command, or without one those of the app. */
export function flagsOf(name?: CommandName): Flags {
  if (name === undefined) return appFlags
  const { flags, takesAppFlags } = commands[name]
  return takesAppFlags ? { ...flags, ...appFlags } : flags
}

/** A flag whose value Chromium would miss, because a blank is before it. The app would start with the default. */
export function flagWithBlank(argv: readonly string[]): string | undefined {
  return Object.entries(appFlags).flatMap(([name, flag]) => {
    const isGiven = 'value' in flag && argv.includes(`--${name}`)
    return isGiven ? [`--${name}: write the value after =, as in --${name}${flag.value}.`] : []
  })[0]
}

/** The command of this start, and its position. */
export function commandIn(argv: readonly string[]): { name: CommandName; at: number } | undefined {
  const at = argv.findIndex((argument) => Object.hasOwn(commands, argument))
  return at === -1 ? undefined : { name: argv[at] as CommandName, at }
}

/** A summary as a sentence. */
export const sentence = (text: string) => `${text.charAt(0).toUpperCase()}${text.slice(1)}.`

const rows = (entries: readonly (readonly [string, string])[]) =>
  entries.map(([left, help]) => `  ${left.padEnd(24)} ${help}\n`).join('')

const flagRows = (flags: Flags) =>
  rows(Object.entries(flags).map(([name, { value = '', help }]) => [`--${name}${value}`, help]))

/** The help of a command, or of the app. `program` is how it is started, such as `indexwatch export`. */
export function helpText(program: string, name?: CommandName): string {
  if (name === undefined) {
    const summaries = Object.entries(commands).map(([command, { summary }]) => [command, summary] as const)
    return (
      `Usage: ${program} [FLAGS] [LINK]\n       ${program} COMMAND [FLAGS]\n\n` +
      `${rows(summaries)}\n${flagRows(appFlags)}\nLINK: ${links}\n\n` +
      `The flags of a command: ${program} watch --help\n`
    )
  }
  const { summary, flags, takesAppFlags } = commands[name]
  const more = takesAppFlags ? ['The flags of the app work too: indexwatch --help\n'] : []
  return [`Usage: ${program} [FLAGS]\n`, `${sentence(summary)}\n`, flagRows(flags), ...more]
    .filter((part) => part !== '')
    .join('\n')
}
