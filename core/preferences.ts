/**
 * How the app looks and behaves. Each preference is declared here once. The schemas of the settings file and of the
 * window's commands follow from it. The page imports only types, so that it does not load the validators.
 * `renderer/views/settings/rows.ts` says how each is shown.
 */
import * as v from 'valibot'
import { severities } from './severity'
import { tableFormats } from './table-formats'
import {
  indexIdSchema,
  isTimeZone,
  maxGlanceIds,
  namesUser,
  proxyAddress,
  storedGlanceIds,
  webhookProblem,
} from './shapes'
import { webhookChoiceProblem } from './webhook-services'

/**
 * `called`: its name in a sentence. `appliedIn`: the file that applies it. A test looks for the preference's name
 * there. A settings file without the preference gets the default. `inFile`: a more tolerant schema for the settings
 * file.
 */
function preference<S extends v.GenericSchema>(
  called: string,
  appliedIn: `${'main' | 'protocol' | 'renderer'}/${string}`,
  schema: S,
  byDefault: v.InferOutput<S>,
  inFile: v.GenericSchema<unknown, v.InferOutput<S>> = schema,
) {
  return { called, appliedIn, schema, byDefault, stored: v.optional(inFile, byDefault), patch: v.exactOptional(schema) }
}

/** One of these options. */
function choice<const O extends readonly (string | number)[]>(
  called: string,
  appliedIn: Parameters<typeof preference>[1],
  options: O,
  byDefault: O[number],
) {
  return preference(called, appliedIn, v.picklist(options), byDefault)
}

/** Refuses a name and password, because they would be stored in a plain file. */
function isWebAddress(text: string): boolean {
  if (!URL.canParse(text)) return false
  const { protocol, username, password } = new URL(text)
  return /^https?:$/.test(protocol) && username === '' && password === ''
}

/** The address of a webhook, or empty. */
function webhookAddress(problem: (text: string) => string | undefined) {
  return v.pipe(
    v.string(),
    v.check(
      (text) => text === '' || problem(text) === undefined,
      ({ input }) => problem(input) ?? '',
    ),
  )
}

const maxTemplates = 50

