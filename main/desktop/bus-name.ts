/** Who is on the session bus of a Linux desktop, as far as one name goes: as much of D-Bus as that takes. */
import { connect, type Socket } from 'node:net'

interface Options {
  /** As `DBUS_SESSION_BUS_ADDRESS` has it. */
  address: string
  name: string
  uid: number
  /** Whether somebody has the name: once at first, then at every change. */
  onOwned: (isOwned: boolean) => void
  /** The bus cannot be asked, or ended: nothing more will be known. */
  onLost: () => void
}

const bus = { path: '/org/freedesktop/DBus', name: 'org.freedesktop.DBus' }
const methodCall = 1
const methodReturn = 2
const signal = 4
/** Serials of the calls, in the order in which they are made. */
const askSerial = 3

/** Follows whether a name has an owner until the returned function is called. */
export function watchBusName({ address, name, uid, onOwned, onLost }: Options): () => void {
  const path = socketPath(address)
  if (path === undefined) {
    onLost()
    return () => undefined
  }
  const socket = connect({ path })
  let isStopped = false
  const lost = () => {
    if (isStopped) return
    isStopped = true
    onLost()
  }
  socket.on('error', lost)
  socket.on('close', lost)
  socket.write(`\0AUTH EXTERNAL ${Buffer.from(String(uid)).toString('hex')}\r\n`)
  whenAuthorised(
    socket,
    () => {
      const rule = `type='signal',sender='${bus.name}',member='NameOwnerChanged',arg0='${name}'`
      socket.write('BEGIN\r\n')
      socket.write(call(1, 'Hello'))
      socket.write(call(2, 'AddMatch', rule))
      socket.write(call(askSerial, 'NameHasOwner', name))
    },
    (message) => {
      if (isStopped) return
      let isOwned: boolean | undefined
      try {
        isOwned = ownership(message, name)
      } catch {
        // It ends before what it says is in it: nothing that follows can be believed.
        lost()
        socket.destroy()
        return
      }
      if (isOwned !== undefined) onOwned(isOwned)
    },
  )
  return () => {
    isStopped = true
    socket.destroy()
  }
}

/** The first Unix socket of an address such as `unix:path=/run/user/1000/bus,guid=…`; `undefined` where none can be read. */
function socketPath(address: string): string | undefined {
  for (const each of address.split(';')) {
    const [, kind, text = ''] = /^unix:(?:.*,)?(path|abstract)=([^,]*)/.exec(each) ?? []
    if (kind === undefined) continue
    try {
      return `${kind === 'abstract' ? '\0' : ''}${decodeURIComponent(text)}`
    } catch {
      // A `%` that nothing belongs to.
    }
  }
  return undefined
}

/** Cuts what comes in into the answer to the authorisation and, after it, messages. */
function whenAuthorised(socket: Socket, onAuthorised: () => void, onMessage: (message: Buffer) => void): void {
  let isAuthorised = false
  let pending = Buffer.alloc(0)
  socket.on('data', (chunk) => {
    pending = Buffer.concat([pending, chunk])
    if (!isAuthorised) {
      const end = pending.indexOf('\r\n')
      if (end === -1) return
      if (!pending.subarray(0, end).toString('latin1').startsWith('OK ')) {
        socket.destroy()
        return
      }
      pending = pending.subarray(end + 2)
      isAuthorised = true
      onAuthorised()
    }
    for (let length = messageLength(pending); length <= pending.length; length = messageLength(pending)) {
      onMessage(pending.subarray(0, length))
      pending = pending.subarray(length)
    }
  })
}

const up8 = (length: number) => Math.ceil(length / 8) * 8

/** Of the message that begins here; infinite while its head has not come. */
function messageLength(bytes: Buffer): number {
  if (bytes.length < 16) return Infinity
  return up8(16 + uint32(bytes, 12)) + uint32(bytes, 4)
}

/** A number of a message, whose first byte says in which order its bytes are. */
function uint32(message: Buffer, at: number): number {
  return message[0] === 0x6c ? message.readUInt32LE(at) : message.readUInt32BE(at)
}

/** What a message says of the owner of the name; `undefined` where it is about something else. */
function ownership(message: Buffer, name: string): boolean | undefined {
  const body = up8(16 + uint32(message, 12))
  if (message[1] === methodReturn && replySerial(message) === askSerial) return uint32(message, body) === 1
  if (message[1] !== signal || !message.subarray(16, body).includes('NameOwnerChanged\0')) return undefined
  const [about, , owner] = strings(message, body)
  return about === name ? owner !== '' : undefined
}

function* strings(message: Buffer, start: number): Generator<string> {
  for (let at = start; at + 4 <= message.length;) {
    const end = at + 4 + uint32(message, at)
    yield message.subarray(at + 4, end).toString()
    at = Math.ceil((end + 1) / 4) * 4
  }
}

/** Which call a return answers: its field 5, of type `u`. */
function replySerial(message: Buffer): number | undefined {
  const field = message.indexOf(Buffer.from([5, 1, 0x75, 0]), 16)
  return field === -1 ? undefined : uint32(message, field + 4)
}

/** A call of the bus itself, with at most one text. */
function call(serial: number, member: string, text?: string): Buffer {
  const body = text === undefined ? Buffer.alloc(0) : stringValue(text)
  const fields = [
    field(1, 'o', stringValue(bus.path)),
    field(2, 's', stringValue(bus.name)),
    field(3, 's', stringValue(member)),
    field(6, 's', stringValue(bus.name)),
    ...(text === undefined ? [] : [field(8, 'g', Buffer.from('\x01s\0', 'latin1'))]),
  ]
  const all = fields.reduce((before, each) => Buffer.concat([padded(before), each]), Buffer.alloc(0))
  const head = Buffer.from([0x6c, methodCall, 0, 1, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0])
  head.writeUInt32LE(body.length, 4)
  head.writeUInt32LE(serial, 8)
  head.writeUInt32LE(all.length, 12)
  return Buffer.concat([padded(Buffer.concat([head, all])), body])
}

const padded = (bytes: Buffer) => Buffer.concat([bytes, Buffer.alloc(up8(bytes.length) - bytes.length)])

/** A field of a message's head: its number, its type and its value. */
function field(number: number, type: string, value: Buffer): Buffer {
  return Buffer.concat([Buffer.from([number, 1, type.charCodeAt(0), 0]), value])
}

function stringValue(text: string): Buffer {
  const bytes = Buffer.from(`${text}\0`)
  const length = Buffer.alloc(4)
  length.writeUInt32LE(bytes.length - 1)
  return Buffer.concat([length, bytes])
}
