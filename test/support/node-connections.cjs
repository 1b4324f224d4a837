// @ts-check
// Loaded before the app. Records the hosts to which its main process connects, one `host:port` a line. A local socket
// is recorded by its path.
const { appendFileSync } = process.getBuiltinModule('node:fs')
const { subscribe } = process.getBuiltinModule('node:diagnostics_channel')

const path = process.env['NODE_CONNECTIONS'] ?? ''

subscribe('net.client.socket', (message) => {
  const { socket } = /** @type {{ socket: import('node:net').Socket }} */ (message)
  // The types do not include sockets without a port.
  socket.on('connectionAttempt', (address, /** @type {number | undefined} */ port) => {
    appendFileSync(path, port === undefined ? `${address}\n` : `${address}:${port}\n`)
  })
})
