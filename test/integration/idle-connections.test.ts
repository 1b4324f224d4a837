import { once } from 'node:events'
import { createServer } from 'node:http'
import type { Socket } from 'node:net'
import { expect, test } from 'vitest'
import { fetchDirectly } from '../../main/base/routes'
import { listenInTest } from '../support/local-server'

test('the app closes an idle connection, which may be dead', async () => {
  const server = createServer((_request, response) => response.end('{}'))
  // The server keeps it open, like a connection that is dead without a close.
  server.keepAliveTimeout = 0
  const connected = once(server, 'connection') as Promise<[Socket]>
  const address = `http://127.0.0.1:${await listenInTest(server)}/`
  expect(await (await fetchDirectly(address, {})).text()).toBe('{}')
  const [socket] = await connected
  await once(socket, 'close')
}, 30_000)
