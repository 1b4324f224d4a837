// @ts-check
// Lets one command at a time install and build in this checkout. Without it, `npm start` and `npm run simulator` begun
// together on a fresh clone would both replace node_modules. The lock is a listening socket, because the system
// releases it even when its holder is killed.
import { createHash } from 'node:crypto'
import { rmSync } from 'node:fs'
import { createConnection, createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { projectRoot } from './processes.js'
import { say } from './terminal.js'

function socketPath() {
  const name = `indexwatch-setup-${createHash('sha256').update(projectRoot).digest('hex').slice(0, 16)}`
  if (process.platform === 'linux') return `\0${name}`
  return process.platform === 'win32' ? `\\\\.\\pipe\\${name}` : join(tmpdir(), name)
}

/**
 * @param {string} path
 * @returns {Promise<(() => void) | undefined>} the function that releases the lock. Undefined if the lock is taken.
 */
function tryHold(path) {
  /** @type {Set<import('node:net').Socket>} */
  const waiting = new Set()
  const server = createServer((socket) => waiting.add(socket.on('error', () => waiting.delete(socket))))
  const release = () => {
    server.close()
    for (const socket of waiting) socket.destroy()
  }
  return new Promise((done, failed) => {
    server.once('error', (/** @type {NodeJS.ErrnoException} */ error) =>
      error.code === 'EADDRINUSE' ? done(undefined) : failed(error),
    )
    server.listen(path, () => done(release))
  })
}

/** Waits until the holder ends, which closes the connection. @param {string} path @returns {Promise<void>} */
function holderGone(path) {
  return new Promise((done) => {
    const connection = createConnection(path)
    connection.once('error', (/** @type {NodeJS.ErrnoException} */ error) => {
      // A socket file without a listener was left by a killed holder.
      if (error.code === 'ECONNREFUSED' && path.startsWith('/')) rmSync(path, { force: true })
    })
    connection.once('close', () => done())
    connection.resume()
  })
}

/**
 * Runs the work while no other set-up of this checkout is running.
 * @template T
 * @param {() => Promise<T>} work
 * @returns {Promise<T>}
 */
export async function whileAlone(work) {
  const path = socketPath()
  let release = await tryHold(path)
  if (!release) say('set-up', 'another set-up of this folder is running, waiting for it')
  while (!release) {
    await holderGone(path)
    release = await tryHold(path)
  }
  try {
    return await work()
  } finally {
    release()
  }
}
