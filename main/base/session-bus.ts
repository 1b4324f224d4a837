/** Chromium ends its process, without a word, when a session bus ends that it is connected to. */
const variable = 'DBUS_SESSION_BUS_ADDRESS'
/** Without an address D-Bus looks for a bus itself; at this one it finds none. */
const noAddress = 'disabled:'

let left: { address: string | undefined } | undefined

/** Has this process do without the session bus. To be called before Chromium connects to it. */
export function leaveSessionBus(): void {
  left = { address: process.env[variable] }
  process.env[variable] = noAddress
}

export function hasLeftSessionBus(): boolean {
  return left !== undefined
}

/** The environment for a process that needs the bus for a moment, such as for the keyring. */
export function environmentWithSessionBus(): NodeJS.ProcessEnv {
  return left === undefined ? process.env : { ...process.env, [variable]: left.address }
}
