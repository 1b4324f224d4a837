/** The settings on screen, from top to bottom. A missing preference or a value without a name does not compile. */
import type { Component } from 'svelte'
import type { Preferences } from '../../../core/preferences'
import type { WindowState } from '../../../protocol/desktop'
import { changeBaseNames } from '../../format/change'
import { tableFormatNames } from '../../format/table-formats'
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

type PreferenceName = keyof Preferences
type AppComponent = Component<{ app: WindowState }> | Component

interface Conditional {
  /** Whether it is shown. Always if undefined. */
  when?: (app: WindowState) => boolean
}

/** A component instead of a row. */
interface View extends Conditional {
  view: AppComponent
}

interface Row extends Conditional {
  label: string
  hint?: string
  /** A text below the row. */
  note?: (app: WindowState) => string | undefined
  problem?: (app: WindowState) => string | undefined
}

interface SwitchRow extends Row {
  hint: string
}

interface ChoiceRow<V> extends Row {
  /** The values by name, in the order on screen. */
  choices: Readonly<Record<string, V>>
  hasSample?: true
}

interface ControlRow extends Row {
  control: AppComponent
}

interface ButtonRow extends Row {
  button: string
  run: (page: Page) => void
}

interface LinkRow extends Row {
  link: string
  href: string
}

/** An address below a choice that needs it for some of its values. */
type AddressOf<K extends PreferenceName> = { [C in K]: { of: C; neededFor: readonly Preferences[C][] } }[K] & {
  label: string
  placeholder: string
}

type RowOf<V> =
  | View
  | ControlRow
  | ([V] extends [boolean]
      ? SwitchRow
      : string extends V
        ? AddressOf<'secondChannel' | 'heartbeatMinutes' | 'proxy'>
        : [V] extends [string | number]
          ? ChoiceRow<V>
          : never)

type PreferenceRows = { [K in PreferenceName]: RowOf<Preferences[K]> }
/** Rows that are not preferences. */
type OtherRows = Record<`${string}Row`, View | ControlRow | ButtonRow | LinkRow>

