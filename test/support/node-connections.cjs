// @ts-check
// Required before the app: records the hosts that its main process connects to, as `host:port`, one per
// line; a socket of this machine's own by its path.
const { appendFileSync } = process.getBuiltinModule('node:fs')
const { subscribe } = process.getBuiltinModule('node:diagnostics_channel')

const path = process.env['NODE_CONNECTIONS'] ?? ''

subscribe('net.client.socket', (message) => {
  const { socket } = /** @type {{ socket: import('node:net').Socket }} */ (message)
  // The types do not know of sockets without a port.
  socket.on('connectionAttempt', (address, /** @type {number | undefined} */ port) => {
    appendFileSync(path, port === undefined ? `${address}\n` : `${address}:${port}\n`)
  })
})
