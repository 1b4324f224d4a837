import * as v from 'valibot'
import { describe, expect, test } from 'vitest'
import { alertCommands } from '../../../../protocol/commands/alerts'
import { appCommands } from '../../../../protocol/commands/app'
import { assistantCommands } from '../../../../protocol/commands/assistants'
import { connectionCommands } from '../../../../protocol/commands/connections'
import { deskCommands } from '../../../../protocol/commands/desk'
import { historyCommands } from '../../../../protocol/commands/history'
import { indexWindowCommands } from '../../../../protocol/commands/index-windows'
import { indexCommands } from '../../../../protocol/commands/indices'
import { listCommands } from '../../../../protocol/commands/lists'
import { tickerCommands } from '../../../../protocol/commands/ticker'
import { webhookCommands } from '../../../../protocol/commands/webhooks'
import { commandNames, commands, mayAsk, type CommandName } from '../../../../protocol/commands/contract'
import { levelDraft } from '../../../support/sample-alerts'

const profile = {
  id: 'p1',
  auth: 'basic',
  isEnabled: true,
  name: 'Desk',
  webSocketUrl: 'wss://feed.example/ws/v4',
  keyId: 'key',
}
const desk = { address: 'tls://desk.example:4222', name: 'london', user: 'ana' }
const entries = [{ id: 'BRTI', maxResolution: 'PER_SECOND' }]
const list = { id: 'l1', name: 'Crypto', entries }
/** The parts of a valibot schema from which a sample is made. */
interface Inspected {
  readonly type: string
  readonly entries?: Record<string, Inspected>
  readonly wrapped?: Inspected
  readonly item?: Inspected
  readonly options?: readonly unknown[]
  readonly literal?: unknown
}

const texts = [
  'BRTI',
  '1',
  '{}',
  'UTC',
  'wss://feed.example/ws/v4',
  'https://feed.example/',
  'office.example:3128',
  'Ctrl+Alt+I',
]
const numbers = [1, 0, 70, 27_463]
const optional = /optional|nullish/

/** The smallest value that this schema accepts, or the largest. */
function sampleOf(schema: Inspected, isWhole: boolean): unknown {
  const { type, entries = {}, wrapped, item, options = [], literal } = schema
  const fits = (value: unknown) => v.is(schema as unknown as v.GenericSchema, value)
  if (wrapped !== undefined) return sampleOf(wrapped, isWhole)
  if (item !== undefined) return [sampleOf(item, isWhole)]
  if (type === 'literal') return literal
  if (type === 'boolean') return true
  if (type === 'picklist') return options[0]
  if (type === 'string') return texts.find(fits)
  if (type === 'number') return numbers.find(fits)
  if (options.length > 0) return sampleOf(options[0] as Inspected, isWhole)
  const asked = Object.entries(entries).filter(([, entry]) => isWhole || !optional.test(entry.type))
  return Object.fromEntries(asked.map(([name, entry]) => [name, sampleOf(entry, isWhole)]))
}

/** Arguments that cannot be derived from their schemas. */
const written: Partial<Record<CommandName, Record<string, unknown>>> = {
  createAlert: { draft: levelDraft(), whenAlreadyMet: 'wait' },
  editAlert: { ruleId: 'r1', draft: levelDraft(), whenAlreadyMet: 'wait' },
  editDeskAlert: { ruleId: 'r1', version: 1, draft: levelDraft() },
  previewAlert: { draft: levelDraft() },
  testAlert: { draft: levelDraft(), fromMs: 0, toMs: 1_800_000_000_000 },
  saveProfile: { profile, keySecret: 's' },
  testConnection: { profile, keySecret: 's' },
  saveDesk: { desk, password: 's' },
  testDesk: { desk, password: '' },
}

function argumentsOf(name: CommandName, isWhole = false): Record<string, unknown> {
  return written[name] ?? (sampleOf(commands[name].schema as unknown as Inspected, isWhole) as Record<string, unknown>)
}

