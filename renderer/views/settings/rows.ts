/** What the settings show, from top to bottom. A preference that is not here, or a value without a name, does not compile. */
import type { Component } from 'svelte'
import type { Preferences } from '../../../core/preferences'
import type { WindowState } from '../../../protocol/desktop'
import { changeBaseNames } from '../../format/change'
import type { Page } from '../../state/page'
import AboutControl from './about-control.svelte'
import AlertSounds from './alert-sounds.svelte'
import AssistantSetup from './assistant-setup.svelte'
import HistorySize from './history-size.svelte'
import ProxySignIn from './proxy-sign-in.svelte'
import SpreadsheetPort from './spreadsheet-port.svelte'
import SpreadsheetSetup from './spreadsheet-setup.svelte'
import TestAlert from './test-alert.svelte'
import TickerIndices from './ticker-indices.svelte'
import UpdateControl from './update-control.svelte'
import XwaylandRestart from './xwayland-restart.svelte'
import ZoneControl from './zone-control.svelte'

export const sections = {
  appearance: 'Appearance',
  numbers: 'Numbers and time',
  behaviour: 'Notifications and startup',
  ticker: 'Ticker',
  connections: 'Connections',
  network: 'Network',
  history: 'History',
  assistants: 'Assistants',
  spreadsheets: 'Spreadsheets',
  help: 'Help and about',
} as const

type SectionName = keyof typeof sections

export const sectionNames = Object.keys(sections) as SectionName[]

type PreferenceName = keyof Preferences
/** What it draws may depend on the app. */
type OfApp = Component<{ app: WindowState }> | Component

interface Part {
  section: SectionName
  /** Absent: always shown. */
  when?: (app: WindowState) => boolean
}

/** Draws itself. */
interface ViewPart extends Part {
  view: OfApp
}

interface Row extends Part {
  label: string
  hint?: string
  /** Below the row. */
  note?: (app: WindowState) => string | undefined
  problem?: (app: WindowState) => string | undefined
}

interface SwitchRow extends Row {
  hint: string
}

interface ChoiceRow<V> extends Row {
  /** The values by their names, in the order in which they are shown. */
  choices: Readonly<Record<string, V>>
  hasSample?: true
}

interface ControlRow extends Row {
  control: OfApp
}

interface ButtonRow extends Row {
  button: string
  run: (page: Page) => void
}

interface LinkRow extends Row {
  link: string
  href: string
}

/** Asked for below a choice, which needs it for some of its values. */
type AddressOf<K extends PreferenceName> = { [C in K]: { of: C; neededFor: readonly Preferences[C][] } }[K] & {
  label: string
  placeholder: string
}

type AddressField = AddressOf<'secondChannel' | 'heartbeatMinutes' | 'proxy'>

type RowOf<V> =
  | ControlRow
  | ViewPart
  | ([V] extends [boolean]
      ? SwitchRow
      : string extends V
        ? AddressField
        : [V] extends [string | number]
          ? ChoiceRow<V>
          : never)

type OtherName =
  | 'testAlert'
  | 'xwaylandRestart'
  | 'proxySignIn'
  | 'historySize'
  | 'assistantSetup'
  | 'assistantCalls'
  | 'spreadsheetSetup'
  | 'keyboard'
  | 'diagnostics'
  | 'log'
  | 'updates'
  | 'about'

type Rows = { [K in PreferenceName]: RowOf<Preferences[K]> } & Record<
  OtherName,
  ViewPart | ControlRow | ButtonRow | LinkRow
>

