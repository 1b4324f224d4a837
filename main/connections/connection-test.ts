import type { ConnectionStep, ConnectionTest } from '../../protocol/responses'
import { ok, failure, type ConnectionProfile, type Outcome } from '../../core/model'
import { Counters, type Log } from '../base/log'
import type { Clock, TimeLimit } from '../base/clock'
import type { Routes } from '../base/routes'
import { FeedProbe, lookUp, peerOf, proveIdentity, reachPort, inTime } from '../feed/probe'
import { ServiceToolsClient } from '../mcp/service-tools'
import { RestClient } from '../rest/client'

type Step = ConnectionTest['steps'][number]

const stepTimeoutMs = 5_000
const ignore = () => undefined
/** The user sees the results, so the log does not need them. */
const quiet: Log = { info: ignore, warn: ignore, error: ignore }

const testRunning = failure('testRunning', 'Another connection test is running. Wait until it ends.')

/** The message of the steps after a failed one. */
const notTriedAfter: Partial<Record<ConnectionStep, string>> = {
  dns: 'Not tried, because the server was not found.',
  tcp: 'Not tried, because the server did not answer.',
  tls: 'Not tried, because the server certificate is not valid. No key was sent.',
  handshake: 'Not tried, because the sign-in failed.',
  stream: 'Not tried, because the desk is not there.',
}

interface Options {
  clock: Clock
  appVersion: string
  routes?: Routes | undefined
}

/**
 * Tests connections step by step, one test at a time, with connections of its own. Nothing is saved. Problem:
 * `testRunning`. A failure of the connection is a step of the result.
 */
export function connectionTester({ clock, appVersion, routes }: Options) {
  const limit: TimeLimit = { clock, timeoutMs: stepTimeoutMs }
  let isRunning = false

  async function steps(profile: ConnectionProfile, keySecret: string): Promise<Step[]> {
    const { auth, webSocketUrl, restUrl, mcpUrl, keyId } = profile
    const key = { keyId, keySecret }
    const url = new URL(webSocketUrl)
    const report = new Report(clock)
    await tryLine(report, url)
    const lineFault = report.fault
    const probe = new FeedProbe({ url: webSocketUrl, auth, ...key, routes }, limit)
    try {
      await report.next('handshake', async () => inWords(await probe.open(), () => 'The provider accepts this key.'))
      await report.next('info', async () =>
        inWords(await probe.countStreams(), (count) =>
          counted(count, 'index is', 'indices are', 'available with this key'),
        ),
      )
    } finally {
      probe.close()
    }
    // The other two addresses may have other servers. They depend on the line's test only if the host is the same.
    const faultOf = (address: string) => (new URL(address).host === url.host ? lineFault : undefined)
    if (restUrl === undefined) report.skip('rest', 'No REST address entered.')
    else await report.apart('rest', faultOf(restUrl), () => tryRest(restUrl, key))
    if (mcpUrl === undefined) report.skip('mcp', 'No MCP address entered.')
    else await report.apart('mcp', faultOf(mcpUrl), () => tryTools(mcpUrl, key))
    return report.steps
  }

  async function tryLine(report: Report, url: URL): Promise<void> {
    try {
      const proxy = await routes?.proxyFor(url)
      if (proxy !== undefined) {
        await tryProxy(report, new URL(proxy))
        return
      }
    } catch {
      // The sign-in step reports the reason.
      for (const step of ['dns', 'tcp', 'tls'] as const) report.skip(step, 'Not tried, because of the proxy.')
      return
    }
    const peer = peerOf(url)
    await report.next('dns', async () =>
      inWords(await lookUp(peer, limit), ([address = peer.host]) =>
        address === peer.host ? 'IP address, no DNS needed.' : `${peer.host} resolves to ${address}.`,
      ),
    )
    await report.next('tcp', async () => inWords(await reachPort(peer, limit), () => `Port ${peer.port} answers.`))
    if (url.protocol === 'wss:') {
      await report.next('tls', async () => inWords(await proveIdentity(peer, limit), () => 'Certificate valid.'))
    } else report.skip('tls', 'Not used on this address.')
  }

  /** Nothing bypasses the proxy, not even the DNS lookup of the service. */
  async function tryProxy(report: Report, proxy: URL): Promise<void> {
    report.skip('dns', 'The proxy resolves the server name.')
    await report.next('tcp', async () =>
      inWords(await reachPort(peerOf(proxy), limit), () => `The proxy ${proxy.host} answers.`),
    )
    report.skip('tls', 'Checked during sign-in, through the proxy.')
  }

  async function tryRest(baseUrl: string, key: { keyId: string; keySecret: string }): Promise<Outcome<string>> {
    const parts = { clock, log: quiet, counters: new Counters(), routes, random: () => 0 }
    const rest = new RestClient({ baseUrl, ...key, ...parts })
    const answer = await inTime(rest.indices(), limit)
    rest.dispose()
    if (!answer.ok && answer.problem.code === 'notFound') {
      const message = 'No REST API found at this address. Enter the part before /api/v1.'
      return failure('notFound', message)
    }
    return inWords(answer, ({ length }) => counted(length, 'index is', 'indices are', 'described'))
  }

  async function tryTools(url: string, key: { keyId: string; keySecret: string }): Promise<Outcome<string>> {
    const parts = { clock, log: quiet, appVersion, routes }
    const client = new ServiceToolsClient({ url, ...key, ...parts })
    const answer = await inTime(client.list(), limit)
    client.dispose()
    return inWords(answer, ({ length }) => counted(length, 'assistant tool is', 'assistant tools are', 'offered'))
  }

  return async (profile: ConnectionProfile, keySecret: string): Promise<Outcome<ConnectionTest>> => {
    if (isRunning) return testRunning
    isRunning = true
    try {
      return ok({ steps: await steps(profile, keySecret) })
    } finally {
      isRunning = false
    }
  }
}