/** Values at the limits of a command. */
const accepted: Partial<Record<CommandName, unknown[]>> = {
  createList: [{ name: ' x '.repeat(15) }],
  renameList: [{ listId: 'l1', name: 'Équités' }],
  restoreList: [
    {
      list: { ...list, entries: [], sort: { column: 'index', isDescending: false }, columns: ['value', 'name'] },
      position: 3,
    },
  ],
  arrangeList: [
    { listId: 'l1', sort: { column: 'percent', isDescending: true }, columns: [] },
    { listId: 'l1', sort: null, columns: null, widths: null },
    { listId: 'l1', widths: { index: 120, value: 200 } },
  ],
  setPreferences: [{ timeZone: 'Europe/London' }, { alertSounds: ['info', 'urgent'] }, { heartbeatMinutes: 5 }],
  copyText: [{ text: '' }, { text: 'BRTI\t79,767.41' }],
  followIndices: [{ indexIds: [] }],
  getLatestValues: [{ indexIds: [] }, { indexIds: Array.from({ length: 30 }, (_, at) => `X${at}`) }],
  getChart: [
    { indexId: 'BRTI', range: '24h' },
    { indexId: 'BRTI', range: { fromMs: 1, toMs: 2 } },
  ],
  getAmendments: [{ indexId: 'BRTI', before: { amendedAtMs: 2, publishedAtMs: 1, id: 'BRTI' } }],
  clearHistory: [{ beforeMs: 0 }],
  createAlert: [{ draft: { ...levelDraft('-1.350e-5'), note: 'n', holdMs: 60_000 }, whenAlreadyMet: 'fire' }],
  previewAlert: [{ draft: levelDraft(), ruleId: 'r1' }],
  snoozeAlerts: [
    { scope: { of: 'all' }, untilMs: null },
    { scope: { of: 'index', indexId: 'BRTI' }, untilMs: 1 },
  ],
  endSnooze: [{ scope: { of: 'rule', ruleId: 'r1' } }],
  getInbox: [{ query: { search: 'BRTI', kinds: ['fired'], ruleId: 'r1', before: 7, after: 3 } }],
  saveProfile: [
    { profile: { ...profile, restUrl: 'https://feed.example', mcpUrl: 'https://feed.example/mcp' }, keySecret: '' },
    { profile: { ...profile, webSocketUrl: 'ws://127.0.0.1:9/ws', restUrl: 'http://localhost:9' }, keySecret: '' },
  ],
  fitTicker: [{ width: 300, height: 0 }],
}

