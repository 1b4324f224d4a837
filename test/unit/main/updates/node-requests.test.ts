import { createServer } from 'node:http'
import { expect, test } from 'vitest'
import { NodeRequests } from '../../../../main/updates/node-requests'
import { listenInTest } from '../../../support/local-server'

/** A host that sends its list a byte at a time and never ends it. */
async function slowHost(): Promise<URL> {
  const server = createServer((_, response) => {
    const timer = setInterval(() => response.write('x'), 10)
    response.on('close', () => clearInterval(timer))
  })
  return new URL(`http://127.0.0.1:${await listenInTest(server)}/`)
}

test('gives up on a list that never ends, however slow', async () => {
  const feed = await slowHost()
  const asked = new NodeRequests(feed, undefined, 200).request({
    protocol: feed.protocol,
    hostname: feed.hostname,
    port: feed.port,
    path: '/latest.yml',
  })
  await expect(asked).rejects.toThrow(/abort|timeout/i)
})
