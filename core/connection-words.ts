import type { ConnectionState } from './model'

/** Name of the demo service wherever its data could be mistaken for real data. */
export const demoName = 'Demo'

/** The texts of connection states, for the window and the connection log. */
export const stateWords: Record<ConnectionState, string> = {
  connecting: 'Connecting',
  live: 'Live',
  reconnecting: 'Reconnecting',
  offline: 'Offline',
  notAuthorised: 'Not authorised',
}