/** The steps so far, and whether to try the next. */
export class Report {
  readonly steps: Step[] = []
  readonly #clock: Clock
  /** Why further steps are skipped. Undefined while all have passed. */
  fault: string | undefined

  constructor(clock: Clock) {
    this.#clock = clock
  }

  skip(step: ConnectionStep, message: string): void {
    this.steps.push({ step, outcome: 'skipped', message, tookMs: 0 })
  }

  /** Runs the next step towards the stream. */
  async next(step: ConnectionStep, run: () => Promise<Outcome<string>>): Promise<void> {
    const hasPassed = await this.apart(step, this.fault, run)
    if (!hasPassed) this.fault ??= notTriedAfter[step]
  }

  /** Runs an independent step, or skips it if there is a `fault`. */
  async apart(step: ConnectionStep, fault: string | undefined, run: () => Promise<Outcome<string>>): Promise<boolean> {
    if (fault !== undefined) {
      this.skip(step, fault)
      return false
    }
    const startedAtMs = this.#clock.monotonicMs()
    const outcome = await run()
    const tookMs = Math.round(this.#clock.monotonicMs() - startedAtMs)
    const message = outcome.ok ? outcome.value : messageForForm(outcome.problem.message)
    this.steps.push({ step, outcome: outcome.ok ? 'passed' : 'failed', message, tookMs })
    return outcome.ok
  }
}

/** A problem's message for the form of the connection, where the reader already is. */
function messageForForm(message: string): string {
  return message
    .replace(/^Not authorised: t/, 'T')
    .replace('Check it in Settings', 'Check key id and secret')
    .replace(' in Settings', '')
}

function inWords<T>(outcome: Outcome<T>, words: (value: T) => string): Outcome<string> {
  return outcome.ok ? ok(words(outcome.value)) : outcome
}

function counted(count: number, one: string, several: string, end: string): string {
  if (count === 0) return `The server answers, but nothing is ${end}. Ask the provider what this key allows.`
  return `${count} ${count === 1 ? one : several} ${end}.`
}
