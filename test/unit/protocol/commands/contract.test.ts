import type { Preferences } from '../../../../protocol/preferences'
import * as v from 'valibot'
import { describe, expect, test } from 'vitest'
import { alertCommands } from '../../../../protocol/commands/alerts'
import { appCommands } from '../../../../protocol/commands/app'
import { assistantCommands } from '../../../../protocol/commands/assistants'
import { connectionCommands } from '../../../../protocol/commands/connections'
import { historyCommands } from '../../../../protocol/commands/history'
import { indexCommands } from '../../../../protocol/commands/indices'
import { listCommands } from '../../../../protocol/commands/lists'
import { tickerCommands } from '../../../../protocol/commands/ticker'
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
const entries = [{ id: 'BRTI', maxResolution: 'PER_SECOND' }]
const list = { id: 'l1', name: 'Crypto', entries }
const preferences = {
  theme: 'dark',
  density: 'comfortable',
  directionColours: 'blueUp',
  grouping: 'space',
  timeZone: 'Europe/London',
  changeBase: 'dayAgo',
  showsNotifications: false,
  alertSounds: ['info', 'urgent'],
  secondChannel: 'webhook',
  secondWebhook: 'https://hooks.example/urgent',
  heartbeatMinutes: 5,
  heartbeatWebhook: 'https://hooks.example/beat',
  startsAtLogin: true,
  showShortcut: 'Ctrl+Alt+I',
  closingWithoutTray: 'quit',
  showsTicker: true,
  tickerIds: ['NCI', 'BRTI'],
  tickerLayout: 'line',
  tickerSize: 'small',
  tickerOpacity: 70,
  isTickerClickThrough: true,
  usesXWayland: true,
  allowsAssistants: true,
  allowsSpreadsheets: true,
  spreadsheetPort: 27_463,
  historyDays: 365,
  historyGigabytes: 10,
  proxy: 'fixed',
  proxyServer: 'http://office.example:3128',
  proxyScript: 'https://office.example/proxy.pac',
} satisfies Preferences

