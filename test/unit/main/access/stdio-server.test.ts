import { PassThrough } from 'node:stream'
import { expect, test } from 'vitest'
import { serveOverStdio } from '../../../../main/access/stdio-server'
import { eventually } from '../../../support/eventually'

const envelope = {
  'io.modelcontextprotocol/protocolVersion': '2026-07-28',
  'io.modelcontextprotocol/clientCapabilities': {},
  'io.modelcontextprotocol/clientInfo': { name: 'tester', version: '2' },
}

/** A server, with what it was asked to watch: the assistant and the URIs. */
function open() {
  const [input, output] = [new PassThrough(), new PassThrough()]
  const watched: unknown[] = []
  const unused = () => Promise.reject(new Error('not in this test'))
  serveOverStdio(
    {
      ...{ version: '1', instructions: '', tools: [], prompts: [] },
      ...{ call: unused, listResources: unused, readResource: unused },
      subscribe: (client, uris) => watched.push([client, ...uris]),
    },
    { input, output },
  )
  const send = (message: object) => input.write(`${JSON.stringify({ jsonrpc: '2.0', ...message })}\n`)
  return { send, watches: (expected: unknown[]) => eventually(() => expect(watched).toEqual(expected)) }
}

test('listens of an assistant of 2026-07-28 are watched together, each until cancelled', async () => {
  const { send, watches } = open()
  const listen = (id: number, uris: string[]) =>
    send({
      id,
      method: 'subscriptions/listen',
      params: { _meta: envelope, notifications: { resourceSubscriptions: uris } },
    })
  listen(1, ['a', 'b'])
  listen(2, ['b', 'c'])
  send({ method: 'notifications/cancelled', params: { _meta: envelope, requestId: 1 } })
  send({ method: 'notifications/cancelled', params: { _meta: envelope, requestId: 7 } })
  await watches([
    ['tester 2', 'a', 'b'],
    ['tester 2', 'a', 'b', 'c'],
    ['tester 2', 'b', 'c'],
  ])
})

test('subscriptions of an assistant that greets are watched until it unsubscribes', async () => {
  const { send, watches } = open()
  const clientInfo = { name: 'old', version: '1' }
  send({ id: 1, method: 'initialize', params: { protocolVersion: '2025-11-25', capabilities: {}, clientInfo } })
  send({ id: 2, method: 'resources/subscribe', params: { uri: 'a' } })
  send({ id: 3, method: 'resources/subscribe', params: { uri: 'b' } })
  send({ id: 4, method: 'resources/unsubscribe', params: { uri: 'a' } })
  await watches([
    ['old 1', 'a'],
    ['old 1', 'a', 'b'],
    ['old 1', 'b'],
  ])
})

test('a listen that is refused is not watched any longer', async () => {
  const { send, watches } = open()
  send({
    id: 1,
    method: 'subscriptions/listen',
    params: { _meta: envelope, notifications: { resourceSubscriptions: ['a'] } },
  })
  const unknownVersion = { ...envelope, 'io.modelcontextprotocol/protocolVersion': '2099-01-01' }
  send({
    id: 2,
    method: 'subscriptions/listen',
    params: { _meta: unknownVersion, notifications: { resourceSubscriptions: ['b'] } },
  })
  await watches([
    ['tester 2', 'a'],
    ['tester 2', 'a', 'b'],
    ['tester 2', 'a'],
  ])
})
