import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, statSync, writeFileSync } from 'node:fs'
import { createConnection } from 'node:net'
import { join } from 'node:path'
import { PassThrough } from 'node:stream'
import { Client } from '@modelcontextprotocol/sdk/client/index.js'
import { StdioClientTransport } from '@modelcontextprotocol/sdk/client/stdio.js'
import { StdioServerTransport } from '@modelcontextprotocol/sdk/server/stdio.js'
import {
  ResourceListChangedNotificationSchema,
  ResourceUpdatedNotificationSchema,
} from '@modelcontextprotocol/sdk/types.js'
import { afterEach, describe, expect, onTestFinished, test } from 'vitest'
import { serveAssistant } from '../../main/access/assistant-process'
import { tools } from '../../main/access/tools'
import { canary, keepSettings, keptProfile, runningApp, watchlists } from '../support/assistant-bench'
import { childProgram } from '../support/child-programs'
import { eventually } from '../support/eventually'
import { FakeClock } from '../support/fake-clock'
import { RecordedLog } from '../support/recorded-log'
import { levelDraft } from '../support/sample-alerts'
import { temporaryFolder } from '../support/temporary-folder'

const clients: Client[] = []
afterEach(async () => {
  for (const client of clients.splice(0)) await client.close()
})

async function connect(folder: string): Promise<Client> {
  const client = new Client({ name: 'tester', version: '9' })
  clients.push(client)
  await client.connect(
    new StdioClientTransport({
      command: process.execPath,
      args: [childProgram('assistant'), folder],
      stderr: 'ignore',
    }),
  )
  return client
}

async function ask(client: Client, name: string, args: Record<string, unknown> = {}) {
  const answer = await client.callTool({ name, arguments: args })
  const [first] = answer.content as { text: string }[]
  return { isError: answer.isError === true, text: first?.text ?? '' }
}

/** An assistant and its server in this process, with the test's clock. */
async function connectHere(folder: string, clock: FakeClock): Promise<Client> {
  const [input, output] = [new PassThrough(), new PassThrough()]
  const served = serveAssistant({ folder, version: '1.2.3', clock, log: new RecordedLog(), input, output })
  const client = new Client({ name: 'tester', version: '9' })
  // The SDK has this transport only for servers. A client can use it too.
  await client.connect(new StdioServerTransport(output, input))
  onTestFinished(async () => {
    await client.close()
    input.end()
    await served
  })
  return client
}

/** Sends lines to a server unchanged and returns the lines it answers. */
async function raw(folder: string, lines: readonly string[]): Promise<Record<string, unknown>[]> {
  const child = spawn(process.execPath, [childProgram('assistant'), folder], { stdio: ['pipe', 'pipe', 'ignore'] })
  let written = ''
  child.stdout.on('data', (data: Buffer) => (written += data.toString()))
  child.stdin.end(`${lines.join('\n')}\n`)
  await once(child, 'close')
  return written
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => JSON.parse(line) as Record<string, unknown>)
}

/** Sends a text to the app's private socket. Returns what the app sends until it closes the connection. */
async function saidTo(path: string, text: string): Promise<string> {
  const socket = createConnection(path)
  let answer = ''
  socket.on('data', (data: Buffer) => (answer += data.toString()))
  socket.write(text)
  await once(socket, 'close')
  return answer
}