const table = {
  theme: { section: 'appearance', label: 'Theme', choices: { System: 'system', Light: 'light', Dark: 'dark' } },
  density: {
    section: 'appearance',
    label: 'Row height',
    hint: 'Height of table rows.',
    choices: { Compact: 'compact', Comfortable: 'comfortable' },
  },
  directionColours: {
    section: 'appearance',
    label: 'Up and down colours',
    hint: 'Arrows and signs show direction too. Choose blue and orange if red and green look alike to you.',
    choices: { 'Green up, red down': 'greenUp', 'Red up, green down': 'redUp', 'Blue up, orange down': 'blueUp' },
    hasSample: true,
  },
  grouping: {
    section: 'numbers',
    label: 'Thousands separator',
    choices: { Comma: 'comma', Space: 'space', None: 'none' },
    hasSample: true,
  },
  timeZone: {
    section: 'numbers',
    label: 'Time zone',
    hint: 'All times on screen use this zone.',
    control: ZoneControl,
  },
  changeBase: {
    section: 'numbers',
    label: 'Change since',
    hint: 'What the change of a value is measured against.',
    choices: {
      [changeBaseNames.sessionFirst]: 'sessionFirst',
      [changeBaseNames.dayAgo]: 'dayAgo',
      [changeBaseNames.previousClose]: 'previousClose',
    },
  },
  showsNotifications: {
    section: 'behaviour',
    label: 'Notifications',
    hint: 'Alerts pop up on the desktop. The inbox keeps every event.',
  },
  alertSounds: {
    section: 'behaviour',
    label: 'Sound',
    hint: 'Play a sound for these severities.',
    control: AlertSounds,
  },
  secondChannel: {
    section: 'behaviour',
    label: 'Escalate urgent alerts',
    hint: 'If the desktop has not shown one within a second. Sound stops once you open the inbox, click the notification or mute alerts.',
    choices: { Off: 'off', 'Sound until seen': 'sound', Webhook: 'webhook' },
  },
  secondWebhook: {
    of: 'secondChannel',
    neededFor: ['webhook'],
    label: 'Webhook URL',
    placeholder: 'https://example.com/hook',
  },
  heartbeatMinutes: {
    section: 'behaviour',
    label: 'Heartbeat',
    hint: 'Pings a webhook while every connection is live and alerts are checked. Set your monitoring to alert you when the pings stop.',
    choices: { Off: 0, '1 min': 1, '5 min': 5, '15 min': 15, '60 min': 60 },
  },
  heartbeatWebhook: {
    of: 'heartbeatMinutes',
    neededFor: [1, 5, 15, 60],
    label: 'Heartbeat URL',
    placeholder: 'https://example.com/beat',
  },
  testAlert: {
    section: 'behaviour',
    label: 'Try it',
    hint: 'Sends a notification and reports whether the desktop showed it.',
    control: TestAlert,
  },
  startsAtLogin: { section: 'behaviour', label: 'Start at login', hint: 'Starts in the tray when you log in.' },
  startsAfterCrash: {
    section: 'behaviour',
    label: 'Restart after a crash',
    hint: 'Indexwatch restarts within seconds and checks the values it missed. At most three times in five minutes.',
  },
  showShortcut: {
    section: 'behaviour',
    label: 'Shortcut',
    hint: 'Shows or hides the window from any program.',
    choices: {
      Off: 'off',
      'Ctrl+Alt+I': 'Ctrl+Alt+I',
      'Ctrl+Shift+I': 'Ctrl+Shift+I',
      'Alt+Shift+I': 'Alt+Shift+I',
    },
  },
  closingWithoutTray: {
    section: 'behaviour',
    label: 'If there is no tray',
    hint: 'What closing the window does.',
    choices: { Ask: 'ask', 'Keep running': 'keepRunning', Quit: 'quit' },
  },
  showsTicker: {
    section: 'ticker',
    label: 'Show ticker',
    hint: 'A small window above all others. Drag it by its top bar. It snaps to edges.',
    note: waylandNote,
  },
  usesXWayland: {
    section: 'ticker',
    when: ({ xwayland }) => xwayland !== undefined,
    label: 'Use XWayland',
    hint: 'Lets the ticker keep its position and stay on top. Restart to apply; text may look softer on scaled displays.',
    note: ({ xwayland }) =>
      xwayland === 'overridden' ? 'Overridden on the command line for this session.' : undefined,
  },
  xwaylandRestart: { section: 'ticker', view: XwaylandRestart },
  tickerIds: {
    section: 'ticker',
    label: 'Indices',
    hint: 'The tray shows pinned indices or, if none, the first five of your first list.',
    control: TickerIndices,
  },
  tickerLayout: {
    section: 'ticker',
    label: 'Layout',
    choices: { 'One index per line': 'rows', 'Side by side': 'line' },
  },
  tickerSize: { section: 'ticker', label: 'Size', choices: { Small: 'small', Normal: 'normal', Large: 'large' } },
  tickerOpacity: {
    section: 'ticker',
    label: 'Opacity',
    hint: 'Background only. Needs a compositing desktop.',
    choices: { '100 %': 100, '85 %': 85, '70 %': 70 },
  },
  isTickerClickThrough: {
    section: 'ticker',
    label: 'Click-through',
    hint: 'Clicks go to the window below. Turn it off here or in the tray menu.',
  },
  proxy: {
    section: 'network',
    label: 'Proxy',
    hint: 'Used for all traffic. System also honours --proxy-server and HTTPS_PROXY. If your desktop uses a PAC script, choose PAC and paste its URL.',
    choices: { System: 'system', None: 'none', Fixed: 'fixed', PAC: 'pac' },
  },
  proxyServer: { of: 'proxy', neededFor: ['fixed'], label: 'Proxy address', placeholder: 'proxy.example:3128' },
  proxyScript: {
    of: 'proxy',
    neededFor: ['pac'],
    label: 'PAC script URL',
    placeholder: 'https://proxy.example/proxy.pac',
  },
  proxySignIn: {
    section: 'network',
    when: ({ settings }) => settings.proxy !== 'none',
    label: 'Proxy sign-in',
    hint: 'Only if your proxy asks for it. Sent to that proxy only. The password is stored in the keyring.',
    control: ProxySignIn,
  },
  historySize: {
    section: 'history',
    label: 'Current size',
    hint: 'Stored values, alerts and inbox.',
    control: HistorySize,
  },
  historyDays: {
    section: 'history',
    label: 'Keep values for',
    hint: '200 ms values are thinned to whole seconds after 7 days. Values that alerts and amendments refer to are always kept.',
    choices: { '30 days': 30, '90 days': 90, '1 year': 365 },
  },
  historyGigabytes: {
    section: 'history',
    label: 'Max size',
    hint: 'The oldest values are deleted first.',
    choices: { '1 GB': 1, '2 GB': 2, '10 GB': 10 },
  },
  allowsAssistants: {
    section: 'assistants',
    label: 'Allow assistants',
    hint: 'AI assistants on this computer can read your watchlists, values and alerts, and propose alerts. They never get your key.',
    problem: ({ assistants }) => assistants.problem,
  },
  assistantSetup: {
    section: 'assistants',
    label: 'Set up an assistant',
    hint: 'Copy this into the assistant’s configuration. While Indexwatch is closed, it answers from the history.',
    control: AssistantSetup,
  },
  assistantCalls: {
    section: 'assistants',
    label: 'Calls',
    hint: 'Which assistant asked what, and when.',
    link: 'Show calls',
    href: '#assistants',
  },
  allowsSpreadsheets: {
    section: 'spreadsheets',
    label: 'Allow spreadsheets',
    hint: 'Programs on this computer that have the token can read watchlists, values and history as CSV. They cannot change anything.',
    problem: ({ spreadsheets }) => spreadsheets.problem,
  },
  spreadsheetPort: { section: 'spreadsheets', view: SpreadsheetPort },
  spreadsheetSetup: { section: 'spreadsheets', view: SpreadsheetSetup },
  keyboard: {
    section: 'help',
    label: 'Keyboard',
    hint: 'Everything works from the keyboard.',
    button: 'Keyboard shortcuts',
    run: ({ dialogs }) => {
      dialogs.show({ kind: 'shortcuts' })
    },
  },
  diagnostics: {
    section: 'help',
    label: 'Diagnostics',
    hint: 'Counters and recent errors, to send to support.',
    link: 'Open diagnostics',
    href: '#settings/diagnostics',
  },
  log: {
    section: 'help',
    label: 'Log',
    hint: 'What happened in the last weeks, to send to support. Contains no secrets.',
    button: 'Open log folder',
    run: ({ perform }) => void perform('openFolder', { folder: 'log' }),
  },
  updates: {
    section: 'help',
    when: ({ update }) => update !== undefined,
    label: 'Updates',
    hint: 'Checked once a day. Updates are installed when Indexwatch quits.',
    control: UpdateControl,
  },
  about: { section: 'help', label: 'About', control: AboutControl },
} satisfies Rows

