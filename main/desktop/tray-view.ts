import { stateWords } from '../../core/connection-words'
import { formatDecimal } from '../../core/decimal'
import { noDataWords } from '../../core/alert-words'
import { notJudgedOf, type Judging } from '../../protocol/judging'
import { shownTimeMs } from '../../core/freshness'
import type { ConnectionState, ConnectionStatus, IndexId, Quote } from '../../core/model'
import type { Grouping, Preferences } from '../../core/preferences'
import { sanitizeForDesktop } from '../base/sanitize'
import { timeText } from '../base/user-time'

/** What the icon shows. */
export interface TrayIconState {
  connection: 'live' | 'waiting' | 'off'
  hasUnread: boolean
  /** All alerts are muted. */
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

/** How far a shown value is to be trusted. */
type ValueStanding = 'live' | 'notLive' | 'cached'

export type TrayItem =
  | { kind: 'separator' }
  | { kind: 'command'; label: string; action: TrayAction; isTicked?: true }
  /** A value ticks: the menu need not follow at once. */
  | { kind: 'value'; id: string; standing: ValueStanding; label: string; action: TrayAction }

export interface TrayView {
  icon: TrayIconState
  tooltip: string
  /** The first value, while it is live: what macOS shows beside the icon. */
  title: string
  items: TrayItem[]
  /** After so long the first live value becomes stale unless another one comes; absent: none does. */
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

function statusOf({ id, source }: Quote, state: ConnectionState, isStale: IsStale): ValueStanding {
  if (source === 'cache') return 'cached'
  return state === 'live' && !isStale(id) ? 'live' : 'notLive'
}

type IsStale = (id: IndexId) => boolean

function valueItem(quote: Quote, standing: ValueStanding, grouping: Grouping, time: (ms: number) => string) {
  const text = `${quote.id} ${formatDecimal(quote.value, { grouping })} at ${time(shownTimeMs(quote))}`
  return { kind: 'value', id: quote.id, standing, label: text + standingWords[standing], action: 'open' } as const
}

/** A time to the minute: what the user mutes for is no matter of seconds. */
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

function tickerItems({ showsTicker, isTickerClickThrough }: TickerState): TrayItem[] {
  if (!showsTicker) return [{ kind: 'command', label: 'Show ticker', action: 'showTicker' }]
  const close: TrayItem = { kind: 'command', label: 'Close ticker', action: 'closeTicker' }
  // What lets clicks through has no menu of its own to end it by.
  return isTickerClickThrough
    ? [{ kind: 'command', label: 'Click-through', action: 'catchClicks', isTicked: true }, close]
    : [close]
}

type TickerState = Pick<Preferences, 'showsTicker' | 'isTickerClickThrough'>
const noTicker: TickerState = { showsTicker: false, isTickerClickThrough: false }

/** As many of the lines as fit, from the first. */
function tooltipOf(lines: readonly string[], max: number): string {
  return lines.reduce((text, line) => {
    const longer = text === '' ? line : `${text}\n${line}`
    return longer.length <= max ? longer : text
  }, '')
}

/** What macOS shows beside the icon: the first value while it is live, without its time. */
function titleOf(first: Quote | undefined, standing: ValueStanding, isDemo: boolean, grouping: Grouping): string {
  if (first === undefined || standing !== 'live') return ''
  return `${first.id} ${formatDecimal(first.value, { grouping })}${isDemo ? ' (Demo)' : ''}`
}

interface Surroundings {
  unread: number
  /** How many rules have no data. */
  withoutData?: number
  /** Whether alerts are judged; absent: they are. */
  judging?: Judging
  nowMs: number
  /** The zone the user wants times in; absent: that of the system. */
  timeZone?: string
  /** How the user wants digits grouped; absent: by commas. */
  grouping?: Grouping
  /** Whether the value of an index is older than it may be; absent: none is. */
  isStale?: IsStale
  /** The longest tooltip that the desktop shows, in characters; absent: any. Whole lines are left out. */
  maxTooltip?: number
  /** Absent: it is closed. */
  ticker?: TickerState
  /** The user wants nothing received for now. */
  isPaused?: boolean
  /** Until when all alerts are muted, `null` until the user says otherwise; absent while they are not. */
  mutedUntilMs?: number | null
}

/** The tray from what is known: `quotes` stand in the order they are shown in. */
export function trayView(status: ConnectionStatus, quotes: readonly Quote[], surroundings: Surroundings): TrayView {
  const { unread, withoutData = 0, nowMs, mutedUntilMs, ticker = noTicker, isPaused = false } = surroundings
  const { isStale = () => false, judging } = surroundings
  const { timeZone = 'system', grouping = 'comma', maxTooltip = Infinity } = surroundings
  const time = (ms: number) => timeText(ms, nowMs, { timeZone })
  const values = quotes.map((quote) => valueItem(quote, statusOf(quote, status.state, isStale), grouping, time))
  const demo = status.isDemo ? ' (Demo)' : ''
  const alerts = unread === 1 ? '1 unread event' : `${unread.toLocaleString('en-GB')} unread events`
  const notJudged = notJudgedOf(judging)
  const heading = `Indexwatch: ${notJudged?.words ?? (isPaused ? 'Disconnected' : stateWords[status.state])}${demo}`
  const isMuted = mutedUntilMs !== undefined
  const muted = isMuted ? [mutedWords(mutedUntilMs, time)] : []
  const missing = withoutData > 0 ? [noDataWords(withoutData)] : []
  const lines = [heading, ...missing, ...muted, ...(unread > 0 ? [alerts] : []), ...values.map((item) => item.label)]
  const alertLabels = [
    ...(notJudged === undefined ? [] : [notJudged.words]),
    // While they are off the inbox may not even be read.
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
    title: titleOf(quotes[0], values[0]?.standing ?? 'notLive', status.isDemo, grouping),
    items: [
      { kind: 'command', label: 'Open Indexwatch', action: 'open' },
      { kind: 'separator' },
      ...values,
      ...(values.length > 0 ? [{ kind: 'separator' } as const] : []),
      ...alertLabels.map((label) => ({ kind: 'command', label, action: 'openAlerts' }) as const),
      ...missing.map((label) => ({ kind: 'command', label, action: 'openAlerts' }) as const),
      ...(isMuted ? [unmuteItem] : muteItems),
      { kind: 'separator' },
      isPaused ? resumeItem : pauseItem,
      ...tickerItems(ticker),
      { kind: 'separator' },
      { kind: 'command', label: 'Quit', action: 'quit' },
    ],
  }
}