const accepted: Record<CommandName, unknown[]> = {
  getSnapshot: [{}],
  addIndex: [
    { listId: 'watchlist', indexId: 'BRTI' },
    { listId: 'watchlist', indexId: 'BRTI', position: 0, maxResolution: 'PER_200MS' },
  ],
  removeIndex: [{ listId: 'watchlist', indexId: 'UC5_RTI_TR' }],
  setResolution: [{ listId: 'watchlist', indexId: 'BRTI', maxResolution: 'PER_SECOND' }],
  createList: [{ name: 'Crypto' }, { name: ' x '.repeat(15) }],
  renameList: [{ listId: 'l1', name: 'Équités' }],
  removeList: [{ listId: 'l1' }],
  restoreList: [
    { list, position: 0 },
    {
      list: { ...list, entries: [], sort: { column: 'index', isDescending: false }, columns: ['value', 'name'] },
      position: 3,
    },
  ],
  moveList: [{ listId: 'l1', position: 0 }],
  moveIndex: [{ listId: 'l1', indexId: 'BRTI', position: 12 }],
  arrangeList: [
    { listId: 'l1' },
    { listId: 'l1', sort: { column: 'percent', isDescending: true }, columns: [] },
    { listId: 'l1', sort: null, columns: null },
  ],
  setPinned: [{ indexId: 'BRTI', isPinned: true }],
  setPreferences: [{}, preferences, { timeZone: 'system' }, { theme: 'system' }],
  getAssistantSetup: [{}],
  makeSpreadsheetToken: [{}],
  acceptProposal: [{ proposalId: 'p1' }],
  declineProposal: [{ proposalId: 'p1' }],
  saveListCsv: [{ listId: 'l1' }],
  saveConstituentsCsv: [{ indexId: 'NCI' }],
  exportLists: [{ listIds: ['l1', 'l2'] }],
  chooseListFile: [{}],
  importLists: [{ importId: 'i1' }],
  copyText: [{ text: '' }, { text: 'BRTI\t79,767.41' }],
  followIndices: [{ indexIds: [] }, { indexIds: ['BRTI', 'BRR', 'NCI', 'LINKUSD_RTI'] }],
  getLatestValues: [{ indexIds: [] }, { indexIds: Array.from({ length: 30 }, (_, at) => `X${at}`) }],
  getChart: [
    { indexId: 'BRTI', range: '24h' },
    { indexId: 'BRTI', range: { fromMs: 1, toMs: 2 } },
  ],
  getKnownChart: [{ indexId: 'BRTI', range: { fromMs: 1, toMs: 2 } }],
  getIndexEvents: [{ indexId: 'BRTI', fromMs: 1, toMs: 1 }],
  getAmendments: [{}, { indexId: 'BRTI', before: { amendedAtMs: 2, publishedAtMs: 1, id: 'BRTI' } }],
  saveAmendmentsCsv: [{}, { indexId: 'BRTI' }],
  getValueAt: [{ indexId: 'BRTI', atMs: 1 }],
  exportValues: [
    { indexIds: ['BRTI'], fromMs: 1, toMs: 2, resolution: 'every', format: 'csv' },
    { indexIds: ['BRTI', 'BRR'], fromMs: 0, toMs: 8_640_000_000, resolution: 'day', format: 'parquet' },
  ],
  getExportProgress: [{}],
  cancelExport: [{}],
  getAwayReport: [{}],
  dismissAway: [{}],
  setAlertLevel: [{ ruleId: 'r1', level: '68500.00' }],
  setConstituentsBase: [{ indexId: 'NCI' }],
  clearConstituentsBase: [{ indexId: 'NCI' }],
  setProfileEnabled: [{ profileId: 'p1', isEnabled: false }],
  setProxyCredentials: [{ name: 'office', password: 'correct horse' }],
  testConnection: [{ profile, keySecret: 's' }],
  getDiagnostics: [{}],
  getHistorySize: [{}],
  clearHistory: [{ beforeMs: 0 }, { beforeMs: 1_800_000_000_000 }],
  openFolder: [{ folder: 'log' }, { folder: 'data' }],
  getAbout: [{}],
  checkForUpdates: [{}],
  restartToUpdate: [{}],
  openSite: [{}],
  createAlert: [
    { draft: levelDraft(), whenAlreadyMet: 'wait' },
    { draft: { ...levelDraft('-1.350e-5'), note: 'n', holdMs: 60_000 }, whenAlreadyMet: 'fire' },
  ],
  editAlert: [{ ruleId: 'r1', draft: levelDraft(), whenAlreadyMet: 'wait' }],
  armAlert: [{ ruleId: 'r1' }],
  previewAlert: [{ draft: levelDraft() }, { draft: levelDraft(), ruleId: 'r1' }],
  testAlert: [{ draft: levelDraft(), fromMs: 0, toMs: 1_800_000_000_000 }],
  getAlertTestProgress: [{}],
  cancelAlertTest: [{}],
  explainAlert: [{ ruleId: 'r1' }],
  explainAlertAt: [{ ruleId: 'r1', atMs: 1_800_000_000_000 }],
  snoozeAlerts: [
    { scope: { of: 'all' }, untilMs: null },
    { scope: { of: 'index', indexId: 'BRTI' }, untilMs: 1 },
  ],
  endSnooze: [{ scope: { of: 'rule', ruleId: 'r1' } }],
  getInbox: [{ query: {} }, { query: { search: 'BRTI', kinds: ['fired'], ruleId: 'r1', before: 7, after: 3 } }],
  saveInboxCsv: [{ query: {} }],
  testNotification: [{}],
  restart: [{}],
  exportAlerts: [{}, { ruleIds: ['r1'] }],
  chooseAlertFile: [{}],
  importAlerts: [{ importId: 'i1' }],
  deleteAlert: [{ ruleId: 'r1' }],
  markInboxRead: [{}],
  verifyInbox: [{}],
  reconnect: [{}],
  saveProfile: [
    { profile, keySecret: 's' },
    { profile: { ...profile, restUrl: 'https://feed.example' }, keySecret: '' },
    { profile: { ...profile, mcpUrl: 'https://feed.example/mcp' }, keySecret: '' },
    {
      profile: { ...profile, webSocketUrl: 'ws://127.0.0.1:9/ws', restUrl: 'http://localhost:9' },
      keySecret: '',
    },
  ],
  removeProfile: [{ profileId: 'p1' }],
  openIndex: [{ indexId: 'NCI' }],
  closeIndex: [{}],
  dismissNotice: [{ noticeId: 'n1' }],
  getTickerSnapshot: [{}],
  fitTicker: [{ width: 300, height: 0 }],
  openFromTicker: [{ indexId: 'BRTI' }],
  showTickerMenu: [
    { x: 0, y: 12 },
    { indexId: 'BRTI', x: 3, y: 4 },
  ],
  closeTicker: [{}],
}

