import { describe, expect, test } from 'vitest'
import { addIndex, removeRows } from '../../../../main/lists/list-changes'
import {
  SettingsStore,
  firstSettings,
  isSettingsDocument,
  readSettings,
  type SettingsChange,
} from '../../../../main/storage/settings'
import type { JsonRead } from '../../../../main/base/json-file'
import type { ConnectionProfile, Outcome, Problem, Settings } from '../../../../core/model'
import { FakeClock } from '../../../support/fake-clock'
import { MemoryJsonFile } from '../../../support/memory-json-file'
import { onError } from '../../../support/on-error'

const listId = 'watchlist'
const oldProfile = { name: 'Desk', webSocketUrl: 'wss://feed.example/ws/v4', keyId: 'key' }
const profile: ConnectionProfile = { id: 'profile', auth: 'basic', isEnabled: true, ...oldProfile }
const saved: Settings = {
  ...firstSettings(),
  theme: 'dark',
  watchlists: [
    {
      id: 'mine',
      name: 'Mine',
      entries: [{ id: 'BRTI', maxResolution: 'PER_200MS' }],
      sort: { column: 'change', isDescending: true },
      columns: ['value', 'name'],
    },
  ],
  pinnedIds: ['BRTI'],
  profiles: [profile],
}
const hash = 'Zk3'.padEnd(43, 'x')
const disk: Problem = { code: 'diskFull', message: 'Disk full: changes not saved.' }

async function opened(read: JsonRead = { kind: 'absent' }) {
  const backend = new MemoryJsonFile(read)
  return { backend, ...(await openedOn(backend)) }
}

async function openedOn(backend: MemoryJsonFile) {
  const clock = new FakeClock()
  const notices: string[] = []
  const changes: Settings[] = []
  const unsaved: string[][] = []
  const store = new SettingsStore({
    backend,
    clock,
    onError,
  })
  store.events.on('notice', (notice) => notices.push(notice))
  store.events.on('changed', (settings) => changes.push(settings))
  store.events.on('unsavedChanged', () => unsaved.push(store.unsaved?.names ?? []))
  const loaded = await store.load()
  return { store, clock, notices, changes, unsaved, loaded }
}

/** Changes a list as a command does. */
function change<A, T>(
  store: SettingsStore,
  step: (settings: Settings, args: A) => SettingsChange<T>,
  args: NoInfer<A>,
): Promise<Outcome<T>> {
  return store.change((settings) => step(settings, args))
}

function ids(store: SettingsStore): string[] {
  return store.get().watchlists[0]?.entries.map((entry) => entry.id) ?? []
}

