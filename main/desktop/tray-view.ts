import { stateWords } from '../../core/connection-words'
import { formatCount, formatDecimal, percentChange } from '../../core/decimal'
import { noDataWords } from '../../core/alert-words'
import { notJudgedOf, type Judging } from '../../protocol/judging'
import { shownTimeMs } from '../../core/freshness'
import type { ChangeReference, ConnectionState, ConnectionStatus, IndexId, Quote } from '../../core/model'
import type { Grouping, Preferences } from '../../core/preferences'
import { sanitizeForDesktop } from '../base/sanitize'
import { timeText } from '../base/user-time'

/** What the icon shows. */
export interface TrayIconState {
  connection: 'live' | 'waiting' | 'off'
  hasUnread: boolean
  /** True if all alerts are muted. */
  isMuted: boolean
}

export type TrayAction =
  | 'open'
  | 'openAlerts'
  | 'muteForHour'
  | 'mute'
  | 'unmute'
  | 'pause'
  | 'resume'
  | 'showTicker'
  | 'closeTicker'
  | 'catchClicks'
  | 'quit'

/** The state of a shown value. */
type ValueStanding = 'live' | 'notLive' | 'cached'

export type TrayItem =
  | { kind: 'separator' }
  | { kind: 'command'; label: string; action: TrayAction; isTicked?: true }
  /** The menu shows no values. A new value would replace the menu, and an open menu would break. */
  | { kind: 'index'; id: IndexId }

export interface TrayView {
  icon: TrayIconState
  tooltip: string
  /** The first value while it is live. macOS shows it beside the icon. */
  title: string
  items: TrayItem[]
  /** Time until the first live value becomes stale without an update. Undefined if none will. */
  staleInMs?: number
}

const iconConnections: Record<ConnectionState, TrayIconState['connection']> = {
  connecting: 'waiting',
  live: 'live',
  reconnecting: 'waiting',
  offline: 'off',
  notAuthorised: 'off',
}

const standingWords: Record<ValueStanding, string> = { live: '', notLive: ' (not live)', cached: ' (cached)' }

function standingOf({ id, source }: Quote, state: ConnectionState, isStale: IsStale): ValueStanding {
  if (source === 'cache') return 'cached'
  return state === 'live' && !isStale(id) ? 'live' : 'notLive'
}

type IsStale = (id: IndexId) => boolean

/** An index of the tray. */
export interface TrayQuote extends Quote {
  /** The value that its change is computed from. */
  reference?: ChangeReference | undefined
}

function valueLine(quote: TrayQuote, standing: ValueStanding, grouping: Grouping, time: (ms: number) => string) {
  const value = `${quote.id} ${formatDecimal(quote.value, { grouping })}`
  return `${value}${changeWords(quote)} at ${time(shownTimeMs(quote))}${standingWords[standing]}`
}

function changeWords({ value, reference }: TrayQuote): string {
  const percent = reference && percentChange(reference.value, value)
  if (percent === undefined) return ''
  const sign = percent.startsWith('-') ? '▼ ' : /[1-9]/.test(percent) ? '▲ ' : ''
  return ` ${sign}${percent.replace('-', '')} %`
}

/** Cuts the seconds from the time. */
function mutedWords(untilMs: number | null, time: (ms: number) => string): string {
  return untilMs === null ? 'Alerts muted' : `Alerts muted until ${time(untilMs).slice(0, -3)}`
}

const muteItems: readonly TrayItem[] = [
  { kind: 'command', label: 'Mute alerts for 1 hour', action: 'muteForHour' },
  { kind: 'command', label: 'Mute alerts until I unmute', action: 'mute' },
]
const pauseItem: TrayItem = { kind: 'command', label: 'Disconnect', action: 'pause' }
const resumeItem: TrayItem = { kind: 'command', label: 'Reconnect', action: 'resume' }
const unmuteItem: TrayItem = { kind: 'command', label: 'Unmute alerts', action: 'unmute' }

function tickerItems({ showsTicker, isTickerClickThrough }: TrayPreferences): TrayItem[] {
  if (!showsTicker) return [{ kind: 'command', label: 'Show ticker', action: 'showTicker' }]
  const close: TrayItem = { kind: 'command', label: 'Close ticker', action: 'closeTicker' }
  // A click-through ticker cannot be right-clicked, so this is the way back.
  return isTickerClickThrough
    ? [{ kind: 'command', label: 'Click-through', action: 'catchClicks', isTicked: true }, close]
    : [close]
}

