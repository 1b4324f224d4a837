import type { ConnectionState, ConnectionStatus } from '../../protocol/model'

export const stateWords: Record<ConnectionState, string> = {
  connecting: 'Connecting',
  live: 'Live',
  reconnecting: 'Reconnecting',
  offline: 'Offline',
  notAuthorised: 'Not authorised',
}

const fallbacks: Partial<Record<ConnectionState, string>> = {
  reconnecting: 'The connection to the service was lost.',
  offline: 'The service cannot be reached.',
  notAuthorised: 'Not authorised: the service refused this key. Check it in Settings.',
}

/** What is wrong and what to do, in one sentence; `undefined` while nothing is. */
export function problemText(status: ConnectionStatus): string | undefined {
  const fallback = fallbacks[status.state]
  return fallback === undefined ? undefined : (status.problem ?? fallback)
}

/** When the next attempt starts: `next try in 3 s`; `undefined` when none is planned. */
export function retryText(retryInMs: number | undefined, sinceMs: number): string | undefined {
  if (retryInMs === undefined) return undefined
  const seconds = Math.ceil((retryInMs - sinceMs) / 1_000)
  return seconds > 0 ? `next try in ${seconds} s` : 'trying now'
}
