import type { ConnectionState } from './model'

/** What the demo service is called wherever its data could be taken for real. */
export const demoName = 'Demo'

/** What a connection is doing, the same in the window and in the connection log. */
export const stateWords: Record<ConnectionState, string> = {
  connecting: 'Connecting',
  live: 'Live',
  reconnecting: 'Reconnecting',
  offline: 'Offline',
  notAuthorised: 'Not authorised',
}
