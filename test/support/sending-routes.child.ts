/**
 * Sends one request on every route to a service, in a process whose trusted certificates come from the environment.
 * Prints the results.
 */
import { SystemClock } from '../../main/base/clock'
import { Counters } from '../../main/base/log'
import { Routes } from '../../main/base/routes'
import { FeedSocket } from '../../main/feed/socket'
import { verdictOn } from '../../main/feed/verdict'
import { ServiceToolsClient } from '../../main/mcp/service-tools'
import { RestClient } from '../../main/rest/client'
import { postJson } from '../../main/webhook/post'

const [streamUrl = '', httpUrl = '', systemAnswer = 'DIRECT', authorization] = process.argv.slice(2)
const clock = new SystemClock()
const ignore = () => undefined
const log = { info: ignore, warn: ignore, error: ignore }
const key = { keyId: 'reader', keySecret: 'correct horse' }
const routes = new Routes({
  resolveProxy: () => Promise.resolve(systemAnswer),
  authorizationFor: () => Promise.resolve(authorization),
})

const stream = new Promise<string>((resolve) => {
  const timing = { handshakeTimeoutMs: 60_000, closeTimeoutMs: 1 }
  const socket = new FeedSocket({ url: streamUrl, ...key, routes }, timing, clock, {
    opened: () => {
      socket.close()
      resolve('opened')
    },
    message: ignore,
    onActivity: ignore,
    ended: (end) => resolve(verdictOn(end).problem),
  })
})
const rest = new RestClient({ baseUrl: httpUrl, ...key, clock, log, counters: new Counters(), routes })
const tools = new ServiceToolsClient({ url: `${httpUrl}/mcp`, ...key, clock, log, appVersion: '0', routes })
const asked = async (answer: Promise<{ ok: true } | { ok: false; problem: { message: string } }>) => {
  const outcome = await answer
  return outcome.ok ? 'answered' : outcome.problem.message
}
const hook = await postJson(`${httpUrl}/hook`, '{}', { clock, controller: new AbortController(), routes })
const said = {
  stream: await stream,
  rest: await asked(rest.indices()),
  tools: await asked(tools.list()),
  hook: hook.kind === 'answered' ? hook.status : hook.kind === 'proxy' ? hook.problem : hook.kind,
}
process.stdout.write(JSON.stringify(said), () => process.exit())
