import { expect, onTestFinished, test } from 'vitest'
import { storedValues } from '../../main/connections/known-values'
import { ServiceConnection } from '../../main/connections/service-connection'
import { distribute } from '../../main/app/received'
import type { ConnectionEvents } from '../../main/connections/connection-events'
import { Counters } from '../../main/base/log'
import { Emitter } from '../../main/base/emitter'
import { IndexPage, pageSubscriptions } from '../../main/index-page/index-page'
import { PageMemory } from '../../main/index-page/page-memory'
import { PastValues } from '../../main/quotes/past-values'
import { QuoteStore } from '../../main/quotes/quote-store'
import type { Subscription } from '../../core/model'
import { noRules } from '../support/open-alerts'
import { eventually } from '../support/eventually'
import { FakeClock } from '../support/fake-clock'
import { goldenText } from '../support/golden'
import { MemoryHistory } from '../support/memory-history'
import { RecordedLog } from '../support/recorded-log'
import { ScriptedService, successBody } from '../support/scripted-service'
import { ToolService } from '../support/tool-service'

const nci = { id: 'NCI', name: 'Nasdaq Crypto Index', decimals: 2, maxResolution: 'PER_SECOND' }
const row: Subscription = { stream: 'value', id: 'BRTI', maxResolution: 'PER_200MS' }

/** A connection and an index page as in the app, against a scripted service. */
async function open(options: { hasRest?: boolean; mcpUrl?: string } = {}) {
  const service = await ScriptedService.start()
  const clock = new FakeClock(1_790_010_000_000)
  const log = new RecordedLog()
  const rows: string[] = []
  const seenByRules: string[] = []
  const events = new Emitter<ConnectionEvents>(() => undefined)
  const history = new MemoryHistory()
  const subscribe = (): void => {
    const asked = page.id === undefined ? [] : pageSubscriptions(page.id, connection.resolutionOf(page.id))
    connection.setWanted([row, ...asked])
  }
  const page: IndexPage = new IndexPage({
    clock,
    memory: new PageMemory({ history: history, clock, log: log }),
    source: () => connection.source,
    onIdChange: subscribe,
    onChange: () => undefined,
  })
  const connection: ServiceConnection = new ServiceConnection({
    endpoint: {
      name: 'Test',
      isDemo: false,
      webSocketUrl: service.webSocketUrl,
      ...((options.hasRest ?? true) ? { restUrl: service.restUrl } : {}),
      ...(options.mcpUrl === undefined ? {} : { mcpUrl: options.mcpUrl }),
      keyId: 'reader',
      keySecret: 'correct horse',
    },
    clock,
    log,
    counters: new Counters(),
    events,
    known: storedValues(history),
    watchedByRules: () => new Set(),
    appVersion: '1.2.3',
    onStatus: () => undefined,
    onCatalogue: subscribe,
  })
  const quotes = {
    store: new QuoteStore({ clock, onError: () => undefined }),
    pastValues: new PastValues({ clock, changeBase: () => 'sessionFirst' }),
    demote: () => undefined,
  }
  const rules: typeof noRules = {
    ...noRules,
    considerConstituents: (id, { constituents }) => seenByRules.push(`${id}: ${constituents.length} constituents`),
    considerCorporateAction: (id, action) =>
      seenByRules.push(`${id}: ${action === null ? 'no' : 'a'} corporate action`),
  }
  distribute(events, { clock, history, quotes, pages: { all: () => [page] }, rules }, () => connection)
  for (const name of ['caughtUp', 'dayFetched'] as const) events.on(name, ({ id }) => rows.push(id))
  events.on('refusalChanged', (id) => rows.push(id))
  onTestFinished(async () => {
    connection.dispose()
    page.dispose()
    await service.stop()
  })
  service.routes.set('indices', { body: successBody([nci, { ...nci, id: 'BRR', maxResolution: 'DAILY' }]) })
  service.routes.set('indices/NCI/detail', { body: goldenText('rest-detail.json') })
  service.routes.set('summary?id=NCI', { body: goldenText('rest-summary.json') })
  const asked = () => service.commands.map((command) => Object.values(command as object).join(' '))
  return { service, clock, log, page, connection, rows, seenByRules, asked }
}

/** Like `open`, with the connection live and its indices known. */
async function openListed() {
  const opened = await open()
  opened.connection.connect()
  await eventually(() => expect(opened.connection.catalogue).toHaveLength(2))
  return opened
}

test('rules see constituents and corporate actions without an open page', async () => {
  const { service, page, connection, seenByRules, asked } = await openListed()
  connection.setWanted([
    { stream: 'constituents', id: 'NCI' },
    { stream: 'active_corporate_action', id: 'NCI' },
  ])
  await eventually(() =>
    expect(asked().slice(-2)).toEqual(['subscribe constituents NCI', 'subscribe active_corporate_action NCI']),
  )
  service.send(goldenText('constituents-exchange-family.json'))
  service.send({ type: 'active_corporate_action', time: 1_790_000_000_000, id: 'NCI', action: null })
  await eventually(() =>
    expect(seenByRules).toEqual([expect.stringMatching(/: [1-9]\d* constituents$/), 'NCI: no corporate action']),
  )
  expect(page.view()).toBeUndefined()
})

