import { formatDecimal } from '../../protocol/decimal'
import type { ConnectionState, ConnectionStatus, Quote } from '../../protocol/model'
import { plainText, timeOfDay } from './plain-text'

/** What the icon tells at a glance. */
export interface TrayIconState {
  connection: 'live' | 'waiting' | 'off'
  hasUnread: boolean
}

export type TrayAction = 'open' | 'openAlerts' | 'quit'

export type TrayItem =
  | { kind: 'separator' }
  | { kind: 'command'; label: string; action: TrayAction }
  /** A value ticks: the menu need not follow at once. */
  | { kind: 'value'; id: string; label: string; action: TrayAction }

export interface TrayView {
  icon: TrayIconState
  tooltip: string
  items: TrayItem[]
}

const stateWords: Record<ConnectionState, string> = {
  connecting: 'Connecting',
  live: 'Live',
  reconnecting: 'Reconnecting',
  offline: 'Offline',
  notAuthorised: 'Not authorised',
}

const iconConnections: Record<ConnectionState, TrayIconState['connection']> = {
  connecting: 'waiting',
  live: 'live',
  reconnecting: 'waiting',
  offline: 'off',
  notAuthorised: 'off',
}

const mostValues = 5

function valueLabel(quote: Quote, state: ConnectionState): string {
  const value = `${quote.id} ${formatDecimal(quote.value)} at ${timeOfDay(quote.publishedAtMs)}`
  if (quote.source === 'cache') return `${value} (cached)`
  return state === 'live' ? value : `${value} (not live)`
}

/** The tray from what is known: `quotes` are those of the first list in its order, the first five are shown. */
export function trayView(status: ConnectionStatus, quotes: readonly Quote[], unread: number): TrayView {
  const shown = quotes.slice(0, mostValues)
  const labels = shown.map((quote) => valueLabel(quote, status.state))
  const demo = status.isDemo ? ' (Demo)' : ''
  const alerts = unread === 1 ? '1 unread alert' : `${unread} unread alerts`
  const lines = [`Indexwatch: ${stateWords[status.state]}${demo}`, ...(unread > 0 ? [alerts] : []), ...labels]
  const values = shown.map((quote, index): TrayItem => ({
    kind: 'value',
    id: quote.id,
    label: labels[index] ?? '',
    action: 'open',
  }))
  return {
    icon: { connection: iconConnections[status.state], hasUnread: unread > 0 },
    tooltip: lines.map((line) => plainText(line)).join('\n'),
    items: [
      { kind: 'command', label: 'Open Indexwatch', action: 'open' },
      { kind: 'separator' },
      ...values,
      ...(values.length > 0 ? [{ kind: 'separator' } as const] : []),
      { kind: 'command', label: unread > 0 ? alerts : 'No unread alerts', action: 'openAlerts' },
      { kind: 'separator' },
      { kind: 'command', label: 'Quit', action: 'quit' },
    ],
  }
}