/** Values of choices that have no name. */
type Unnamed = {
  [K in PreferenceName]: (typeof table)[K] extends { choices: infer C } ? Exclude<Preferences[K], C[keyof C]> : never
}[PreferenceName]

const rows: [Unnamed] extends [never] ? Rows : Record<'choices without a name', Unnamed> = table

type Named = { [K in keyof Rows]: { name: K } & Rows[K] }[keyof Rows]
export type Address = Extract<Named, { of: string }>
export type ChoiceName = Extract<Named, { choices: unknown }>['name']
/** A row or a view of a section. */
export type SettingPart = Exclude<Named, Address>

const named = Object.entries(rows).map(([name, row]) => ({ name, ...row })) as Named[]

export function partsOf(section: SectionName): SettingPart[] {
  return named.filter((part) => 'section' in part && part.section === section) as SettingPart[]
}

export function addressesOf(name: ChoiceName): Address[] {
  return named.filter((part) => 'of' in part && part.of === name) as Address[]
}

function waylandNote({ placesWindows, xwayland }: WindowState): string | undefined {
  if (placesWindows) return undefined
  const ticker = 'On Wayland the compositor controls the ticker’s position and whether it stays on top.'
  return xwayland === undefined
    ? `${ticker} XWayland, which would let Indexwatch set both, is not available in this session.`
    : ticker
}
