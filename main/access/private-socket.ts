/**
 * The private socket between the running app and assistants' processes. A Unix socket in a folder of the profile that
 * only this user can enter. On Windows a pipe with a new random name at each start.
 */
import { randomBytes } from 'node:crypto'
import { chmodSync, lstatSync, mkdirSync, rmSync, writeFileSync } from 'node:fs'
import { createConnection, createServer, type Socket } from 'node:net'
import { join } from 'node:path'
import { ok, failure, type Outcome } from '../../core/model'
import { readOwnFile } from '../base/own-file'
import { parseJson } from '../base/sanitize'
import { LineCutter, writeLine } from './lines'

/** Longest socket path that all systems support. A longer one would be truncated or refused. */
const maxSocketPath = 100
/** Limit of one message in either direction. */
const maxMessageBytes = 2 ** 20

export interface Channel<Message extends object> {
  send: (message: Message) => void
  close: () => void
}

export interface ChannelListener {
  /** Undefined if it was not JSON or too long. */
  onMessage: (message: unknown) => void
  onClosed: () => void
}

const placeOf = (folder: string) => join(folder, 'assistants')

/** Address at which the app of this profile listens. Undefined if there cannot be one. */
function addressOf(folder: string, platform: NodeJS.Platform): string | undefined {
  if (platform !== 'win32') return join(placeOf(folder), 'socket')
  try {
    const name = readOwnFile(join(placeOf(folder), 'pipe')).trim()
    return /^indexwatch-[\da-f]{32}$/.test(name) ? `\\\\.\\pipe\\${name}` : undefined
  } catch {
    return undefined
  }
}

/** Creates the folder so that only this user can enter it, and removes the socket of a killed run. */
function makePlace(folder: string, platform: NodeJS.Platform): Outcome<string> {
  const place = placeOf(folder)
  try {
    mkdirSync(place, { recursive: true, mode: 0o700 })
    if (platform === 'win32') {
      writeFileSync(join(place, 'pipe'), `indexwatch-${randomBytes(16).toString('hex')}`, { mode: 0o600 })
    } else {
      const found = lstatSync(place)
      const uid = process.getuid?.()
      if (!found.isDirectory() || (uid !== undefined && found.uid !== uid)) {
        return failure('noPermission', `${place} belongs to another user. Delete it and start Indexwatch again.`)
      }
      chmodSync(place, 0o700)
    }
    const address = addressOf(folder, platform) ?? ''
    if (platform !== 'win32') {
      if (Buffer.byteLength(address) > maxSocketPath) {
        return failure('badAddress', `Assistants cannot connect: the path ${address} is too long for a socket.`)
      }
      rmSync(address, { force: true })
    }
    return ok(address)
  } catch (error) {
    return failure('noPermission', `Assistants cannot connect: ${place} cannot be made. ${String(error)}`)
  }
}

/** Listens for assistants of this profile. The result closes the server and all channels. */
export async function listenPrivately<Message extends object>(
  folder: string,
  onChannel: (channel: Channel<Message>) => ChannelListener,
  platform: NodeJS.Platform = process.platform,
): Promise<Outcome<() => void>> {
  const address = makePlace(folder, platform)
  if (!address.ok) return address
  const sockets = new Set<Socket>()
  const server = createServer((socket) => {
    sockets.add(socket)
    socket.once('close', () => sockets.delete(socket))
    follow(socket, onChannel)
  })
  return new Promise((resolve) => {
    server.once('error', (error) => resolve(failure('noPermission', `Assistants cannot connect: ${error.message}`)))
    server.listen(address.value, () => {
      if (platform !== 'win32') chmodSync(address.value, 0o600)
      resolve(
        ok(() => {
          server.close()
          for (const socket of sockets) socket.destroy()
          rmSync(placeOf(folder), { recursive: true, force: true })
        }),
      )
    })
  })
}

/** Connects to the running app of this profile. Undefined if it is not running or does not accept assistants. */
export function connectPrivately<Message extends object>(
  folder: string,
  onChannel: (channel: Channel<Message>) => ChannelListener,
  platform: NodeJS.Platform = process.platform,
): Promise<Channel<Message> | undefined> {
  const address = addressOf(folder, platform)
  if (address === undefined) return Promise.resolve(undefined)
  return new Promise((resolve) => {
    const socket = createConnection(address)
    const refused = () => resolve(undefined)
    socket.once('error', refused)
    socket.once('connect', () => {
      socket.off('error', refused)
      resolve(follow(socket, onChannel))
    })
  })
}

function follow<Message extends object>(
  socket: Socket,
  onChannel: (channel: Channel<Message>) => ChannelListener,
): Channel<Message> {
  const channel: Channel<Message> = {
    send: (message) => writeLine(socket, socket, message),
    close: () => socket.destroySoon(),
  }
  const listener = onChannel(channel)
  const cutter = new LineCutter(maxMessageBytes, {
    onLine: (line) => listener.onMessage(parseJson(line)),
    onTooLong: () => listener.onMessage(undefined),
  })
  // The other side may end at any time. `close` follows the error.
  socket.on('error', () => undefined)
  socket.on('data', (chunk: Buffer) => cutter.take(chunk))
  socket.once('close', () => listener.onClosed())
  return channel
}
