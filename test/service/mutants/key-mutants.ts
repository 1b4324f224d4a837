import type { IncomingMessage } from 'node:http'
import type { Mutant } from './mutant'

function isUpgrade({ headers }: IncomingMessage): boolean {
  return headers.upgrade !== undefined
}

/** Lets everybody in of whom the rule says so, as if they had the key. */
function open(name: string, isLetIn: (request: IncomingMessage) => boolean): Mutant {
  const request: Mutant['tamper']['request'] = (asked, { id, secret }) => {
    if (!isLetIn(asked)) return
    asked.headers.authorization = `Basic ${Buffer.from(`${id}:${secret}`).toString('base64')}`
  }
  return { name, section: '5', file: 'key', tamper: { request } }
}

const isRest = (request: IncomingMessage) => !isUpgrade(request) && request.url?.startsWith('/api/') === true

/** What can go wrong with the key. */
export const keyMutants: readonly Mutant[] = [
  open('a wrong key opens REST', isRest),
  open('no key is needed for REST', (request) => isRest(request) && request.headers.authorization === undefined),
  open('a wrong key opens the stream', isUpgrade),
  open('a wrong key opens the assistant tools', (request) => request.url?.startsWith('/mcp') === true),
  {
    name: 'no subprotocol is selected',
    section: '5',
    file: 'key',
    tamper: {
      request: (asked, { id, secret }) => {
        if (asked.headers['sec-websocket-protocol'] !== ['cfb', id, secret].join(',')) return
        delete asked.headers['sec-websocket-protocol']
        asked.headers.authorization = `Basic ${Buffer.from(`${id}:${secret}`).toString('base64')}`
      },
    },
  },
  {
    name: 'the header alone is accepted',
    section: '5',
    file: 'key',
    tamper: {
      request: ({ headers }) => {
        delete headers['sec-websocket-protocol']
      },
    },
  },
]
