import { createHash, timingSafeEqual } from 'node:crypto'
import type { IncomingHttpHeaders } from 'node:http'
import { keySubprotocol } from '../protocol/wire'

/** The one key of the service: the same for every interface (spec 5). */
export interface Key {
  id: string
  secret: string
}

function isSame(given: string, wanted: string): boolean {
  // Hashes have one length, so that comparing them tells nothing about the length of the secret.
  const digest = (text: string) => createHash('sha256').update(text).digest()
  return timingSafeEqual(digest(given), digest(wanted))
}

function fromHeader(header: string | undefined): Key | undefined {
  const encoded = /^Basic ([A-Za-z0-9+/]+=*)$/.exec(header ?? '')?.[1]
  if (encoded === undefined) return undefined
  const text = Buffer.from(encoded, 'base64').toString('utf8')
  const colon = text.indexOf(':')
  return colon === -1 ? undefined : { id: text.slice(0, colon), secret: text.slice(colon + 1) }
}

function fromSubprotocols(header: string | undefined): Key | undefined {
  const [name, id, secret, ...more] = (header ?? '').split(',').map((part) => part.trim())
  if (name !== keySubprotocol || id === undefined || secret === undefined || more.length > 0) return undefined
  return { id, secret }
}

/**
 * Whether a request carries the key: as HTTP Basic, or, at a WebSocket handshake, as the three subprotocols
 * `cfb`, id, secret (wire facts 1.1).
 */
export function isAuthorised(headers: IncomingHttpHeaders, key: Key): boolean {
  const given = fromHeader(headers.authorization) ?? fromSubprotocols(headers['sec-websocket-protocol'])
  if (given === undefined) return false
  const isIdRight = isSame(given.id, key.id)
  return isSame(given.secret, key.secret) && isIdRight
}