const table = {
  theme: choice('theme', 'renderer/state/display.svelte.ts', ['system', 'light', 'dark'], 'system'),
  density: choice('row height', 'renderer/app.svelte', ['compact', 'comfortable'], 'comfortable'),
  /** The colours of up and down: green and red, red and green, or blue and orange for colour-blind users. */
  directionColours: choice(
    'up and down colours',
    'renderer/state/display.svelte.ts',
    ['greenUp', 'redUp', 'blueUp'],
    'greenUp',
  ),
  /** The separator of groups of three digits on screen. */
  grouping: choice('thousands separator', 'renderer/state/display.svelte.ts', ['comma', 'space', 'none'], 'comma'),
  /** `system`, or the name of a zone such as `UTC` or `Europe/London`. */
  timeZone: preference(
    'time zone',
    'renderer/state/display.svelte.ts',
    v.pipe(v.string(), v.maxLength(64), v.check(isTimeZone, 'Choose a time zone such as Europe/London.')),
    'system',
  ),
  /** The baseline of changes. */
  changeBase: choice(
    'what changes are measured against',
    'main/features/values.ts',
    ['sessionFirst', 'dayAgo', 'previousClose'],
    'previousClose',
  ),
  /** Whether alerts are shown as native notifications. The inbox records them in any case. */
  showsNotifications: preference('notifications', 'main/app/notifications.ts', v.boolean(), true),
  /** Severities whose alerts play a sound. */
  alertSounds: preference(
    'sounds of alerts',
    'main/app/notifications.ts',
    v.pipe(
      v.array(v.picklist(severities)),
      v.transform((chosen) => severities.filter((severity) => chosen.includes(severity))),
    ),
    ['normal', 'urgent'],
  ),
  /** How an urgent alert is escalated if the desktop has not shown it in time. */
  secondChannel: choice('escalation of urgent alerts', 'main/app/notifications.ts', ['off', 'sound', 'webhook'], 'off'),
  /** For `webhook`. */
  secondWebhook: preference(
    'webhook of the escalation',
    'main/app/notifications.ts',
    webhookAddress(webhookChoiceProblem),
    '',
  ),
  /** Minutes between two messages that all connections are live. 0: none. */
  heartbeatMinutes: choice('heartbeat', 'main/app/notifications.ts', [0, 1, 5, 15, 60], 0),
  heartbeatWebhook: preference(
    'webhook of the heartbeat',
    'main/app/notifications.ts',
    webhookAddress(webhookProblem),
    '',
  ),
  startsAtLogin: preference('start at login', 'main/app/app.ts', v.boolean(), false),
  /** Whether a service manager restarts the app after a crash. */
  startsAfterCrash: preference('restart after a crash', 'main/app/app.ts', v.boolean(), true),
  /** The global shortcut that shows or hides the window, in Electron's accelerator syntax. */
  showShortcut: choice(
    'shortcut of the window',
    'main/desktop/show-shortcut.ts',
    ['off', 'Ctrl+Alt+I', 'Ctrl+Shift+I', 'Alt+Shift+I'],
    'off',
  ),
  /** What closing the window does if the desktop has no tray. */
  closingWithoutTray: choice('closing without a tray', 'main/app/desktop.ts', ['ask', 'keepRunning', 'quit'], 'ask'),
  /** Drafts to begin alerts with. The alert dialog reads them by the schema of drafts. */
  alertTemplates: preference(
    'alert templates',
    'renderer/views/alerts/dialog/template-menu.svelte',
    v.pipe(
      v.array(
        v.object({
          name: v.pipe(v.string(), v.trim(), v.minLength(1), v.maxLength(60)),
          draft: v.record(v.string(), v.unknown()),
        }),
      ),
      v.maxLength(maxTemplates, `There can be at most ${maxTemplates} templates. Delete one first.`),
    ),
    [],
  ),
  /** The ticker: whether it is open, and how it looks. */
  showsTicker: preference('ticker', 'main/desktop/ticker.ts', v.boolean(), false),
  /** Indices in the ticker, in order. Empty: the same as in the tray. */
  tickerIds: preference(
    'indices of the ticker',
    'protocol/glance.ts',
    v.pipe(
      v.array(indexIdSchema),
      v.maxLength(maxGlanceIds, `The ticker shows at most ${maxGlanceIds} indices. Remove one first.`),
      v.transform((ids) => [...new Set(ids)]),
    ),
    [],
    storedGlanceIds,
  ),
  /** One line for each index, or all side by side. */
  tickerLayout: choice('layout of the ticker', 'renderer/views/ticker/ticker-view.svelte', ['rows', 'line'], 'rows'),
  tickerSize: choice(
    'size of the ticker',
    'renderer/views/ticker/ticker-view.svelte',
    ['small', 'normal', 'large'],
    'normal',
  ),
  /** Opacity of the background in percent. Digits stay solid. Below 70 they would be unreadable on some backgrounds. */
  tickerOpacity: choice('opacity of the ticker', 'main/desktop/ticker.ts', [100, 85, 70], 100),
  /** Clicks go to what is below the ticker. */
  isTickerClickThrough: preference('click-through of the ticker', 'main/desktop/ticker.ts', v.boolean(), false),
  /**
   * In a Wayland session: run through XWayland, where windows can be placed and kept on top. Takes effect at the next
   * start.
   */
  usesXWayland: preference('XWayland', 'main/app/start.ts', v.boolean(), false),
  /** How long values are kept, and how much disk space they may use. The limit reached first applies. */
  historyDays: choice('days of history', 'main/features/history.ts', [30, 90, 365], 90),
  historyGigabytes: choice('size of the history', 'main/features/history.ts', [1, 2, 10], 2),
  /** The format of saved tables. */
  tableFormat: choice('format of tables', 'main/features/user-files.ts', tableFormats, 'csv'),
  /** Whether AI assistants on this computer may read values and alerts, and propose alerts. */
  allowsAssistants: preference('AI assistants', 'main/access/answers.ts', v.boolean(), false),
  /** Whether spreadsheets on this computer may read values, and at which port. */
  allowsSpreadsheets: preference('spreadsheets', 'main/access/spreadsheet-access.ts', v.boolean(), false),
  spreadsheetPort: preference(
    'port of spreadsheets',
    'main/access/spreadsheet-access.ts',
    v.pipe(
      v.number(),
      v.integer('A port is a whole number.'),
      v.minValue(1_024, 'Choose a port from 1024 to 65535.'),
      v.maxValue(65_535, 'Choose a port from 1024 to 65535.'),
    ),
    27_463,
  ),
  /** The proxy for connections to services. */
  proxy: choice('proxy', 'main/desktop/proxies.ts', ['system', 'none', 'fixed', 'pac'], 'system'),
  /** For `fixed`: `http://host:port`, or empty. */
  proxyServer: preference(
    'address of the proxy',
    'main/desktop/proxies.ts',
    v.pipe(
      v.string(),
      v.maxLength(300),
      v.check(
        (text) => text === '' || proxyAddress(text) !== undefined,
        'Enter the proxy as host:port, such as proxy.example:3128.',
      ),
      // The settings are plain text, so a password must not be in them.
      v.check(
        (text) => !namesUser(text),
        'Enter the proxy without a name and password. Enter those under Proxy sign-in.',
      ),
      v.transform((text) => proxyAddress(text) ?? ''),
    ),
    '',
  ),
  /** For `pac`: the address of the script, or empty. */
  proxyScript: preference(
    'script of the proxy',
    'main/desktop/proxies.ts',
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
export type Grouping = Preferences['grouping']
export type ChangeBase = Preferences['changeBase']
export type SecondChannelChoice = Preferences['secondChannel']
export type TickerLayout = Preferences['tickerLayout']
export type TickerSize = Preferences['tickerSize']

function column<C extends 'called' | 'appliedIn' | 'byDefault' | 'stored' | 'patch'>(name: C) {
  const entries = Object.entries(table).map(([key, each]) => [key, each[name]])
  return Object.fromEntries(entries) as { [K in keyof Table]: Table[K][C] }
}

export const preferenceNames = column('called')

export const appliedIn = column('appliedIn')

export function defaultPreferences(): Preferences {
  return structuredClone(column('byDefault'))
}

/** Schemas of preferences in the settings file. */
export const storedPreferences = column('stored')

/** Schemas of preferences in a change, all optional. */
export const preferencePatch = column('patch')