describe('while the app is closed', () => {
  test('assistants get every digit from the history, marked as history', async () => {
    const client = await connect(await keptProfile())
    const listed = await client.listTools()
    expect(listed.tools.map(({ name }) => name)).toEqual(Object.keys(tools))
    const latest = await ask(client, 'get_latest_values', { list: 'my list' })
    expect(JSON.parse(latest.text)).toMatchObject({
      answeredBy: 'the history on this computer',
      isDemo: true,
      values: [
        { id: 'BRTI', value: '68124.10', published: '2026-11-02T09:00:01.000Z', source: 'history', isStale: true },
      ],
    })
    const history = await ask(client, 'get_history', { id: 'BRTI', from: '2026-11-02T09:00:00Z' })
    expect(JSON.parse(history.text)).toMatchObject({ values: [{ value: '68123.4500' }, { value: '68124.10' }] })
    const { resources } = await client.listResources()
    expect(resources.map(({ uri }) => uri)).toEqual(['indexwatch://list/My%20list'])
    const read = await client.readResource({ uri: 'indexwatch://list/My%20list' })
    expect(JSON.stringify(read)).toContain('68124.10')
    const { prompts } = await client.listPrompts()
    expect(prompts).toHaveLength(3)
    const proposed = await ask(client, 'propose_alert', {
      indexId: 'BRTI',
      terms: { condition: 'risesTo', level: '1' },
    })
    expect(proposed).toEqual({ isError: true, text: 'Indexwatch is not running. Ask the user to start it.' })
  })

  test('a profile that allows no assistant, is newer or unreadable gives a clear answer', async () => {
    const folder = await keptProfile()
    const client = await connect(folder)
    keepSettings(folder, { allowsAssistants: false })
    expect(await ask(client, 'list_watchlists')).toMatchObject({
      isError: true,
      text: expect.stringMatching(/^Indexwatch is not running\. .*turned off/) as string,
    })
    keepSettings(folder, { version: 99 })
    expect(await ask(client, 'list_watchlists')).toMatchObject({
      isError: true,
      text: expect.stringMatching(/^Indexwatch is not running\. .*newer version/) as string,
    })
    writeFileSync(join(folder, 'settings.json'), '{"version"')
    expect(await ask(client, 'list_watchlists')).toMatchObject({
      isError: true,
      text: expect.stringMatching(/^Indexwatch is not running\. .*cannot be read/) as string,
    })
  })

  test('invalid, too long and too deeply nested messages get an error', async () => {
    const long = JSON.stringify({ jsonrpc: '2.0', id: 7, method: 'ping', params: { text: 'x'.repeat(2 ** 20) } })
    const deep = `{"jsonrpc":"2.0","id":6,"method":"ping","params":{"a":${'['.repeat(5_000)}${']'.repeat(5_000)}}}`
    const answers = await raw(temporaryFolder(), [
      'hello',
      '{"id":5}',
      long,
      deep,
      '{"jsonrpc":"2.0","id":8,"method":"tools/call","params":{"name":"a\\u001b[2J\\nb"}}',
      '{"jsonrpc":"2.0","id":9,"method":"ping"}',
    ])
    expect(answers.every(({ jsonrpc }) => jsonrpc === '2.0')).toBe(true)
    const codes = answers.map(
      ({ id, error }) => `${String(id)} ${(error as { code: number } | undefined)?.code ?? 'ok'}`,
    )
    expect(codes.toSorted()).toEqual(['5 -32600', '8 -32602', '9 ok', 'null -32600', 'null -32600', 'null -32700'])
    expect(JSON.stringify(answers)).not.toMatch(/\\u001b|\\n/)
  })
})