describe('at the start', () => {
  test('a first one shows the first list, every index once a second, and saves it', async () => {
    const { store, backend, notices } = await opened()
    await store.flush()
    expect(store.get()).toEqual(firstSettings())
    expect(store.get().watchlists).toMatchObject([{ id: 'watchlist', name: 'My list' }])
    expect(ids(store)[0]).toBe('BRTI')
    expect(new Set(ids(store)).size).toBe(11)
    expect(store.get().watchlists[0]?.entries.every((entry) => entry.maxResolution === 'PER_SECOND')).toBe(true)
    expect(backend.written).toEqual([{ version: 2, ...firstSettings() }])
    expect(notices).toEqual([])
  })

  test('saved settings are loaded without a write', async () => {
    const { store, backend, notices } = await opened({ kind: 'ok', value: { version: 2, ...saved } })
    await store.flush()
    expect(store.get()).toEqual(saved)
    expect(backend.written).toEqual([])
    expect(notices).toEqual([])
  })

  test('a restored file is reported once and saved again', async () => {
    const value = { version: 2, ...saved }
    const { store, backend, notices } = await opened({ kind: 'restored', value, setAsidePath: '/data/x.corrupt.json' })
    await store.flush()
    expect(store.get()).toEqual(saved)
    expect(backend.written).toEqual([value])
    expect(notices).toEqual([expect.stringContaining('/data/x.corrupt.json')])
  })

  test('a lost file is reported once and the first list is shown', async () => {
    const { store, notices, loaded } = await opened({ kind: 'lost', setAsidePath: '/data/x.corrupt.json' })
    expect(loaded).toMatchObject({ problem: { code: 'unreadable' } })
    expect(store.get()).toEqual(firstSettings())
    expect(notices).toEqual([expect.stringContaining('/data/x.corrupt.json')])
  })

  test('an invalid field is named once with the path of the old file, and the rest is saved', async () => {
    const value = { version: 2, ...saved, theme: 'sepia', density: 7 }
    const { store, backend, notices } = await opened({ kind: 'ok', value, setAsidePath: '/data/x.corrupt.json' })
    await store.flush()
    expect(store.get()).toEqual({ ...saved, theme: 'system' })
    expect(backend.written).toEqual([{ version: 2, ...saved, theme: 'system' }])
    expect(notices).toEqual([expect.stringMatching(/theme, row height\..*\/data\/x\.corrupt\.json$/)])
  })

  test('an unreadable file is never written, with a notice', async () => {
    const { store, backend, notices, loaded } = await opened({ kind: 'unreadable', reason: 'EIO: i/o error, read' })
    expect(loaded).toMatchObject({ problem: { code: 'unreadable' } })
    await store.set({ theme: 'dark' })
    await store.flush()
    expect(store.get().theme).toBe('dark')
    expect(backend.written).toEqual([])
    expect(notices).toEqual([expect.stringMatching(/was not changed.*EIO/)])
  })

  test('the file of a newer version is never written, and that is reported', async () => {
    const { store, backend, notices, changes, loaded } = await opened({ kind: 'ok', value: { version: 3, lists: [] } })
    expect(loaded).toMatchObject({ problem: { code: 'newerVersion' } })
    await store.set({ theme: 'dark' })
    await store.flush()
    expect(store.get().theme).toBe('dark')
    expect(changes).toHaveLength(1)
    expect(backend.written).toEqual([])
    expect(notices).toEqual([expect.stringContaining('newer version')])
  })
})

test('a change applies immediately and is answered when it is on disk', async () => {
  const { store, backend, changes } = await opened({ kind: 'ok', value: { version: 2, ...saved } })
  const letThrough = backend.holdWrites()
  let isAnswered = false
  const answered = store.set({ theme: 'light' }).then(() => {
    isAnswered = true
  })
  const refused = change(store, addIndex, { listId: 'none', indexId: 'BVX' })
  expect(await refused).toMatchObject({ ok: false })
  expect(store.get().theme).toBe('light')
  expect(changes).toHaveLength(1)
  expect([isAnswered, backend.written]).toEqual([false, []])
  letThrough()
  await answered
  expect(backend.written).toMatchObject([{ theme: 'light' }])
})

test('a change without effect is not reported', async () => {
  const { store, changes } = await opened()
  const before = store.get()
  expect(await change(store, addIndex, { listId, indexId: 'NCI', position: 0 })).toMatchObject({ ok: true })
  expect(store.get()).toBe(before)
  expect(changes).toEqual([])
})