/** Values that no schema shape forbids. */
const refused: Partial<Record<CommandName, unknown[]>> = {
  addIndex: [
    { listId: 'watchlist', indexId: '__proto__' },
    { listId: 'watchlist', indexId: 'A B' },
    { listId: 'watchlist', indexId: 'A'.repeat(65) },
    { listId: 'watchlist', indexId: 'BRTI', position: -1 },
    { listId: 'watchlist', indexId: 'BRTI', position: 0.5 },
    { listId: 'watchlist', indexId: 'BRTI', position: Number.NaN },
    { listId: 'watchlist', indexId: 'BRTI', maxResolution: 'DAILY' },
    { listId: '', indexId: 'BRTI' },
  ],
  createList: [{ name: '  ' }, { name: 'x'.repeat(61) }],
  renameList: [{ listId: 'l1' }, { name: 'X' }, { listId: 'l1', name: '' }],
  restoreList: [
    { list },
    { list, position: -1 },
    { list: { ...list, name: '' }, position: 0 },
    { list: { ...list, entries: [{ id: '<b>', maxResolution: 'PER_SECOND' }] }, position: 0 },
    { list: { ...list, entries: [{ id: 'BRTI', maxResolution: 'DAILY' }] }, position: 0 },
    { list: { ...list, columns: ['value', 'value'] }, position: 0 },
  ],
  arrangeList: [
    { listId: 'l1', sort: { column: 'colour', isDescending: true } },
    { listId: 'l1', sort: { column: 'value' } },
    { listId: 'l1', columns: ['index'] },
    { listId: 'l1', columns: ['value', 'value'] },
    { listId: 'l1', widths: { value: 39 } },
    { listId: 'l1', widths: { menu: 60 } },
  ],
  setPreferences: [
    { theme: undefined },
    { timeZone: 'Mars/Olympus' },
    { changeBase: 'previousPublished' },
    { alertSounds: ['loud'] },
    { heartbeatMinutes: 2 },
    { heartbeatWebhook: 'http://hooks.example/' },
    { secondWebhook: 'http://hooks.example/' },
    { secondWebhook: 'https://user:pass@hooks.example/' },
    { proxyServer: 'http://kim:pass@proxy.example:3128' },
    { proxyServer: 'kim@proxy.example:3128' },
    { showShortcut: 'Ctrl+C' },
    { tickerOpacity: 0 },
    { tickerIds: ['<b>'] },
    { tickerIds: Array.from({ length: 11 }, (_, at) => `I${at}`) },
    { spreadsheetPort: 80 },
    { spreadsheetPort: 27_463.5 },
    { historyDays: 0 },
    { watchlists: [] },
  ],
  runServiceTool: [
    { connectionId: 'demo', tool: '', argumentsJson: '{}' },
    { connectionId: 'demo', tool: 'x'.repeat(129), argumentsJson: '{}' },
    { connectionId: 'demo', tool: 'get_supplies', argumentsJson: 'x'.repeat(65_537) },
    { connectionId: 'demo', tool: 'get_supplies', argumentsJson: {} },
  ],
  saveServiceToolTable: [
    { callId: 'c1', table: -1 },
    { callId: 'c1', table: 100 },
    { callId: 'c1', table: 0.5 },
  ],
  savePointsTable: [{ indexId: '', since: 'close' }, { indexId: 'NCI', since: 'yesterday' }, { indexId: 'NCI' }],
  saveFixingPdf: [{ indexId: '../BRR' }],
  exportLists: [{ listIds: [] }, { listIds: [''] }],
  followIndices: [{ indexIds: Array.from({ length: 9 }, (_, at) => `X${at}`) }, { indexIds: ['<b>'] }, {}],
  getLatestValues: [{ indexIds: Array.from({ length: 31 }, (_, at) => `X${at}`) }, { indexIds: ['<b>'] }],
  getChart: [{ indexId: 'BRTI' }, { indexId: 'BRTI', range: '2h' }, { indexId: 'BRTI', range: { fromMs: 1 } }],
  getAmendments: [{ indexId: '<b>' }, { before: { amendedAtMs: 2, publishedAtMs: 1 } }],
  askValueAt: [{ indexId: 'BRTI' }, { indexId: '', atMs: 1 }, { indexId: 'BRTI', atMs: 1.5 }],
  getValueAt: [{ indexId: 'BRTI' }, { indexId: '', atMs: 1 }, { indexId: 'BRTI', atMs: 1.5 }],
  exportValues: [
    { indexIds: [], fromMs: 1, toMs: 2, resolution: 'every', format: 'csv' },
    { indexIds: ['BRTI'], fromMs: -1, toMs: 2, resolution: 'every', format: 'csv' },
    { indexIds: ['BRTI'], fromMs: 1, toMs: 2, resolution: 'week', format: 'csv' },
    { indexIds: ['BRTI'], fromMs: 1, toMs: 2, resolution: 'every', format: 'ods' },
    { indexIds: ['BRTI'], fromMs: 1, toMs: 2, resolution: 'every', format: 'csv', path: '/etc/passwd' },
  ],
  setAlertLevel: [{ ruleId: 'r1', level: '68,500' }, { ruleId: 'r1' }],
  setProxyCredentials: [{ name: '', password: '' }, { name: 'a:b', password: '' }, { name: 'office' }],
  testConnection: [{ profile }, { profile: { ...profile, webSocketUrl: 'ws://feed.example' }, keySecret: '' }],
  clearHistory: [{ beforeMs: -1 }, { beforeMs: '2026-11-22' }],
  openFolder: [{ folder: '/etc' }, {}],
  createAlert: [
    { draft: levelDraft() },
    { draft: levelDraft('1,5'), whenAlreadyMet: 'wait' },
    { draft: { ...levelDraft(), indexId: '__proto__' }, whenAlreadyMet: 'wait' },
    { draft: { ...levelDraft(), terms: { condition: 'above', level: '1' } }, whenAlreadyMet: 'wait' },
    { draft: { ...levelDraft(), holdMs: -1 }, whenAlreadyMet: 'wait' },
  ],
  armAlert: [{ ruleId: '' }],
  testAlert: [{ draft: levelDraft() }, { draft: levelDraft(), fromMs: -1, toMs: 2 }, { fromMs: 1, toMs: 2 }],
  explainAlertAt: [{ ruleId: 'r1' }, { ruleId: 'r1', atMs: -1 }, { ruleId: 'r1', atMs: 0.5 }],
  snoozeAlerts: [{ scope: { of: 'all' } }, { scope: { of: 'world' }, untilMs: null }],
  endSnooze: [{ scope: {} }],
  getInbox: [{ query: { kinds: ['x'] } }],
  exportAlerts: [{ ruleIds: [] }],
  saveProfile: [
    { profile },
    { profile: { ...profile, webSocketUrl: 'ws://feed.example' }, keySecret: '' },
    { profile: { ...profile, webSocketUrl: 'https://feed.example' }, keySecret: '' },
    { profile: { ...profile, webSocketUrl: 'wss://id:secret@feed.example' }, keySecret: '' },
    { profile: { ...profile, restUrl: 'http://feed.example' }, keySecret: '' },
    { profile: { ...profile, restUrl: 'file:///etc/passwd' }, keySecret: '' },
    { profile: { ...profile, restUrl: undefined }, keySecret: '' },
    { profile: { ...profile, name: '   ' }, keySecret: '' },
    { profile: { ...profile, keyId: '' }, keySecret: '' },
    { profile: { ...profile, auth: 'bearer' }, keySecret: '' },
    { profile: { ...profile, secret: 's' }, keySecret: '' },
    { profile, keySecret: 's'.repeat(1_025) },
  ],
  stopWaitingForKeyring: [{ profileId: 'p1' }, { profileId: 'p1', how: 'never' }, { how: 'cancel' }],
  openIndex: [{ indexId: '__proto__' }, { indexId: '<b>' }],
  dismissNotice: [{ noticeId: 'n'.repeat(65) }],
  fitTicker: [{ width: 300 }, { width: -1, height: 5 }, { width: 1e9, height: 5 }, { width: 0.5, height: 5 }],
  showTickerMenu: [{ x: 1 }, { indexId: '__proto__', x: 1, y: 1 }],
}

