import { expect, test } from 'vitest'
import { firstSettings, readSettings, toDocument } from '../../../../main/storage/settings'
import type { ConnectionProfile, Settings, Watchlist } from '../../../../core/model'

const list: Watchlist = {
  id: 'mine',
  name: 'Mine',
  entries: [
    { id: 'BRTI', maxResolution: 'PER_200MS' },
    { id: 'NCI', maxResolution: 'PER_SECOND' },
  ],
  sections: [
    { id: 'rates', name: 'Rates', at: 0 },
    { id: 'baskets', name: 'Baskets', at: 1 },
  ],
  sort: { column: 'change', isDescending: true },
  columns: ['value', 'name'],
  widths: { index: 200, value: 150 },
  desk: { id: 'shared', begunAtMs: 1, by: 'ana', atMs: 2 },
}
const other: Watchlist = { id: 'other', name: 'Other', entries: [{ id: 'BRR', maxResolution: 'PER_SECOND' }] }
const profile: ConnectionProfile = {
  id: 'desk',
  auth: 'subprotocol',
  isEnabled: false,
  name: 'Desk',
  webSocketUrl: 'wss://feed.example/ws/v4',
  restUrl: 'https://feed.example/api',
  mcpUrl: 'https://feed.example/mcp',
  keyId: 'key',
}
/** No field has its default. */
const settings: Settings = {
  ...firstSettings(),
  theme: 'dark',
  density: 'comfortable',
  directionColours: 'blueUp',
  grouping: 'space',
  timeZone: 'Europe/London',
  changeBase: 'dayAgo',
  showsNotifications: false,
  alertSounds: ['info', 'urgent'],
  secondChannel: 'webhook',
  secondWebhook: 'https://hooks.example/a',
  heartbeatMinutes: 5,
  heartbeatWebhook: 'https://hooks.example/b',
  startsAtLogin: true,
  showShortcut: 'Ctrl+Alt+I',
  closingWithoutTray: 'quit',
  showsTicker: true,
  tickerIds: ['BRTI', 'NCI'],
  tickerLayout: 'line',
  tickerSize: 'large',
  tickerOpacity: 70,
  isTickerClickThrough: true,
  usesXWayland: true,
  historyDays: 365,
  historyGigabytes: 10,
  allowsAssistants: true,
  allowsSpreadsheets: true,
  spreadsheetPort: 30_000,
  proxy: 'fixed',
  proxyServer: 'http://proxy.example:3128',
  proxyScript: 'https://proxy.example/proxy.pac',
  watchlists: [list, other],
  pinnedIds: ['BRTI', 'BRR'],
  profiles: [profile, { ...profile, id: 'second', name: 'Second' }],
}
const document = toDocument(settings, 'Zk3'.padEnd(43, 'x'))

const wrongValues = [
  null,
  true,
  'x',
  '',
  -1,
  1.5,
  Infinity,
  99_999,
  [],
  ['x'],
  [null],
  {},
  { x: 1 },
  '<b>',
  '\u202e',
  'ws://a',
]

type Path = (string | number)[]

/** The paths of all fields, also within objects and lists. */
function placesIn(value: unknown, path: Path = []): Path[] {
  if (typeof value !== 'object' || value === null) return path.length === 0 ? [] : [path]
  const entries = Array.isArray(value) ? [...value.entries()] : Object.entries(value)
  const inner = entries.flatMap(([key, each]) => placesIn(each, [...path, key]))
  return path.length === 0 ? inner : [path, ...inner]
}

function withValue(value: unknown, [key, ...rest]: Path, put: unknown): unknown {
  if (key === undefined) return put
  const copy = (Array.isArray(value) ? [...(value as unknown[])] : { ...(value as object) }) as Record<string, unknown>
  const changed = withValue(copy[key], rest, put)
  if (changed === undefined) Reflect.deleteProperty(copy, key)
  else copy[key] = changed
  return copy
}

function omit(value: object, key: string | number): object {
  return Object.fromEntries(Object.entries(value).filter(([name]) => name !== String(key)))
}

/** A connection needs these fields. */
const neededOfProfile: readonly unknown[] = ['id', 'webSocketUrl', 'keyId']

/** Everything beside this place is unchanged. */
function expectRest(read: Settings, [field = '', at, part, place]: Path, told: string): void {
  expect(omit(read, field), told).toEqual(omit(settings, field))
  if (typeof at !== 'number' || (field !== 'watchlists' && field !== 'profiles')) return
  expect(read[field], told).toContainEqual(settings[field][1 - at])
  if (part === undefined || (field === 'profiles' && neededOfProfile.includes(part))) return
  const item = read[field][at]
  expect(omit(item ?? {}, part), told).toEqual(omit(settings[field][at] ?? {}, part))
  if (typeof place !== 'number' || !(part === 'entries' || part === 'columns' || part === 'sections')) return
  const parts = (of: Settings): readonly unknown[] => of.watchlists[at]?.[part] ?? []
  expect(parts(read), told).toEqual(expect.arrayContaining(parts(settings).filter((_, each) => each !== place)))
}