describe('changes', () => {
  test('apply immediately, are reported, and survive three restarts', async () => {
    const first = await opened()
    let { store, backend } = first
    await store.set({ theme: 'light' })
    await store.setProfile(profile)
    await change(store, removeRows, { listId, rowIds: ['BRTI'] })
    const settled = store.get()
    expect(first.changes.at(-1)).toBe(settled)
    for (let round = 0; round < 3; round++) {
      await store.flush()
      backend = backend.reopened()
      store = (await openedOn(backend)).store
      expect(store.get()).toEqual(settled)
    }
    await store.removeProfile('another')
    expect(store.get().profiles).toEqual([profile])
    await store.removeProfile(profile.id)
    expect(store.get().profiles).toEqual([])
  })

  test('that cannot be saved are unsaved until the next is, with their reason', async () => {
    const { store, backend, unsaved } = await opened({ kind: 'ok', value: { version: 2, ...saved } })
    backend.problem = disk
    await store.set({ theme: 'light' })
    await change(store, addIndex, { listId: 'mine', indexId: 'NCI' })
    await store.flush()
    expect(store.unsaved).toEqual({
      problem: disk,
      preferences: ['theme'],
      lists: ['mine'],
      connections: [],
      names: ['watchlist “Mine”', 'theme'],
    })
    expect(store.get()).toMatchObject({ theme: 'light' })
    backend.problem = undefined
    await store.set({ theme: 'system' })
    await store.flush()
    expect(backend.written.at(-1)).toEqual({ version: 2, ...store.get() })
    expect(store.unsaved).toBeUndefined()
    expect(unsaved.at(-1)).toEqual([])
  })

  test('that cannot be saved are tried again by the clock until they are saved', async () => {
    const { store, backend, clock } = await opened({ kind: 'ok', value: { version: 2, ...saved } })
    const readOnly: Problem = { code: 'readOnly', message: 'The disk is read-only: changes not saved.' }
    const tryAgain = async () => {
      clock.advance(5_000)
      await new Promise((resolve) => setImmediate(resolve))
    }
    backend.problem = disk
    await store.set({ theme: 'light' })
    expect(store.unsaved?.problem).toEqual(disk)
    await tryAgain()
    backend.problem = readOnly
    await tryAgain()
    expect(store.unsaved?.problem).toEqual(readOnly)
    await tryAgain()
    expect(backend.written).toEqual([])
    backend.problem = undefined
    await tryAgain()
    expect(backend.written).toMatchObject([{ theme: 'light' }])
    expect(store.unsaved).toBeUndefined()
    await tryAgain()
    expect([backend.written.length, clock.pending]).toEqual([1, 0])
  })

  test('that could not be saved are tried once more at the end', async () => {
    const { store, backend } = await opened({ kind: 'ok', value: { version: 2, ...saved } })
    backend.problem = disk
    await store.set({ theme: 'light' })
    backend.problem = undefined
    await store.flush()
    expect(backend.written.at(-1)).toMatchObject({ theme: 'light' })
  })

  test('name removed items, and end when everything is as before', async () => {
    const { store, backend } = await opened({ kind: 'ok', value: { version: 2, ...saved } })
    backend.problem = disk
    await store.removeProfile('profile')
    await store.set({ watchlists: [...saved.watchlists, { id: 'new', name: 'New', entries: [] }] })
    await store.setSpreadsheetTokenHash(hash)
    expect(store.unsaved).toMatchObject({
      lists: ['new'],
      connections: [],
      names: ['watchlist “New”', 'connection “Desk”', 'token for spreadsheets'],
    })
    await store.setProfile(profile)
    await store.set({ watchlists: structuredClone(saved.watchlists) })
    expect(store.unsaved?.names).toEqual(['token for spreadsheets'])
  })

  test('are answered on a slow disk too, as unsaved, with one notice', async () => {
    const { store, backend, clock, notices, unsaved } = await opened({ kind: 'ok', value: { version: 2, ...saved } })
    for (const theme of ['light', 'system'] as const) {
      const letThrough = backend.holdWrites()
      const answered = store.set({ theme })
      clock.advance(2_000)
      await answered
      expect(store.unsaved).toMatchObject({ problem: { code: 'slowDisk' }, preferences: ['theme'] })
      expect(unsaved.at(-1)).toEqual(['theme'])
      letThrough()
      await store.flush()
      expect(store.unsaved).toBeUndefined()
      expect(unsaved.at(-1)).toEqual([])
    }
    expect(notices).toEqual([expect.stringMatching(/^The disk is slow\./)])
    expect(backend.written).toMatchObject([{ theme: 'light' }, { theme: 'system' }])
  })

  test('during an earlier slow write stay unsaved until written', async () => {
    const { store, backend, clock } = await opened({ kind: 'ok', value: { version: 2, ...saved } })
    const first = backend.holdWrites()
    const answers = [store.set({ theme: 'light' })]
    const second = backend.holdWrites()
    answers.push(store.set({ density: 'compact' }))
    clock.advance(2_000)
    await Promise.all(answers)
    first()
    await new Promise((resolve) => setImmediate(resolve))
    expect(store.unsaved?.preferences).toEqual(['density'])
    second()
    await store.flush()
    expect(store.unsaved).toBeUndefined()
  })

  test.each<[string, JsonRead]>([
    ['could not be read', { kind: 'unreadable', reason: 'EIO' }],
    ['are of a newer version', { kind: 'ok', value: { version: 3 } }],
  ])('to settings that %s are unsaved', async (_, read) => {
    const { store } = await opened(read)
    expect(store.unsaved).toBeUndefined()
    await store.set({ theme: 'dark' })
    expect(store.unsaved).toMatchObject({ preferences: ['theme'] })
  })
})

