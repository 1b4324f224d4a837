/**
 * How the app looks and behaves for this user. A preference is declared here alone: its type, what is read from the
 * settings file, what the window may ask for and its default follow. The page imports types only, so that the validators
 * stay out of it.
 */
import * as v from 'valibot'
import { severities } from './severity'
import {
  indexIdSchema,
  isTimeZone,
  maxGlanceIds,
  namesUser,
  proxyAddress,
  storedGlanceIds,
  webhookProblem,
} from './shapes'

/** A file from before there was this preference gets the default; `inFile` where a file is read more kindly than a command. */
function preference<S extends v.GenericSchema>(
  schema: S,
  byDefault: v.InferOutput<S>,
  inFile: v.GenericSchema<unknown, v.InferOutput<S>> = schema,
) {
  return { schema, byDefault, stored: v.optional(inFile, byDefault), patch: v.exactOptional(schema) }
}

/** One with a name and a password is none: they would be kept in a plain file. */
function isWebAddress(text: string): boolean {
  if (!URL.canParse(text)) return false
  const { protocol, username, password } = new URL(text)
  return /^https?:$/.test(protocol) && username === '' && password === ''
}

/** The address of a webhook, or empty. */
const webhookAddress = v.pipe(
  v.string(),
  v.check(
    (text) => text === '' || webhookProblem(text) === undefined,
    ({ input }) => webhookProblem(input) ?? '',
  ),
)

/** How often a heartbeat goes out; 0: never. */
export const heartbeatMinutes = [0, 1, 5, 15, 60] as const