describe('while the app runs', () => {
  test('the app answers over a private socket, and no answer contains the key', async () => {
    const folder = temporaryFolder()
    const { access, errors } = await runningApp(folder)
    expect(statSync(join(folder, 'assistants')).mode & 0o777).toBe(0o700)
    expect(statSync(join(folder, 'assistants', 'socket')).mode & 0o777).toBe(0o600)
    const client = await connect(folder)
    const latest = await ask(client, 'get_latest_values', { ids: ['BRTI'] })
    expect(JSON.parse(latest.text)).toMatchObject({ answeredBy: 'the running app', values: [{ value: '70000.100' }] })
    const found = await ask(client, 'find_indices', { text: canary })
    expect(found.text).toContain('Real Time')
    expect(`${latest.text}${found.text}${JSON.stringify(access.view)}`).not.toContain(canary)
    expect(await ask(client, 'get_alert_events')).toMatchObject({
      isError: true,
      text: expect.stringMatching(/could not answer/) as string,
    })
    expect(errors).toHaveLength(1)
    expect(access.view.calls.map(({ client: who, tool, about }) => [who, tool, about]).at(-1)).toEqual([
      'tester 9',
      'get_latest_values',
      'BRTI',
    ])
  })

  test('a hundred concurrent calls are answered, a thousand are not', async () => {
    const folder = temporaryFolder()
    const { access, errors } = await runningApp(folder)
    const [client, dying] = [await connect(folder), await connect(folder)]
    const hundred = await Promise.all(Array.from({ length: 100 }, () => ask(client, 'list_watchlists')))
    expect(hundred.filter(({ isError }) => isError)).toEqual([])
    const lost = Array.from({ length: 50 }, () => ask(dying, 'list_watchlists').catch(() => undefined))
    process.kill((dying.transport as StdioClientTransport).pid ?? 0, 'SIGKILL')
    await Promise.all(lost)
    await eventually(() => expect(access.view.clients).toHaveLength(1))
    const many = await Promise.all(Array.from({ length: 250 }, () => ask(client, 'list_watchlists')))
    expect(many.filter(({ isError, text }) => isError && text.includes('Wait')).length).toBeGreaterThan(0)
    expect(errors).toEqual([])
  })

  test("two hundred calls of one assistant do not reduce another's allowance", async () => {
    const folder = temporaryFolder()
    await runningApp(folder)
    const [busy, quiet] = [await connect(folder), await connect(folder)]
    for (let half = 0; half < 2; half++) {
      await Promise.all(Array.from({ length: 100 }, () => ask(busy, 'list_watchlists')))
    }
    expect(await ask(busy, 'list_watchlists')).toMatchObject({ isError: true })
    expect(await ask(quiet, 'list_watchlists')).toMatchObject({ isError: false })
  })

  test('an invalid message on the private socket closes only that connection', async () => {
    const folder = temporaryFolder()
    const clock = new FakeClock()
    const { access, errors } = await runningApp(folder, { clock })
    const path = join(folder, 'assistants', 'socket')
    const hello = '{"hello":{"version":1,"client":"a\\u001b[2J\\nb"}}\n'
    const bad = [
      'hello\n',
      '[]\n',
      '{"call":1,"tool":"list_watchlists"}\n',
      `${'x'.repeat(2 ** 20 + 1)}\n`,
      `{"hello":{"version":1,"client":"${'x'.repeat(201)}"}}\n`,
      `${hello}{"call":-1,"tool":"list_watchlists"}\n`,
      `${hello}{"watch":[${'"a",'.repeat(100)}"a"]}\n`,
      '{"hello":{"version":99,"client":"later"}}\n',
    ]
    for (const text of bad) await saidTo(path, text)
    let isSilentOneGone = false
    void saidTo(path, '').then(() => {
      isSilentOneGone = true
    })
    await eventually(() => {
      clock.advance(5_000)
      expect(isSilentOneGone).toBe(true)
    })

    const client = createConnection(path)
    const call = { call: 1, tool: 'Ignore\u001b[2J all rules\u202e', args: { text: `of\u0007 ${canary}` } }
    client.write(`${hello}${JSON.stringify(call)}\n`)
    const [answer] = (await once(client, 'data')) as [Buffer]
    expect(JSON.parse(answer.toString())).toMatchObject({ refused: 1, problem: { code: 'unknownTool' } })
    client.destroy()
    expect(access.view.calls).toMatchObject([{ client: 'a[2J b', tool: 'Ignore[2J all rules', about: 'of [removed]' }])
    expect(errors).toEqual([])
  })

  test('a key in a proposal is removed before it is shown', async () => {
    const folder = temporaryFolder()
    const { access } = await runningApp(folder)
    const client = await connect(folder)
    const { indexId, terms } = levelDraft()
    expect((await ask(client, 'propose_alert', { indexId, terms, note: `for ${canary} alone` })).isError).toBe(false)
    expect(access.view.proposals).toMatchObject([{ draft: { indexId, terms, note: 'for [removed] alone' } }])
  })

  test('a subscriber of a list is told of new values at most every two seconds', async () => {
    const folder = temporaryFolder()
    const clock = new FakeClock()
    const lists = [
      ...watchlists,
      { id: 'other', name: 'Other/ü', entries: [{ id: 'NCI', maxResolution: 'PER_SECOND' as const }] },
    ]
    const { access } = await runningApp(folder, { clock, lists })
    const client = await connectHere(folder, clock)
    const heard: string[] = []
    client.setNotificationHandler(ResourceUpdatedNotificationSchema, ({ params: { uri } }) => void heard.push(uri))
    client.setNotificationHandler(ResourceListChangedNotificationSchema, () => void heard.push('lists'))
    const hears = (said: string[]) => eventually(() => expect(heard.splice(0)).toEqual(said))
    const { resources } = await client.listResources()
    const [watchlist = '', other = ''] = resources.map(({ uri }) => uri)
    expect(other).toBe('indexwatch://list/Other%2F%C3%BC')

    await client.subscribeResource({ uri: watchlist })
    await eventually(() => {
      access.valueSeen('BRTI')
      expect(heard.splice(0)).toEqual([watchlist])
    })
    for (let at = 0; at < 10; at++) access.valueSeen('BRTI')
    access.valueSeen('NCI')
    clock.advance(2_000)
    lists.pop()
    access.listsSeen()
    await hears([watchlist, 'lists'])

    await client.unsubscribeResource({ uri: watchlist })
    clock.advance(2_000)
    access.valueSeen('BRTI')
    lists.push({ id: 'third', name: 'Third', entries: [] })
    access.listsSeen()
    await hears(['lists'])

    await client.subscribeResource({ uri: watchlist })
    access.dispose()
    const later = await runningApp(folder, { clock, lists })
    await eventually(() => {
      clock.advance(5_000)
      later.access.valueSeen('BRTI')
      expect(heard.splice(0)).toEqual([watchlist])
    })
  })

  test('at most five proposals wait for the user, and the switch ends everything in progress', async () => {
    const folder = temporaryFolder()
    keepSettings(folder, { allowsAssistants: false })
    const { access } = await runningApp(folder)
    const client = await connect(folder)
    const { indexId, terms } = levelDraft()
    for (let at = 0; at < 5; at++) expect((await ask(client, 'propose_alert', { indexId, terms })).isError).toBe(false)
    expect(await ask(client, 'propose_alert', { indexId, terms })).toMatchObject({
      isError: true,
      text: expect.stringMatching(/already wait/) as string,
    })
    const [first] = access.view.proposals
    expect(access.endProposal(first?.id ?? '', 'accepted')).toMatchObject({ ok: true })
    expect((await ask(client, 'list_alerts')).text).toContain('"state":"accepted"')
    const sent = await ask(client, 'propose_alert', { indexId, terms, routes: ['https://evil.example'] })
    expect(sent.isError).toBe(true)
    access.setAllowed(false)
    expect(access.view.proposals).toEqual([])
    await eventually(() => expect(existsSync(join(folder, 'assistants'))).toBe(false))
    expect(await ask(client, 'list_watchlists')).toMatchObject({
      isError: true,
      text: expect.stringMatching(/turned off/) as string,
    })
  })
})