describe('a settings document', () => {
  const document = { version: 2, ...saved }

  test.each([
    ['no object', [document]],
    ['without a field of the settings', { version: 2, colour: 'red' }],
    ['of wrong fields alone', { version: 2, theme: 'sepia', watchlists: 7 }],
  ])('%s is no such document', (_, value) => {
    expect(readSettings(value)).toEqual({ kind: 'invalid' })
    expect(isSettingsDocument(value)).toBe(false)
  })

  test('of a newer version is one, whatever it holds', () => {
    expect(readSettings({ version: 3 })).toEqual({ kind: 'newer' })
    expect(isSettingsDocument({ version: 3 })).toBe(true)
  })

  test('names an index of a list once', () => {
    const entry = { id: 'BRTI', maxResolution: 'PER_SECOND' }
    const read = readSettings({ ...document, watchlists: [{ id: 'a', name: 'A', entries: [entry, entry] }] })
    expect(read).toMatchObject({ settings: { watchlists: [{ entries: [entry] }] } })
  })

  test.each(['pinnedIds', 'tickerIds'] as const)('has each of %s once, at most ten, without invalid ones', (which) => {
    const ids = ['BRTI', 'BRTI', ...Array.from({ length: 12 }, (_, at) => `X${at}`)]
    const read = readSettings({ ...document, [which]: ['<b>', 7, null, ...ids] })
    expect(read).toMatchObject({ kind: 'ok', settings: { [which]: ['BRTI', ...ids.slice(2, 11)] } })
    expect(readSettings({ ...document, [which]: 'BRTI' })).toMatchObject({ settings: { ...saved, [which]: [] } })
  })

  test('without a preference has its default', () => {
    const { alertSounds, theme, ...older } = { ...document, theme: 'dark', alertSounds: [] }
    expect({ alertSounds, theme }).toEqual({ alertSounds: [], theme: 'dark' })
    expect(readSettings(older)).toMatchObject({
      kind: 'ok',
      settings: { alertSounds: ['normal', 'urgent'], theme: 'system' },
    })
    expect(readSettings({ ...document, alertSounds: [] })).toMatchObject({ settings: { alertSounds: [] } })
  })

  test('pollutes nothing', () => {
    const read = readSettings(JSON.parse(`{"__proto__":{"polluted":1},${JSON.stringify(document).slice(1)}`))
    expect(read).toEqual({ kind: 'ok', settings: saved, dropped: [] })
    expect({}).not.toHaveProperty('polluted')
  })
})

test('the hash of the spreadsheet token survives restarts and changes, and reaches no page', async () => {
  const { backend, store, changes } = await opened()
  expect(store.spreadsheetTokenHash).toBeUndefined()
  await store.setSpreadsheetTokenHash(hash)
  await store.set({ theme: 'dark' })
  expect(JSON.stringify([store.get(), changes])).not.toContain(hash)
  const again = await openedOn(new MemoryJsonFile({ kind: 'ok', value: backend.written.at(-1) }))
  expect(again.store.spreadsheetTokenHash).toBe(hash)
  expect(again.store.get().theme).toBe('dark')
  expect(JSON.stringify(again.store.get())).not.toContain(hash)
})
