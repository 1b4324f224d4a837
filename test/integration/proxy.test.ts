import { execFile } from 'node:child_process'
import { writeFileSync } from 'node:fs'
import { createServer as createPlainServer } from 'node:http'
import { createServer } from 'node:https'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { expect, onTestFinished, test } from 'vitest'
import { SystemClock } from '../../main/base/clock'
import { Counters } from '../../main/base/log'
import { Routes } from '../../main/base/routes'
import { RestTransport } from '../../main/rest/transport'
import { childProgram } from '../support/child-programs'
import { listenInTest } from '../support/local-server'
import { ScriptedService } from '../support/scripted-service'
import { PrivateAuthority } from '../support/self-signed'
import { temporaryFolder } from '../support/temporary-folder'
import { TunnelProxy } from '../support/tunnel-proxy'

/** An address of an unassigned block, which only the proxy reaches. */
const address = [203, 0, 113, 1] as const
const host = address.join('.')

/** A service with a certificate of a private authority, and the requests to it with the system's proxy answers. */
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
  const webHost = `${host}:${await listenInTest(web)}`
  onTestFinished(() => stream.stop())
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
  onTestFinished(() => proxy.stop())
  return proxy
}

test('stream, REST, tools and webhooks all use the proxy', async () => {
  const { send, stream, paths, streamHost, webHost, lineCount } = await startService()
  const proxy = await startProxy()
  expect(await send(`PROXY ${proxy.host}; DIRECT`)).toMatchObject({ stream: 'opened', rest: 'answered', hook: 200 })
  expect(new Set(proxy.targets)).toEqual(new Set([streamHost, webHost]))
  expect(stream.handshakes.length).toBe(1)
  expect(new Set(paths.map((path) => path.split('?')[0]))).toEqual(new Set(['/api/v1/indices', '/mcp', '/hook']))
  // Each connection to the service is one of the proxy's tunnels.
  expect(lineCount()).toBe(proxy.targets.filter((target) => target === webHost).length)
  expect(proxy.headers.join('\n')).not.toMatch(/Basic|correct horse/)
})

test('explains a proxy that needs credentials, and never bypasses it', async () => {
  const { send, stream, lineCount } = await startService()
  const proxy = await startProxy({ authorization: 'Basic b2ZmaWNlOndvcmQ=' })
  const problem: unknown = expect.stringContaining(`The proxy ${proxy.host} asks for a user name and password`)
  const said = (await send(`PROXY ${proxy.host}; DIRECT`)) as Record<string, unknown>
  expect(said).toEqual({ stream: problem, rest: problem, tools: problem, hook: problem })
  expect([stream.handshakes.length, lineCount()]).toEqual([0, 0])
})

test('works with the right credentials, and explains wrong ones', async () => {
  const { send, streamHost, webHost, stream } = await startService()
  const authorization = 'Basic b2ZmaWNlOndvcmQ='
  const proxy = await startProxy({ authorization })
  const problem: unknown = expect.stringContaining(`The proxy ${proxy.host} did not accept this user name and password`)
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

test("distinguishes the proxy's refusal from the service's", async () => {
  const { send } = await startService()
  const proxy = await startProxy({ refusal: 403 })
  const problem: unknown = expect.stringContaining(`The proxy ${proxy.host} refused the connection (HTTP 403)`)
  expect(await send(`PROXY ${proxy.host}`)).toMatchObject({ stream: problem, rest: problem, tools: problem })
})

test('follows no redirect through a tunnel, and reports a broken connection', async () => {
  const posted: string[] = []
  const paths: string[] = []
  const service = createPlainServer((request, response) => {
    const path = request.url ?? ''
    paths.push(path)
    if (path.endsWith('/moved')) response.writeHead(302, { Location: '/elsewhere' }).end()
    else if (path.endsWith('/cut')) {
      response.writeHead(200, { 'Content-Length': '100' })
      response.write('{', () => request.socket.destroy())
    } else {
      request.setEncoding('utf8').on('data', (text: string) => posted.push(text))
      request.once('end', () => response.end('{"serverTime":"2026-01-01T00:00:00.000Z","error":null,"payload":[]}'))
    }
  })
  const baseUrl = `http://127.0.0.1:${await listenInTest(service)}`
  const proxy = await startProxy()
  let decisionCount = 0
  const routes = new Routes({
    usesProxyForLoopback: true,
    resolveProxy: () => {
      decisionCount++
      return Promise.resolve(`PROXY ${proxy.host}`)
    },
  })
  const ignore = () => undefined
  const rest = new RestTransport({
    baseUrl,
    keyId: 'reader',
    keySecret: 'correct horse',
    clock: new SystemClock(),
    log: { info: ignore, warn: ignore, error: ignore },
    counters: new Counters(),
    random: () => 0,
    routes,
  })
  onTestFinished(() => rest.dispose())
  const codes = async (path: string) => {
    const outcome = await rest.ask(path, 'user')
    return outcome.ok ? 'answered' : outcome.problem.code
  }
  expect(await codes('/moved')).toBe('redirected')
  expect(await codes('/cut')).toBe('serviceError')
  expect(await codes('/indices')).toBe('answered')
  // A broken transfer is retried.
  expect(paths.map((path) => path.split('/').at(-1))).toEqual(['moved', 'cut', 'cut', 'cut', 'indices'])
  const body = new TextEncoder().encode('{"of":"bytes"}')
  await (await routes.fetch(`${baseUrl}/hook`, { method: 'POST', body })).text()
  expect(posted.join('')).toBe('{"of":"bytes"}')
  // One proxy lookup and one tunnel for each request.
  expect(decisionCount).toBe(6)
  expect(proxy.targets.length).toBe(6)
})