const places = placesIn(document)
const variants = places.flatMap((path) =>
  [...wrongValues, undefined].map((value) => ({ path, value, text: JSON.stringify([path, value]) })),
)

test('an invalid field affects only itself, for all fields and values', () => {
  expect(variants.length).toBeGreaterThan(1_200)
  let refused = 0
  for (const { path, value, text } of variants) {
    const read = readSettings(withValue(document, path, value))
    // A file of a later version is not read.
    if (path[0] === 'version' && value === 99_999) {
      expect(read.kind).toBe('newer')
      continue
    }
    if (read.kind !== 'ok') {
      refused++
      continue
    }
    expectRest(read.settings, path, text)
  }
  expect(`${refused} of ${variants.length} refused`).toBe(`0 of ${variants.length} refused`)
})

test.each([
  ['theme', { theme: 'x' }, { theme: 'system' }, ['theme']],
  ['spreadsheetPort', { spreadsheetPort: 80 }, { spreadsheetPort: 27_463 }, ['port of spreadsheets']],
  ['alertSounds', { alertSounds: ['urgent', 'deafening'] }, { alertSounds: ['urgent'] }, ['some sounds of alerts']],
  ['pinnedIds', { pinnedIds: ['BRTI', '<b>'] }, { pinnedIds: ['BRTI'] }, ['some pinned indices']],
  ['version', { version: 'two' }, {}, ['version']],
  ['spreadsheetTokenHash', { spreadsheetTokenHash: 7 }, {}, ['token for spreadsheets']],
])('a wrong %s has its default and is named', (_, wrong, instead, dropped) =>
  expect(readSettings({ ...document, ...wrong })).toMatchObject({
    kind: 'ok',
    settings: { ...settings, ...instead },
    dropped,
  }),
)

test.each([
  [{ columns: ['value', 'age'] }, { columns: ['value', 'published'] }],
  [{ columns: ['published', 'value', 'age'] }, { columns: ['published', 'value'] }],
  [{ sort: { column: 'age', isDescending: false } }, { sort: { column: 'published', isDescending: true } }],
])('a list from when ages were a column, %j, has the column of times', (before, now) =>
  expect(readSettings({ ...document, watchlists: [{ ...list, ...before }] })).toMatchObject({
    kind: 'ok',
    settings: { watchlists: [{ ...list, ...now }] },
    dropped: [],
  }),
)

test.each([
  [
    'a column of a later version',
    { columns: ['value', 'depth'] },
    { columns: ['value'] },
    'column “depth” of the watchlist “Mine”',
  ],
  ['a width that is none', { widths: { index: 200, value: -1 } }, {}, 'widths of the watchlist “Mine”'],
  ['a place on no desk', { desk: { id: 'a.b', begunAtMs: 1, by: 'ana', atMs: 2 } }, {}, 'desk of the watchlist “Mine”'],
  ['no column that is known', { columns: ['depth'] }, {}, 'column “depth” of the watchlist “Mine”'],
  ['an order by such a column', { sort: { column: 'depth', isDescending: true } }, {}, 'order of the watchlist “Mine”'],
  ['an index that is none', { entries: [...list.entries, { id: '<b>' }] }, {}, 'an index of the watchlist “Mine”'],
  [
    'an unknown frequency',
    { entries: [{ id: 'BRTI', maxResolution: 'PER_HOUR' }] },
    { entries: [{ id: 'BRTI', maxResolution: 'PER_SECOND' }] },
    'frequency of BRTI of the watchlist “Mine”',
  ],
])('a list with %s loses that and is named', (_, wrong, instead, name) => {
  const read = readSettings({ ...document, watchlists: [{ ...list, ...wrong }, other] })
  const [changed] = Object.keys(wrong)
  const kept = changed === 'entries' ? list : omit(list, changed ?? '')
  expect(read).toMatchObject({
    kind: 'ok',
    settings: { watchlists: [{ ...kept, ...instead }, other] },
    dropped: [name],
  })
})

test('two lists of one id are both kept', () => {
  const read = readSettings({ ...document, watchlists: [list, { ...other, id: list.id }] })
  expect(read).toMatchObject({ settings: { watchlists: [list, { ...other, id: 'mine-2' }] } })
})

test('a connection or optional address that is invalid is left out and named', () => {
  const [desk, second] = settings.profiles
  const profiles = [
    { ...desk, webSocketUrl: 'ws://feed.example' },
    { ...second, restUrl: 'ftp://feed.example' },
  ]
  expect(readSettings({ ...document, profiles })).toMatchObject({
    settings: { profiles: [omit(second ?? {}, 'restUrl')] },
    dropped: ['the connection “Desk”', 'REST address of the connection “Second”'],
  })
})

test.each([
  ['a text', '"x"'],
  ['a list', '[1]'],
  ['nothing of the settings', '{"colour":"red"}'],
  ['only a version', '{"version":2}'],
])('%s is no settings file', (_, text) => expect(readSettings(JSON.parse(text))).toEqual({ kind: 'invalid' }))