const allRows = {
  appearance: {
    theme: { label: 'Theme', choices: { System: 'system', Light: 'light', Dark: 'dark' } },
    density: {
      label: 'Row height',
      choices: { Compact: 'compact', Comfortable: 'comfortable' },
    },
    directionColours: {
      label: 'Up and down colours',
      hint: 'Arrows and signs show direction too. Choose blue and orange if red and green look alike to you.',
      choices: { 'Green up, red down': 'greenUp', 'Red up, green down': 'redUp', 'Blue up, orange down': 'blueUp' },
      hasSample: true,
    },
  },
  numbers: {
    grouping: {
      label: 'Thousands separator',
      choices: { Comma: 'comma', Space: 'space', None: 'none' },
      hasSample: true,
    },
    timeZone: { label: 'Time zone', hint: 'All times on screen use this zone.', control: ZoneControl },
    changeBase: {
      label: 'Change since',
      hint: 'What the change of a value is measured against.',
      choices: {
        [changeBaseNames.sessionFirst]: 'sessionFirst',
        [changeBaseNames.dayAgo]: 'dayAgo',
        [changeBaseNames.previousClose]: 'previousClose',
      },
    },
  },
  behaviour: {
    showsNotifications: { label: 'Notifications', hint: 'Alerts pop up on the desktop. The inbox keeps every event.' },
    alertSounds: { label: 'Sound', hint: 'Play a sound for these severities.', control: AlertSounds },
    secondChannel: {
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
    testAlertRow: {
      label: 'Try it',
      hint: 'Sends a notification and reports whether the desktop showed it.',
      control: TestAlert,
    },
    startsAtLogin: { label: 'Start at login', hint: 'Starts in the tray when you log in.' },
    startsAfterCrash: {
      label: 'Restart after a crash',
      hint: 'Indexwatch restarts within seconds and checks the values it missed. At most three times in five minutes.',
    },
    showShortcut: {
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
      label: 'If there is no tray',
      hint: 'What closing the window does.',
      choices: { Ask: 'ask', 'Keep running': 'keepRunning', Quit: 'quit' },
    },
  },
  ticker: {
    showsTicker: {
      label: 'Show ticker',
      hint: 'A small window above all others. Drag it by its top bar. It snaps to edges.',
      note: waylandNote,
    },
    usesXWayland: {
      when: ({ xwayland }) => xwayland !== undefined,
      label: 'Use XWayland',
      hint: 'Lets the ticker keep its position and stay on top. Restart to apply; text may look softer on scaled displays.',
      note: ({ xwayland }) =>
        xwayland === 'overridden' ? 'Overridden on the command line for this session.' : undefined,
    },
    xwaylandRestartRow: { view: XwaylandRestart },
    tickerIds: {
      label: 'Indices',
      hint: 'The tray shows pinned indices or, if none, the first five of your first list.',
      control: TickerIndices,
    },
    tickerLayout: { label: 'Layout', choices: { 'One index per line': 'rows', 'Side by side': 'line' } },
    tickerSize: { label: 'Size', choices: { Small: 'small', Normal: 'normal', Large: 'large' } },
    tickerOpacity: {
      label: 'Opacity',
      hint: 'Background only. Needs a compositing desktop.',
      choices: { '100 %': 100, '85 %': 85, '70 %': 70 },
    },
    isTickerClickThrough: {
      label: 'Click-through',
      hint: 'Clicks go to the window below. Turn it off here or in the tray menu.',
    },
  },
  network: {
    proxy: {
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
    proxySignInRow: {
      when: ({ settings: { proxy }, hasProxyAsked }) => hasProxyAsked || proxy === 'fixed' || proxy === 'pac',
      label: 'Proxy sign-in',
      hint: 'Only if your proxy asks for it. Sent to that proxy only. The password is stored in the keyring.',
      control: ProxySignIn,
    },
  },
  history: {
    historySizeRow: { label: 'Current size', hint: 'Stored values, alerts and inbox.', control: HistorySize },
    historyDays: {
      label: 'Keep values for',
      hint: '200 ms values are thinned to whole seconds after 7 days. Values that alerts and amendments refer to are always kept.',
      choices: { '30 days': 30, '90 days': 90, '1 year': 365 },
    },
    historyGigabytes: {
      label: 'Max size',
      hint: 'The oldest values are deleted first.',
      choices: { '1 GB': 1, '2 GB': 2, '10 GB': 10 },
    },
    tableFormat: {
      label: 'Format of exports',
      hint: 'CSV is for programs. The other two are for spreadsheets.',
      choices: tableFormatNames,
    },
  },
  assistants: {
    allowsAssistants: {
      label: 'Allow assistants',
      hint: 'AI assistants on this computer can read your watchlists, values and alerts, and propose alerts. They never get your key.',
      problem: ({ assistants }) => assistants.problem,
    },
    assistantSetupRow: {
      label: 'Set up an assistant',
      hint: 'Copy this into the assistant’s configuration. While Indexwatch is closed, it answers from the history.',
      control: AssistantSetup,
    },
    assistantCallsRow: {
      label: 'Calls',
      hint: 'Which assistant asked what, and when.',
      link: 'Show calls',
      href: '#assistants',
    },
  },
  spreadsheets: {
    allowsSpreadsheets: {
      label: 'Allow spreadsheets',
      hint: 'Programs on this computer that have the token can read watchlists, values and history as CSV. They cannot change anything.',
      problem: ({ spreadsheets }) => spreadsheets.problem,
    },
    spreadsheetPort: { view: SpreadsheetPort },
    spreadsheetSetupRow: { view: SpreadsheetSetup },
  },
  help: {
    keyboardRow: {
      label: 'Keyboard',
      hint: 'Everything works from the keyboard.',
      button: 'Keyboard shortcuts',
      run: ({ dialogs }) => dialogs.show({ kind: 'shortcuts' }),
    },
    diagnosticsRow: {
      label: 'Diagnostics',
      hint: 'Counters and recent errors, to send to support.',
      link: 'Open diagnostics',
      href: '#settings/diagnostics',
    },
    logRow: {
      label: 'Log',
      hint: 'Recent events, to send to support. Contains no secrets.',
      button: 'Open log folder',
      run: ({ perform }) => void perform('openFolder', { folder: 'log' }),
    },
    updatesRow: {
      when: ({ update }) => update !== undefined,
      label: 'Updates',
      hint: 'Checked once a day. Updates are installed when Indexwatch quits.',
      control: UpdateControl,
    },
    aboutRow: { label: 'About', control: AboutControl },
  },
} satisfies Record<string, Partial<PreferenceRows> & OtherRows>

/** The preferences without a row, and the values without a name. The alert dialog shows the templates. */
type Missing<T> =
  | Exclude<PreferenceName, 'alertTemplates' | { [S in keyof T]: keyof T[S] }[keyof T]>
  | { [S in keyof T]: Unnamed<T[S]> }[keyof T]
type Unnamed<T> = {
  [K in keyof T & PreferenceName]: T[K] extends { choices: infer C } ? Exclude<Preferences[K], C[keyof C]> : never
}[keyof T & PreferenceName]
type Complete<T> = [Missing<T>] extends [never] ? T : { missing: Missing<T> }

const rows: Complete<typeof allRows> = allRows

type OfPreference = { [K in PreferenceName]: { name: K } & PreferenceRows[K] }[PreferenceName]
export type Address = Extract<OfPreference, { of: string }>
export type ChoiceName = Extract<OfPreference, { choices: unknown }>['name']
/** A row or a component in a section. */
export type Part = Exclude<OfPreference, Address> | ({ name: keyof OtherRows } & OtherRows[keyof OtherRows])

const inSections = Object.entries(rows).map(([section, entries]) => {
  const parts = Object.entries(entries).map(([name, entry]) => ({ name, ...entry }) as Part | Address)
  return { section, parts }
})

export function partsOf(wanted: string): Part[] {
  const parts = inSections.flatMap(({ section, parts: each }) => (section === wanted ? each : []))
  return parts.filter((part): part is Part => !('of' in part))
}

export function addressesOf(name: ChoiceName): Address[] {
  return inSections.flatMap(({ parts }) => parts).filter((part): part is Address => 'of' in part && part.of === name)
}

/** The sections in the order on screen. Connections, webhooks and the desk have no rows here. */
export const sections = {
  appearance: 'Appearance',
  numbers: 'Numbers and time',
  behaviour: 'Notifications and startup',
  webhooks: 'Webhooks',
  desk: 'Desk',
  ticker: 'Ticker',
  connections: 'Connections',
  network: 'Network',
  history: 'History',
  assistants: 'Assistants',
  spreadsheets: 'Spreadsheets',
  help: 'Help and about',
}

function waylandNote({ placesWindows, xwayland }: WindowState): string | undefined {
  if (placesWindows) return undefined
  const ticker = 'On Wayland the compositor controls the ticker’s position and whether it stays on top.'
  return xwayland === undefined
    ? `${ticker} XWayland, which would let Indexwatch set both, is not available in this session.`
    : ticker
}