test('an open page subscribes to every channel of its index', async () => {
  const { service, page, asked } = await openListed()
  page.open('NCI')
  await eventually(() =>
    expect(asked().slice(2)).toEqual([
      'subscribe value NCI',
      'subscribe constituents NCI',
      'subscribe active_corporate_action NCI',
      'subscribe rti_stats NCI',
    ]),
  )
  service.send(goldenText('constituents-exchange-family.json'))
  service.send({ type: 'active_corporate_action', time: 1_790_000_000_000, id: 'NCI', action: null })
  service.send({ type: 'subscribe', stream: 'rti_stats', id: 'NCI', success: false, reason: 'Unrecognised id' })
  await eventually(() =>
    expect(page.view()).toMatchObject({
      id: 'NCI',
      detail: {
        name: 'Nasdaq Crypto Index',
        facts: [{ name: 'underlyingAssetsType', text: 'PORTFOLIO' }, {}, {}, {}, {}, {}, {}, {}],
      },
      summary: { value: '79767.41', last24Hours: [{}, {}] },
      constituents: { divisor: '203484212.3109' },
      firstConstituents: { divisor: '203484212.3109' },
      corporateAction: null,
      problems: [{ part: 'rti_stats', message: 'Unrecognised id' }],
    }),
  )
})

/** Like `open`, with the page of BRTI open and its requests sent. */
async function openOnPage() {
  const opened = await open()
  opened.connection.connect()
  opened.page.open('BRTI')
  await eventually(() => expect(opened.service.commands).toHaveLength(3))
  return opened
}

test('a refused channel of the page does not refuse the row', async () => {
  const { service, page, connection, rows } = await openOnPage()
  service.send({ type: 'subscribe', stream: 'constituents', id: 'BRTI', success: false, reason: 'Unrecognised id' })
  await eventually(() => expect(page.view()?.problems.map(({ part }) => part)).toContain('constituents'))
  expect(connection.refusal('BRTI')).toBeUndefined()
  service.send({ type: 'subscribe', stream: 'value', id: 'BRTI', success: false, reason: 'Unrecognised id' })
  await eventually(() => expect(connection.refusal('BRTI')).toBe('Unrecognised id'))
  expect(rows).toContain('BRTI')
})

test('a value ends the refusal of its index', async () => {
  const { service, connection } = await openOnPage()
  service.send({ type: 'subscribe', stream: 'value', id: 'BRTI', success: false, reason: 'Unrecognised id' })
  await eventually(() => expect(connection.refusal('BRTI')).toBe('Unrecognised id'))
  service.sendValue('BRTI', '100.00')
  await eventually(() => expect(connection.refusal('BRTI')).toBeUndefined())
})

test('closing the page keeps the channels of the rows (protocol, 2.3)', async () => {
  const { service, page, asked } = await openListed()
  page.open('BRTI')
  await eventually(() => expect(asked()).toContain('subscribe constituents BRTI'))
  service.commands.length = 0
  page.close()
  await eventually(() => expect(asked()).toEqual(['unsubscribe constituents BRTI']))
})

test('a page opened before its frequency is known requests the rest afterwards', async () => {
  const { page, connection, asked } = await open()
  page.open('NCI')
  connection.connect()
  await eventually(() => expect(asked()).toContain('subscribe rti_stats NCI'))
  page.open('BRR')
  await eventually(() => expect(asked().slice(-2)).toEqual(['subscribe value BRR', 'subscribe constituents BRR']))
})

test('a page without a REST address says so', async () => {
  const { page, connection } = await open({ hasRest: false })
  page.open('NCI')
  connection.connect()
  await eventually(() => expect(page.view()?.problems.map(({ part }) => part)).toEqual(['detail', 'summary']))
})

test('lists the assistant tools once, after the stream is live', async () => {
  const tools = await ToolService.start((server) => {
    server.registerTool('get_supplies', { description: 'Supplies.' }, () => ({ content: [] }))
  })
  const { service, clock, connection } = await open({ mcpUrl: tools.url })
  expect(connection.tools).toBeUndefined()
  connection.connect()
  const listed = { state: 'listed', tools: [{ name: 'get_supplies', description: 'Supplies.', fields: [] }] }
  await eventually(() => expect(connection.tools).toEqual(listed))
  const requests = tools.requests.length
  service.drop()
  await eventually(() => expect(connection.status.retryInMs).toBeDefined())
  clock.advance(connection.status.retryInMs ?? 0)
  await eventually(() => expect(connection.status.state).toBe('live'))
  expect(connection.tools).toEqual(listed)
  expect(tools.requests).toHaveLength(requests)
})

test('lists assistant tools again after a reconnect if they did not answer', async () => {
  const tools = await ToolService.start()
  tools.answer = (_request, response) => response.writeHead(503).end()
  const { service, clock, connection } = await open({ mcpUrl: tools.url })
  connection.connect()
  await eventually(() => expect(connection.tools).toMatchObject({ state: 'unreachable' }))
  tools.answer = undefined
  service.drop()
  await eventually(() => expect(connection.status.retryInMs).toBeDefined())
  clock.advance(connection.status.retryInMs ?? 0)
  await eventually(() => expect(connection.tools).toEqual({ state: 'listed', tools: [] }))
})

test('a service without an MCP address offers no assistant tools', async () => {
  const { connection } = await open()
  expect(connection.tools).toEqual({ state: 'notOffered' })
})
