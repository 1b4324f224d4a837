import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { readdirSync } from 'node:fs'
import { createInterface } from 'node:readline'
import { Client as ModernClient } from '@modelcontextprotocol/client'
import { StdioClientTransport as ModernTransport } from '@modelcontextprotocol/client/stdio'
import { Client } from '@modelcontextprotocol/sdk/client/index.js'
import { StdioClientTransport } from '@modelcontextprotocol/sdk/client/stdio.js'
import { expect, onTestFinished, test } from 'vitest'
import { tools } from '../../main/access/tools'
import { runningApp, watchlists } from '../support/assistant-bench'
import { childProgram } from '../support/child-programs'
import { eventually } from '../support/eventually'
import { FakeClock } from '../support/fake-clock'
import { historyStartMs } from '../support/history-thread'
import { firedEvent, levelDraft, ruleView } from '../support/sample-alerts'
import { temporaryFolder } from '../support/temporary-folder'

const today = '2025-11-25'
const modern = '2026-07-28'
const server = (folder: string) => ({
  command: process.execPath,
  args: [childProgram('assistant'), folder],
  stderr: 'ignore' as const,
})

async function connectToday(folder: string): Promise<Client> {
  const client = new Client({ name: 'tester', version: '1' })
  onTestFinished(() => client.close())
  await client.connect(new StdioClientTransport(server(folder)))
  return client
}

async function connectModern(folder: string): Promise<ModernClient> {
  const client = new ModernClient({ name: 'tester', version: '2' }, { versionNegotiation: { mode: 'auto' } })
  onTestFinished(() => client.close())
  await client.connect(new ModernTransport(server(folder)))
  return client
}

/** Starts a server to which the test writes the lines itself. */
function startServer(folder: string) {
  const { command, args } = server(folder)
  const child = spawn(command, args, { stdio: ['pipe', 'pipe', 'ignore'] })
  onTestFinished(() => void child.kill())
  const heard: Record<string, unknown>[] = []
  createInterface(child.stdout).on('line', (line) => heard.push(JSON.parse(line) as Record<string, unknown>))
  return {
    send: (message: object) => child.stdin.write(`${JSON.stringify({ jsonrpc: '2.0', ...message })}\n`),
    hears: (expected: object) => eventually(() => expect(heard).toContainEqual(expect.objectContaining(expected))),
    end: () => {
      child.stdin.end()
      return once(child, 'close')
    },
  }
}

const envelope = (version: string) => ({
  'io.modelcontextprotocol/protocolVersion': version,
  'io.modelcontextprotocol/clientCapabilities': {},
})

const argumentsOf: Record<keyof typeof tools, Record<string, unknown>> = {
  list_watchlists: {},
  get_latest_values: {},
  get_history: { id: 'BRTI', from: '2026-11-02T09:00:00Z' },
  get_value_at: { id: 'BRTI', at: '2026-11-02T09:00:01Z' },
  get_amendments: {},
  get_constituents: { id: 'BRTI' },
  find_indices: { text: 'real' },
  list_alerts: {},
  get_alert_events: {},
  explain_alert: { ruleId: 'rule-1' },
  get_connection_status: {},
  propose_alert: { indexId: 'BRTI', terms: { condition: 'risesTo', level: '1' } },
}

/** An app that has an answer for every tool. */
const answeringApp = (folder: string) =>
  runningApp(folder, {
    more: {
      rules: [ruleView('rule-1', levelDraft('110'))],
      explain: () => [],
      events: () =>
        Promise.resolve({
          ok: true,
          value: { events: [firedEvent(40, levelDraft())], retractions: [], hasMore: false },
        }),
      constituents: () =>
        Promise.resolve({
          publication: { value: '1.50', publishedAtMs: historyStartMs, constituents: [] },
          source: 'stream',
        }),
    },
  })

test.each([
  ['1.x greets', today, connectToday],
  ['2.x discovers', modern, connectModern],
] as const)('the official client %s, lists every tool and calls every tool', async (_how, version, connect) => {
  const folder = temporaryFolder()
  const { access, errors } = await answeringApp(folder)
  const client = await connect(folder)
  if (client instanceof ModernClient) expect(client.getNegotiatedProtocolVersion()).toBe(version)
  // Both clients check each answer against the schema that the list has for it.
  const listed = await client.listTools()
  expect(listed.tools.map(({ name }) => name)).toEqual(Object.keys(argumentsOf))
  for (const [name, args] of Object.entries(argumentsOf)) {
    const { content, structuredContent, isError } = await client.callTool({ name, arguments: args })
    const [first] = content as { text: string }[]
    expect([name, isError === true, JSON.parse(first?.text ?? '')]).toEqual([name, false, structuredContent])
  }
  expect(access.view.calls).toHaveLength(Object.keys(argumentsOf).length)
  expect(errors).toEqual([])
})

test('an assistant of 2026-07-28 listens to a list and is told of new values until it cancels', async () => {
  const folder = temporaryFolder()
  const clock = new FakeClock()
  const lists = [...watchlists]
  const { access } = await runningApp(folder, { clock, lists })
  const client = await connectModern(folder)
  const heard: string[] = []
  client.setNotificationHandler('notifications/resources/updated', ({ params: { uri } }) => void heard.push(uri))
  client.setNotificationHandler('notifications/resources/list_changed', () => void heard.push('lists'))
  const [list = ''] = (await client.listResources()).resources.map(({ uri }) => uri)
  const subscription = await client.listen({ resourceSubscriptions: [list], resourcesListChanged: true })
  await eventually(() => {
    access.valueSeen('BRTI')
    expect(heard.splice(0)).toEqual([list])
  })
  expect(access.view.clients).toMatchObject([{ name: 'tester 2' }])
  lists.push({ id: 'third', name: 'Third', entries: [] })
  access.listsSeen()
  await eventually(() => expect(heard.splice(0)).toEqual(['lists']))

  await subscription.close()
  const again = await client.listen({ resourcesListChanged: true })
  clock.advance(2_000)
  access.valueSeen('BRTI')
  lists.pop()
  access.listsSeen()
  await eventually(() => expect(heard).toEqual(['lists']))
  await again.close()
})

test('an assistant that discovers, or asks for an unknown version, can still greet as today', async () => {
  const { send, hears, end } = startServer(temporaryFolder())
  send({ id: 1, method: 'server/discover', params: { _meta: envelope('2099-01-01') } })
  await hears({ id: 1, error: expect.objectContaining({ code: -32_022 }) as object })
  send({ id: 2, method: 'server/discover', params: { _meta: envelope(modern) } })
  await hears({
    id: 2,
    result: expect.objectContaining({ supportedVersions: [modern], resultType: 'complete' }) as object,
  })
  send({
    id: 3,
    method: 'initialize',
    params: { protocolVersion: today, capabilities: {}, clientInfo: { name: 'both', version: '1' } },
  })
  await hears({ id: 3, result: expect.objectContaining({ protocolVersion: today }) as object })
  await end()
})

test('a start that only discovers writes no file and does not reach the app', async () => {
  const folder = temporaryFolder()
  const { access } = await runningApp(folder)
  const before = readdirSync(folder, { recursive: true })
  const { send, hears, end } = startServer(folder)
  send({ id: 1, method: 'server/discover', params: { _meta: envelope(modern) } })
  send({ id: 2, method: 'tools/list', params: { _meta: envelope(modern) } })
  await hears({ id: 2, result: expect.objectContaining({ resultType: 'complete' }) as object })
  await end()
  expect(readdirSync(folder, { recursive: true })).toEqual(before)
  expect(access.view.clients).toEqual([])
})
