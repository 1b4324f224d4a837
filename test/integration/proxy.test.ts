import { execFile } from 'node:child_process'
import { writeFileSync } from 'node:fs'
import { createServer } from 'node:https'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { expect, onTestFinished, test } from 'vitest'
import { childProgram } from '../support/child-programs'
import { ScriptedService } from '../support/scripted-service'
import { PrivateAuthority } from '../support/self-signed'
import { temporaryFolder } from '../support/temporary-folder'
import { TunnelProxy } from '../support/tunnel-proxy'

/** Of a block that nobody has: without the proxy nothing arrives. */
const address = [203, 0, 113, 1] as const
const host = address.join('.')

/** A service behind a certificate of a private authority, and what leaves for it as the system answers about proxies. */
async function startService() {
  const authority = new PrivateAuthority('Company')
  const store = join(temporaryFolder(), 'authorities.pem')
  writeFileSync(store, authority.cert)
  const tls = authority.issue({ address })
  const stream = await ScriptedService.start({ tls })
  const paths: string[] = []
  let lineCount = 0
  const web = createServer(tls, (request, response) => {
    paths.push(request.url ?? '')
    response.writeHead(200, { 'Content-Type': 'application/json' })
    response.end('{"serverTime":"2026-01-01T00:00:00.000Z","error":null,"payload":[]}')
  })
  web.on('connection', () => {
    lineCount++
  })
  await new Promise<void>((resolve) => web.listen(0, '127.0.0.1', resolve))
  onTestFinished(async () => {
    web.closeAllConnections()
    web.close()
    await stream.stop()
  })
  const webHost = `${host}:${(web.address() as AddressInfo).port}`
  const streamHost = `${host}:${stream.port}`
  const send = async (systemAnswer: string, ...authorization: string[]): Promise<unknown> => {
    const program = [
      childProgram('sending-routes'),
      `wss://${streamHost}/ws/v4`,
      `https://${webHost}`,
      systemAnswer,
      ...authorization,
    ]
    const env = { ...process.env, NODE_EXTRA_CA_CERTS: store }
    const { stdout } = await promisify(execFile)(process.execPath, program, { env })
    return JSON.parse(stdout)
  }
  return { send, stream, paths, streamHost, webHost, lineCount: () => lineCount }
}

async function startProxy(how?: { refusal?: number; authorization?: string }): Promise<TunnelProxy> {
  const proxy = await TunnelProxy.start(how)
  onTestFinished(() => {
    proxy.stop()
  })
  return proxy
}

test('stream, REST, tools and webhooks go through the proxy, and nothing goes beside it', async () => {
  const { send, stream, paths, streamHost, webHost, lineCount } = await startService()
  const proxy = await startProxy()
  expect(await send(`PROXY ${proxy.host}; DIRECT`)).toMatchObject({ stream: 'opened', rest: 'answered', hook: 200 })
  expect(new Set(proxy.targets)).toEqual(new Set([streamHost, webHost]))
  expect(stream.handshakes.length).toBe(1)
  expect(new Set(paths.map((path) => path.split('?')[0]))).toEqual(new Set(['/api/v1/indices', '/mcp', '/hook']))
  // Each line that reached the service is one of the proxy's tunnels.
  expect(lineCount()).toBe(proxy.targets.filter((target) => target === webHost).length)
  expect(proxy.headers.join('\n')).not.toMatch(/Basic|correct horse/)
})

test('a proxy that asks for a name and a password is explained, and nothing goes around it', async () => {
  const { send, stream, lineCount } = await startService()
  const proxy = await startProxy({ authorization: 'Basic b2ZmaWNlOndvcmQ=' })
  const problem: unknown = expect.stringContaining(`The proxy ${proxy.host} asks for a name and a password`)
  const said = (await send(`PROXY ${proxy.host}; DIRECT`)) as Record<string, unknown>
  expect(said).toEqual({ stream: problem, rest: problem, tools: problem, hook: problem })
  expect([stream.handshakes.length, lineCount()]).toEqual([0, 0])
})

test('with name and password everything goes through, and a wrong one is explained', async () => {
  const { send, streamHost, webHost, stream } = await startService()
  const authorization = 'Basic b2ZmaWNlOndvcmQ='
  const proxy = await startProxy({ authorization })
  const problem: unknown = expect.stringContaining(`The proxy ${proxy.host} does not accept this name and password`)
  expect(await send(`PROXY ${proxy.host}`, 'Basic d3Jvbmc6d3Jvbmc=')).toEqual({
    stream: problem,
    rest: problem,
    tools: problem,
    hook: problem,
  })
  expect(stream.handshakes).toEqual([])
  expect(await send(`PROXY ${proxy.host}`, authorization)).toMatchObject({
    stream: 'opened',
    rest: 'answered',
    hook: 200,
  })
  expect(new Set(proxy.targets)).toEqual(new Set([streamHost, webHost]))
})

test('a refusal of the proxy is not taken for one of the service', async () => {
  const { send } = await startService()
  const proxy = await startProxy({ refusal: 403 })
  const problem: unknown = expect.stringContaining(`The proxy ${proxy.host} refused the connection (HTTP 403)`)
  expect(await send(`PROXY ${proxy.host}`)).toMatchObject({ stream: problem, rest: problem, tools: problem })
})

test('a kind of proxy that cannot be used is explained', async () => {
  const { send } = await startService()
  const problem: unknown = expect.stringContaining('of the kind SOCKS5')
  expect(await send('SOCKS5 127.0.0.1:1')).toEqual({ stream: problem, rest: problem, tools: problem, hook: problem })
})
