import type { IncomingMessage } from 'node:http'
import type { Mutant } from './mutant'

function isUpgrade({ headers }: IncomingMessage): boolean {
  return headers.upgrade !== undefined
}

/** A mutant that accepts every request that the rule selects, as if it had the key. */
function accepting(name: string, isAccepted: (request: IncomingMessage) => boolean): Mutant {
  const request: Mutant['tamper']['request'] = (received, { id, secret }) => {
    if (!isAccepted(received)) return
    received.headers.authorization = `Basic ${Buffer.from(`${id}:${secret}`).toString('base64')}`
  }
  return { name, section: '5', file: 'key', tamper: { request } }
}

const isRest = (request: IncomingMessage) => !isUpgrade(request) && request.url?.startsWith('/api/') === true

/** Violations of how the service checks the key. */
export const keyMutants: readonly Mutant[] = [
  accepting('REST accepts a wrong key', isRest),
  accepting('REST needs no key', (request) => isRest(request) && request.headers.authorization === undefined),
  accepting('the stream accepts a wrong key', isUpgrade),
  accepting('the assistant tools accept a wrong key', (request) => request.url?.startsWith('/mcp') === true),
  {
    name: 'no subprotocol is selected',
    section: '5',
    file: 'key',
    tamper: {
      request: (received, { id, secret }) => {
        if (received.headers['sec-websocket-protocol'] !== ['cfb', id, secret].join(',')) return
        delete received.headers['sec-websocket-protocol']
        received.headers.authorization = `Basic ${Buffer.from(`${id}:${secret}`).toString('base64')}`
      },
    },
  },
  {
    name: 'only the header is accepted',
    section: '5',
    file: 'key',
    tamper: {
      request: ({ headers }) => {
        delete headers['sec-websocket-protocol']
      },
    },
  },
]