/** As many lines as fit, from the first. */
function tooltipOf(lines: readonly string[], max: number): string {
  return lines.reduce((text, line) => {
    const longer = text === '' ? line : `${text}\n${line}`
    return longer.length <= max ? longer : text
  }, '')
}

/** The text beside the icon on macOS: the first value while it is live, without its time. */
function titleOf(first: Quote | undefined, standing: ValueStanding, isDemo: boolean, grouping: Grouping): string {
  if (first === undefined || standing !== 'live') return ''
  return `${first.id} ${formatDecimal(first.value, { grouping })}${isDemo ? ' (Demo)' : ''}`
}

type TrayPreferences = Pick<Preferences, 'grouping' | 'isTickerClickThrough' | 'showsTicker' | 'timeZone'>

interface Surroundings {
  unread: number
  /** Number of rules without data. */
  withoutData: number
  judging: Judging
  nowMs: number
  preferences: TrayPreferences
  isStale: IsStale
  /** Maximum length of the tooltip in characters. Lines that do not fit are left out. */
  maxTooltip: number
  /** True if the user has disconnected. */
  isPaused: boolean
  staleInMs?: number
  /** Until when all alerts are muted, `null` for until unmuted. Undefined while they are not muted. */
  mutedUntilMs?: number | null
}

/** The tray's view. `quotes` are in display order. */
export function trayView(status: ConnectionStatus, quotes: readonly TrayQuote[], surroundings: Surroundings): TrayView {
  const { unread, withoutData, nowMs, mutedUntilMs, preferences, isPaused, isStale, maxTooltip, staleInMs } =
    surroundings
  const { timeZone, grouping } = preferences
  const time = (ms: number) => timeText(ms, nowMs, { timeZone })
  const standings = quotes.map((quote) => standingOf(quote, status.state, isStale))
  const values = quotes.map((quote, at) => valueLine(quote, standings[at] ?? 'notLive', grouping, time))
  const demo = status.isDemo ? ' (Demo)' : ''
  const alerts = unread === 1 ? '1 unread event' : `${formatCount(unread)} unread events`
  const notJudged = notJudgedOf(surroundings.judging)
  const heading = `Indexwatch: ${notJudged?.words ?? (isPaused ? 'Disconnected' : stateWords[status.state])}${demo}`
  const isMuted = mutedUntilMs !== undefined
  const muted = isMuted ? [mutedWords(mutedUntilMs, time)] : []
  const missing = withoutData > 0 ? [noDataWords(withoutData)] : []
  const lines = [heading, ...missing, ...muted, ...(unread > 0 ? [alerts] : []), ...values]
  const alertLabels = [
    ...(notJudged === undefined ? [] : [notJudged.words]),
    // While alerts are off, the inbox may not be readable.
    ...(unread > 0 ? [alerts] : notJudged?.state === 'off' ? [] : ['No unread events']),
  ]
  return {
    icon: {
      connection: notJudged === undefined ? iconConnections[status.state] : 'off',
      hasUnread: unread > 0,
      isMuted,
    },
    tooltip: tooltipOf(
      lines.map((line) => sanitizeForDesktop(line)),
      maxTooltip,
    ),
    title: titleOf(quotes[0], standings[0] ?? 'notLive', status.isDemo, grouping),
    items: [
      { kind: 'command', label: 'Open Indexwatch', action: 'open' },
      { kind: 'separator' },
      ...quotes.map(({ id }) => ({ kind: 'index', id }) as const),
      ...(quotes.length > 0 ? [{ kind: 'separator' } as const] : []),
      ...alertLabels.map((label) => ({ kind: 'command', label, action: 'openAlerts' }) as const),
      ...missing.map((label) => ({ kind: 'command', label, action: 'openAlerts' }) as const),
      ...(isMuted ? [unmuteItem] : muteItems),
      { kind: 'separator' },
      isPaused ? resumeItem : pauseItem,
      ...tickerItems(preferences),
      { kind: 'separator' },
      { kind: 'command', label: 'Quit', action: 'quit' },
    ],
    staleInMs,
  }
}
