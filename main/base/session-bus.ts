/**
 * Chromium ends its process, without a word, when a session bus ends that it is connected to. It connects by itself and
 * early: a process does without the bus only if its environment says so from the beginning.
 */
const variable = 'DBUS_SESSION_BUS_ADDRESS'
/** Where the bus is, for the processes that need it for a moment. */
const keptVariable = 'INDEXWATCH_SESSION_BUS'
/** Without an address D-Bus looks for a bus by itself; at this one it finds none. */
const noAddress = 'disabled:'

/** Whether this process was started to do without the session bus. */
export function isWithoutSessionBus(): boolean {
  return process.env[variable] === noAddress
}

/** For a process that is to do without it. */
export function environmentWithoutSessionBus(): NodeJS.ProcessEnv {
  return { ...process.env, [variable]: noAddress, [keptVariable]: process.env[variable] }
}

/** For a process that needs it, such as for the keyring. Where no address is known D-Bus looks for a bus by itself. */
export function environmentWithSessionBus(): NodeJS.ProcessEnv {
  if (!isWithoutSessionBus()) return process.env
  return { ...process.env, [variable]: process.env[keptVariable], [keptVariable]: undefined }
}
