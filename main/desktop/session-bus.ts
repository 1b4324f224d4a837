import { sessionBus, type Message, type MessageBus } from 'dbus-native'

interface Options {
  /** As in `DBUS_SESSION_BUS_ADDRESS`. */
  address: string
  /** Match rules of the signals to receive. */
  signals: readonly string[]
  onSignal: (signal: Message) => void
  /** Called when the bus cannot be reached, refuses or ends. */
  onLost: () => void
}

/** The bus itself, as the receiver of a call. */
export const busItself = {
  destination: 'org.freedesktop.DBus',
  path: '/org/freedesktop/DBus',
  interface: 'org.freedesktop.DBus',
}

const signalType = 4

/** Match rule for the signal that a name has another owner. */
export function ownerRule(name: string): string {
  return `type='signal',sender='${busItself.destination}',path='${busItself.path}',member='NameOwnerChanged',arg0='${name}'`
}

/** The new owner of a name, empty if it has none. Undefined if the signal is about something else. */
export function newOwner({ sender, member, body = [] }: Message, ofName: string): string | undefined {
  const [name, , owner] = body
  if (sender !== busItself.destination || member !== 'NameOwnerChanged' || name !== ofName) return undefined
  return typeof owner === 'string' ? owner : ''
}

/**
 * Opens a connection to the session bus of a Linux desktop. Undefined if the address is invalid. Calls have no time
 * limit.
 */
export function openSessionBus({ address, signals, onSignal, onLost }: Options): MessageBus | undefined {
  let opened: MessageBus
  try {
    opened = sessionBus({ busAddress: address, authMethods: ['EXTERNAL'], timeout: 0 })
  } catch {
    return undefined
  }
  const { connection } = opened
  const destroy = () => connection.stream.destroy()
  // Both close the connection, which is reported as `close`.
  connection.on('error', destroy)
  connection.on('end', destroy)
  connection.on('close', onLost)
  connection.on('message', (message) => {
    if (message.type === signalType) onSignal(message)
  })
  for (const rule of signals) opened.addMatch(rule)
  return opened
}