const notValues = [() => 1, Number.NaN]
const notArguments = [undefined, null, 0, '', 'x', () => 1]

describe.each(commandNames)('the arguments of %s', (name) => {
  const is = (args: unknown) => v.is(commands[name].schema, args)

  test('are accepted by its schema, from the least to the most', () => {
    for (const args of [argumentsOf(name), argumentsOf(name, true), ...(accepted[name] ?? [])])
      expect([args, is(args)]).toEqual([args, true])
  })

  test('are refused with an unknown field, a missing one, or a wrong type', () => {
    const [least, whole] = [argumentsOf(name), argumentsOf(name, true)]
    const without = Object.keys(least).map((field) =>
      Object.fromEntries(Object.entries(least).filter(([each]) => each !== field)),
    )
    const wrong = Object.keys(whole).flatMap((field) => notValues.map((value) => ({ ...whole, [field]: value })))
    for (const args of [{ ...least, extra: 1 }, ...without, ...wrong, ...(refused[name] ?? []), ...notArguments])
      expect([args, is(args)]).toEqual([args, false])
  })
})

test('no command is declared in two areas', () => {
  const areas = [
    appCommands,
    listCommands,
    indexCommands,
    indexWindowCommands,
    historyCommands,
    alertCommands,
    connectionCommands,
    assistantCommands,
    tickerCommands,
    webhookCommands,
    deskCommands,
  ]
  expect(areas.flatMap((area) => Object.keys(area)).sort()).toEqual([...commandNames].sort())
})

test('each page has its own commands', () => {
  for (const name of commandNames)
    expect(mayAsk('window', name)).toBe(!(name in tickerCommands) && !(name in indexWindowCommands))
  expect(commandNames.filter((name) => mayAsk('ticker', name)).sort()).toEqual(Object.keys(tickerCommands).sort())
})

test('the window of an index may not change lists, connections, webhooks or programs', () => {
  const others = { ...listCommands, ...connectionCommands, ...webhookCommands, ...assistantCommands, ...tickerCommands }
  const allowed = Object.keys(others).filter((name) => mayAsk('index', name as CommandName))
  expect(allowed).toEqual(['reconnect'])
  for (const name of [...Object.keys(indexWindowCommands), 'getChart', 'createAlert', 'getValueAt'])
    expect(mayAsk('index', name as CommandName)).toBe(true)
})

test('a refusal states in plain words what is expected', () => {
  const read = v.safeParse(commands.setAlertLevel.schema, { ruleId: 'r1', level: '1,5' })
  expect(read.issues?.[0].message).toBe('A level is a number such as 68500.00.')
})

test('a name loses the spaces around it', () =>
  expect(v.parse(commands.saveProfile.schema, { profile: { ...profile, name: ' Desk ' }, keySecret: '' })).toEqual({
    profile,
    keySecret: '',
  }))