const refused: Record<CommandName, unknown[]> = {
  getSnapshot: [{ extra: 1 }],
  addIndex: [
    {},
    { listId: 'watchlist', indexId: '__proto__' },
    { listId: 'watchlist', indexId: 'A B' },
    { listId: 'watchlist', indexId: 'A'.repeat(65) },
    { listId: 'watchlist', indexId: 'BRTI', position: -1 },
    { listId: 'watchlist', indexId: 'BRTI', position: 0.5 },
    { listId: 'watchlist', indexId: 'BRTI', position: Number.NaN },
    { listId: 'watchlist', indexId: 'BRTI', maxResolution: 'DAILY' },
    { listId: '', indexId: 'BRTI' },
  ],
  removeIndex: [{ listId: 'watchlist', indexId: 5 }],
  setResolution: [{ listId: 'watchlist', indexId: 'BRTI' }],
  createList: [{}, { name: '  ' }, { name: 'x'.repeat(61) }],
  renameList: [{ listId: 'l1' }, { name: 'X' }, { listId: 'l1', name: '' }],
  removeList: [{ listId: '' }],
  restoreList: [
    { list },
    { list, position: -1 },
    { list: { ...list, name: '' }, position: 0 },
    { list: { ...list, entries: [{ id: '<b>', maxResolution: 'PER_SECOND' }] }, position: 0 },
    { list: { ...list, entries: [{ id: 'BRTI', maxResolution: 'DAILY' }] }, position: 0 },
    { list: { ...list, columns: ['value', 'value'] }, position: 0 },
  ],
  moveList: [{ listId: 'l1' }, { listId: 'l1', position: 0.5 }],
  moveIndex: [
    { listId: 'l1', indexId: 'BRTI' },
    { listId: 'l1', indexId: '__proto__', position: 0 },
  ],
  arrangeList: [
    {},
    { listId: 'l1', sort: { column: 'colour', isDescending: true } },
    { listId: 'l1', sort: { column: 'value' } },
    { listId: 'l1', columns: ['index'] },
    { listId: 'l1', columns: ['value', 'value'] },
  ],
  setPinned: [{ indexId: 'BRTI' }, { indexId: '<b>', isPinned: true }],
  setPreferences: [
    { theme: 'sepia' },
    { theme: undefined },
    { density: 'dense' },
    { directionColours: 'pinkUp' },
    { grouping: 'dot' },
    { timeZone: 'Mars/Olympus' },
    { changeBase: 'previousPublished' },
    { showsNotifications: 'yes' },
    { alertSounds: ['loud'] },
    { alertSounds: 'urgent' },
    { secondChannel: 'email' },
    { heartbeatMinutes: 2 },
    { heartbeatWebhook: 'http://hooks.example/' },
    { secondWebhook: 'http://hooks.example/' },
    { secondWebhook: 'https://user:pass@hooks.example/' },
    { startsAtLogin: 1 },
    { showShortcut: 'Ctrl+C' },
    { closingWithoutTray: 'no' },
    { tickerOpacity: 0 },
    { tickerOpacity: '70' },
    { tickerLayout: 'grid' },
    { usesXWayland: 'yes' },
    { tickerIds: ['<b>'] },
    { tickerIds: Array.from({ length: 11 }, (_, at) => `I${at}`) },
    { allowsAssistants: 'yes' },
    { allowsSpreadsheets: 'yes' },
    { spreadsheetPort: 80 },
    { spreadsheetPort: 27_463.5 },
    { historyDays: 0 },
    { historyGigabytes: '2' },
    { watchlists: [] },
  ],
  getAssistantSetup: [{ path: '/tmp/x' }],
  makeSpreadsheetToken: [{ token: 'mine' }],
  acceptProposal: [{}, { proposalId: '' }],
  declineProposal: [{ proposalId: 5 }],
  saveListCsv: [{}, { listId: 'l1', path: '/tmp/x' }],
  saveConstituentsCsv: [{ indexId: '' }],
  exportLists: [{ listIds: [] }, { listIds: [''] }],
  chooseListFile: [{ path: '/etc/passwd' }],
  importLists: [{}, { importId: '' }],
  copyText: [{}, { text: 5 }],
  followIndices: [{ indexIds: Array.from({ length: 9 }, (_, at) => `X${at}`) }, { indexIds: ['<b>'] }, {}],
  getLatestValues: [{ indexIds: Array.from({ length: 31 }, (_, at) => `X${at}`) }, { indexIds: ['<b>'] }],
  getChart: [{ indexId: 'BRTI' }, { indexId: 'BRTI', range: '2h' }, { indexId: 'BRTI', range: { fromMs: 1 } }],
  getKnownChart: [{ indexId: 'BRTI', range: '2h' }],
  getIndexEvents: [{ indexId: 'BRTI' }, { indexId: '<b>', fromMs: 1, toMs: 2 }],
  getAmendments: [{ indexId: '<b>' }, { before: { amendedAtMs: 2, publishedAtMs: 1 } }],
  saveAmendmentsCsv: [{ indexId: '' }],
  getValueAt: [{ indexId: 'BRTI' }, { indexId: '', atMs: 1 }, { indexId: 'BRTI', atMs: 1.5 }],
  exportValues: [
    { indexIds: [], fromMs: 1, toMs: 2, resolution: 'every', format: 'csv' },
    { indexIds: ['BRTI'], fromMs: -1, toMs: 2, resolution: 'every', format: 'csv' },
    { indexIds: ['BRTI'], fromMs: 1, toMs: 2, resolution: 'week', format: 'csv' },
    { indexIds: ['BRTI'], fromMs: 1, toMs: 2, resolution: 'every', format: 'xlsx' },
    { indexIds: ['BRTI'], fromMs: 1, toMs: 2, resolution: 'every', format: 'csv', path: '/etc/passwd' },
  ],
  getExportProgress: [{ id: 1 }],
  cancelExport: [{ id: 1 }],
  getAwayReport: [{ fromMs: 1 }],
  dismissAway: [{ id: 1 }],
  setAlertLevel: [{ ruleId: 'r1', level: '68,500' }, { ruleId: 'r1' }],
  setConstituentsBase: [{}],
  clearConstituentsBase: [{ indexId: '<b>' }],
  setProfileEnabled: [{ profileId: 'p1' }],
  setProxyCredentials: [{ name: '', password: '' }, { name: 'a:b', password: '' }, { name: 'office' }],
  testConnection: [{ profile }, { profile: { ...profile, webSocketUrl: 'ws://feed.example' }, keySecret: '' }],
  getDiagnostics: [{ secrets: true }],
  getHistorySize: [{ path: '/' }],
  clearHistory: [{}, { beforeMs: -1 }, { beforeMs: '2026-11-22' }],
  openFolder: [{ folder: '/etc' }, {}],
  checkForUpdates: [{ url: 'https://other.example' }],
  restartToUpdate: [{ path: '/tmp/other' }],
  openSite: [{ url: 'https://other.example' }],
  getAbout: [{ path: '/etc' }],
  createAlert: [
    {},
    { draft: levelDraft() },
    { draft: levelDraft('1,5'), whenAlreadyMet: 'wait' },
    { draft: { ...levelDraft(), indexId: '__proto__' }, whenAlreadyMet: 'wait' },
    { draft: { ...levelDraft(), terms: { condition: 'above', level: '1' } }, whenAlreadyMet: 'wait' },
    { draft: { ...levelDraft(), holdMs: -1 }, whenAlreadyMet: 'wait' },
  ],
  editAlert: [{ draft: levelDraft(), whenAlreadyMet: 'wait' }],
  armAlert: [{ ruleId: '' }],
  previewAlert: [{}],
  testAlert: [{ draft: levelDraft() }, { draft: levelDraft(), fromMs: -1, toMs: 2 }, { fromMs: 1, toMs: 2 }],
  getAlertTestProgress: [{ id: 1 }],
  cancelAlertTest: [{ id: 1 }],
  explainAlert: [{}],
  explainAlertAt: [{ ruleId: 'r1' }, { ruleId: 'r1', atMs: -1 }, { ruleId: 'r1', atMs: 0.5 }],
  snoozeAlerts: [{ scope: { of: 'all' } }, { scope: { of: 'world' }, untilMs: null }],
  endSnooze: [{ scope: {} }],
  getInbox: [{ query: { kinds: ['x'] } }],
  saveInboxCsv: [{}],
  testNotification: [{ extra: 1 }],
  restart: [{ args: ['--x'] }],
  exportAlerts: [{ ruleIds: [] }],
  chooseAlertFile: [{ extra: 1 }],
  importAlerts: [{}],
  deleteAlert: [{ ruleId: '' }],
  markInboxRead: [[1]],
  verifyInbox: [[1]],
  reconnect: [{ now: true }],
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
  removeProfile: [{}, { profileId: '' }],
  openIndex: [{}, { indexId: '__proto__' }, { indexId: '<b>' }],
  closeIndex: [{ indexId: 'NCI' }],
  dismissNotice: [{ noticeId: 'n'.repeat(65) }],
  getTickerSnapshot: [{ all: true }],
  fitTicker: [{ width: 300 }, { width: -1, height: 5 }, { width: 1e9, height: 5 }, { width: 0.5, height: 5 }],
  openFromTicker: [{}, { indexId: '<b>' }],
  showTickerMenu: [{ x: 1 }, { indexId: '__proto__', x: 1, y: 1 }],
  closeTicker: [{ indexId: 'BRTI' }],
}

