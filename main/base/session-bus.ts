/**
 * Chromium ends silently when the session bus that it is connected to ends. It connects early and by itself, so only
 * the environment at its start can prevent that.
 */
const variable = 'DBUS_SESSION_BUS_ADDRESS'
/** The real address, for child processes that need the bus briefly. */
const keptVariable = 'INDEXWATCH_SESSION_BUS'
/** Without an address D-Bus looks for a bus itself. At this address it finds none. */
const noAddress = 'disabled:'

/** True if this process was started without the session bus. */
export function isWithoutSessionBus(): boolean {
  return process.env[variable] === noAddress
}

/** The environment for a process that must not connect to the bus. */
export function environmentWithoutSessionBus(): NodeJS.ProcessEnv {
  return { ...process.env, [variable]: noAddress, [keptVariable]: process.env[variable] }
}

/**
 * The environment for a process that needs the bus, such as the keyring's. Without a known address D-Bus looks for a
 * bus itself.
 */
export function environmentWithSessionBus(): NodeJS.ProcessEnv {
  if (!isWithoutSessionBus()) return process.env
  return { ...process.env, [variable]: process.env[keptVariable], [keptVariable]: undefined }
}
