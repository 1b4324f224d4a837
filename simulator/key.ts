import { createHash, randomBytes, timingSafeEqual } from 'node:crypto'
import type { IncomingHttpHeaders } from 'node:http'

/** The subprotocol with which a browser announces its key. The service then selects it (protocol, 5). */
export const keySubprotocol = 'cfb'

/** The pair accepted by all interfaces (protocol, 5). */
export interface Key {
  readonly id: string
  readonly secret: string
}

/** A secret of 192 random bits, valid in a header and in a subprotocol. */
export function randomSecret(): string {
  return randomBytes(24).toString('base64url')
}

/** Checks whether a request presents the key. */
export class Gatekeeper {
  readonly #key: Key
  #isRevoked = false

  constructor(key: Key) {
    this.#key = key
  }

  /** Refuses all requests until `restore`. */
  revoke(): void {
    this.#isRevoked = true
  }

  restore(): void {
    this.#isRevoked = false
  }

  /** True if the Authorization header has the key. Without that header, `subprotocols` must have it. */
  admits(headers: IncomingHttpHeaders, subprotocols: readonly string[] = []): boolean {
    const presented =
      headers.authorization === undefined ? fromProtocols(subprotocols) : fromBasic(headers.authorization)
    if (presented === undefined || this.#isRevoked) return false
    // Both are always compared, each in constant time, so that the time taken reveals nothing.
    const isSameId = isSame(presented.id, this.#key.id)
    const isSameSecret = isSame(presented.secret, this.#key.secret)
    return isSameId && isSameSecret
  }
}

/** The subprotocols a handshake offers, in its order. */
export function offeredSubprotocols(headers: IncomingHttpHeaders): string[] {
  const offered = headers['sec-websocket-protocol']
  return offered === undefined ? [] : offered.split(',').map((token) => token.trim())
}

function fromBasic(authorization: string): Key | undefined {
  const match = /^basic +([A-Za-z0-9+/]+={0,2}) *$/i.exec(authorization)
  if (match?.[1] === undefined) return undefined
  const pair = Buffer.from(match[1], 'base64').toString('utf8')
  const colon = pair.indexOf(':')
  return colon === -1 ? undefined : { id: pair.slice(0, colon), secret: pair.slice(colon + 1) }
}

function fromProtocols(protocols: readonly string[]): Key | undefined {
  const [name, id, secret, ...rest] = protocols
  if (name !== keySubprotocol || id === undefined || secret === undefined || rest.length > 0) return undefined
  return { id, secret }
}

function isSame(presented: string, expected: string): boolean {
  const digest = (text: string) => createHash('sha256').update(text).digest()
  return timingSafeEqual(digest(presented), digest(expected))
}