const table = {
  theme: preference(v.picklist(['system', 'light', 'dark']), 'system'),
  density: preference(v.picklist(['compact', 'comfortable']), 'comfortable'),
  /** What stands for up and down: green and red, red and green, or blue and orange where red and green look alike. */
  directionColours: preference(v.picklist(['greenUp', 'redUp', 'blueUp']), 'greenUp'),
  /** What separates groups of three digits on screen. */
  grouping: preference(v.picklist(['comma', 'space', 'none']), 'comma'),
  /** `system`, or the name of a zone such as `UTC` or `Europe/London`. */
  timeZone: preference(
    v.pipe(v.string(), v.maxLength(64), v.check(isTimeZone, 'Choose a time zone such as Europe/London.')),
    'system',
  ),
  /** What changes are counted from (product: Watchlists). */
  changeBase: preference(v.picklist(['sessionFirst', 'dayAgo', 'previousClose']), 'previousClose'),
  /** Whether alerts are shown as native notifications; the inbox has them in any case. */
  showsNotifications: preference(v.boolean(), true),
  /** Severities whose alerts play a sound. */
  alertSounds: preference(
    v.pipe(
      v.array(v.picklist(severities)),
      v.transform((chosen) => severities.filter((severity) => chosen.includes(severity))),
    ),
    ['urgent'],
  ),
  /** How an urgent alert goes that the desktop has not shown in time. */
  secondChannel: preference(v.picklist(['off', 'sound', 'webhook']), 'off'),
  /** For `webhook`. */
  secondWebhook: preference(webhookAddress, ''),
  /** Between two messages that all is live; see `heartbeatMinutes`. */
  heartbeatMinutes: preference(v.picklist(heartbeatMinutes), 0),
  heartbeatWebhook: preference(webhookAddress, ''),
  startsAtLogin: preference(v.boolean(), false),
  /** Whether something that outlives the app starts it again after a crash. */
  startsAfterCrash: preference(v.boolean(), true),
  /** Keys that show or hide the window from anywhere, as Electron's accelerators are written. */
  showShortcut: preference(v.picklist(['off', 'Ctrl+Alt+I', 'Ctrl+Shift+I', 'Alt+Shift+I']), 'off'),
  /** What closing the window does where the desktop has no tray to go on in. */
  closingWithoutTray: preference(v.picklist(['ask', 'keepRunning', 'quit']), 'ask'),
  /** The ticker: whether it is open, and how it looks. */
  showsTicker: preference(v.boolean(), false),
  /** What it shows, in order; none: what the tray shows. */
  tickerIds: preference(
    v.pipe(
      v.array(indexIdSchema),
      v.maxLength(maxGlanceIds, `The ticker shows at most ${maxGlanceIds} indices. Remove one first.`),
      v.transform((ids) => [...new Set(ids)]),
    ),
    [],
    storedGlanceIds,
  ),
  /** A line for each index, or all of them side by side. */
  tickerLayout: preference(v.picklist(['rows', 'line']), 'rows'),
  tickerSize: preference(v.picklist(['small', 'normal', 'large']), 'normal'),
  /** Of its ground, in percent: digits stay solid. Below 70 they could not be read on every ground. */
  tickerOpacity: preference(v.picklist([100, 85, 70]), 100),
  /** Clicks go to what is below the ticker. */
  isTickerClickThrough: preference(v.boolean(), false),
  /** In a Wayland session: run through XWayland, where windows can be placed and kept on top. Holds from the next start. */
  usesXWayland: preference(v.boolean(), false),
  /** How long values are kept, and how much of the disk they may take; whichever is reached first. */
  historyDays: preference(v.picklist([30, 90, 365]), 90),
  historyGigabytes: preference(v.picklist([1, 2, 10]), 2),
  /** Whether AI assistants on this computer may read values and alerts, and propose alerts. */
  allowsAssistants: preference(v.boolean(), false),
  /** Whether spreadsheets on this computer may read values, and at which port. */
  allowsSpreadsheets: preference(v.boolean(), false),
  spreadsheetPort: preference(
    v.pipe(
      v.number(),
      v.integer('A port is a whole number.'),
      v.minValue(1_024, 'Choose a port from 1024 to 65535.'),
      v.maxValue(65_535, 'Choose a port from 1024 to 65535.'),
    ),
    27_463,
  ),
  /** Which proxy services are reached through. */
  proxy: preference(v.picklist(['system', 'none', 'fixed', 'pac']), 'system'),
  /** For `fixed`: `http://host:port`, or empty. */
  proxyServer: preference(
    v.pipe(
      v.string(),
      v.maxLength(300),
      v.check(
        (text) => text === '' || proxyAddress(text) !== undefined,
        'Enter the proxy as host:port, such as proxy.example:3128.',
      ),
      // The settings are plain text: a password belongs with the keys.
      v.check(
        (text) => !namesUser(text),
        'Enter the proxy without a name and password. Enter those under Proxy sign-in.',
      ),
      v.transform((text) => proxyAddress(text) ?? ''),
    ),
    '',
  ),
  /** For `pac`: where the script is, or empty. */
  proxyScript: preference(
    v.pipe(
      v.string(),
      v.maxLength(2048),
      v.check(
        (text) => text === '' || isWebAddress(text),
        'Enter the address of the script, such as https://proxy.example/proxy.pac.',
      ),
    ),
    '',
  ),
}

type Table = typeof table

export type Preferences = { [K in keyof Table]: v.InferOutput<Table[K]['schema']> }
export type Theme = Preferences['theme']
export type Density = Preferences['density']
export type DirectionColours = Preferences['directionColours']
export type Grouping = Preferences['grouping']
export type ChangeBase = Preferences['changeBase']
export type SecondChannelChoice = Preferences['secondChannel']
export type ShowShortcut = Preferences['showShortcut']
export type ClosingWithoutTray = Preferences['closingWithoutTray']
export type TickerLayout = Preferences['tickerLayout']
export type TickerSize = Preferences['tickerSize']
export type TickerOpacity = Preferences['tickerOpacity']
export type HistoryDays = Preferences['historyDays']
export type ProxyChoice = Preferences['proxy']
export type HistoryGigabytes = Preferences['historyGigabytes']

function column<C extends 'byDefault' | 'stored' | 'patch'>(name: C) {
  const entries = Object.entries(table).map(([key, each]) => [key, each[name]])
  return Object.fromEntries(entries) as { [K in keyof Table]: Table[K][C] }
}

export function defaultPreferences(): Preferences {
  return structuredClone(column('byDefault'))
}

/** Validators of the preferences in a settings file. */
export const storedPreferences = column('stored')

/** Validators of preferences to be changed: each may be left out. */
export const preferencePatch = column('patch')