const notArguments = [undefined, null, 0, '', 'x', () => 1]

describe.each(commandNames)('the arguments of %s', (name) => {
  test.each(accepted[name])('are accepted: %j', (args) => {
    expect(v.is(commands[name].schema, args)).toBe(true)
  })

  test.each([...refused[name], ...notArguments])('are refused: %j', (args) => {
    expect(v.is(commands[name].schema, args)).toBe(false)
  })
})

test('no command is declared in two areas', () => {
  const areas = [
    appCommands,
    listCommands,
    indexCommands,
    historyCommands,
    alertCommands,
    connectionCommands,
    assistantCommands,
    tickerCommands,
  ]
  expect(areas.flatMap((area) => Object.keys(area)).sort()).toEqual([...commandNames].sort())
})

test('each page asks for its own commands and for none of the other', () => {
  for (const name of commandNames) expect(mayAsk('window', name)).toBe(!mayAsk('ticker', name))
  expect(commandNames.filter((name) => mayAsk('ticker', name)).sort()).toEqual(Object.keys(tickerCommands).sort())
})

test('a refusal says in plain words what is expected', () => {
  const read = v.safeParse(commands.setAlertLevel.schema, { ruleId: 'r1', level: '1,5' })
  expect(read.issues?.[0].message).toBe('A level is a number such as 68500.00.')
})

test('a name is kept without the spaces around it', () => {
  expect(v.parse(commands.saveProfile.schema, { profile: { ...profile, name: ' Desk ' }, keySecret: '' })).toEqual({
    profile,
    keySecret: '',
  })
})
