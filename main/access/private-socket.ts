/**
 * The private socket between the running app and the processes that assistants start: a Unix socket in a folder of the
 * profile that nobody else may enter, or a pipe of Windows with a name that is made up at each start.
 */
import { randomBytes } from 'node:crypto'
import { chmodSync, lstatSync, mkdirSync, rmSync, writeFileSync } from 'node:fs'
import { createConnection, createServer, type Socket } from 'node:net'
import { join } from 'node:path'
import { ok, failure, type Outcome } from '../../core/model'
import { readOwnFile } from '../base/own-file'
import { parseJson } from '../base/sanitize'
import { LineCutter, writeLine } from './lines'

/** The longest path of a socket that every system takes; a longer one would be cut off, or refused. */
const maxSocketPath = 100
/** Of one message, either way. */
const maxMessageBytes = 2 ** 20

export interface Channel<Message extends object> {
  send: (message: Message) => void
  close: () => void
}

export interface ChannelListener {
  /** `undefined`: it was no JSON, or too much of it. */
  onMessage: (message: unknown) => void
  onClosed: () => void
}

const placeOf = (folder: string) => join(folder, 'assistants')

/** Where the app of this profile listens; `undefined` where it cannot be listening. */
function addressOf(folder: string, platform: NodeJS.Platform): string | undefined {
  if (platform !== 'win32') return join(placeOf(folder), 'socket')
  try {
    const name = readOwnFile(join(placeOf(folder), 'pipe')).trim()
    return /^indexwatch-[\da-f]{32}$/.test(name) ? `\\\\.\\pipe\\${name}` : undefined
  } catch {
    return undefined
  }
}

/** Makes the place as nobody but this user may enter it; a socket left by a run that was killed is removed. */
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

/** Listens for assistants of this profile; the answer ends that, and every channel with it. */
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

/** Reaches the running app of this profile; `undefined` where there is none, or it takes no assistants. */
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
  // The other side may end at any time: `close` follows.
  socket.on('error', () => undefined)
  socket.on('data', (chunk: Buffer) => cutter.take(chunk))
  socket.once('close', () => listener.onClosed())
  return channel
}
