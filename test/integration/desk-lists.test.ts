import { connect } from '@nats-io/transport-node'
import { Kvm } from '@nats-io/kv'
import { jetstream } from '@nats-io/jetstream'
import { readFileSync } from 'node:fs'
import { afterEach, beforeEach, expect, onTestFinished, test, vi } from 'vitest'
import { writeMessage } from '../../core/desk'
import { ok, type Watchlist } from '../../core/model'
import { maxEntries } from '../../core/settings-schema'
import { Bucket, DeskLink } from '../../main/desk/link'
import { startDeskApp } from '../support/desk-app'
import { JudgingEngine, startWatcher, valueOf } from '../support/desk-parts'
import { NatsServer } from '../support/nats-server'

let server: NatsServer
const ends: (() => Promise<void>)[] = []

beforeEach(async () => {
  server = await NatsServer.start()
  await begin(server)
})

afterEach(async () => {
  for (const end of ends.splice(0).reverse()) await end()
  await server.dispose()
})

async function begin({ address }: NatsServer): Promise<DeskLink> {
  const link = valueOf(await DeskLink.open({ address, name: 'london' }, 'admin'))
  valueOf(await link.begin())
  ends.push(() => link.close())
  return link
}

type Seat = Awaited<ReturnType<typeof startDeskApp>>

/** A seat with one list of its own, named after its user. */
async function seat(user: string, more: Partial<Parameters<typeof startDeskApp>[0]> = {}): Promise<Seat> {
  const app = await startDeskApp({ access: { address: server.address, name: 'london' }, user, ...more })
  ends.push(app.stop)
  await app.core.settings.set({
    watchlists: [{ id: 'watchlist', name: `Of ${user}`, entries: [{ id: 'BRTI', maxResolution: 'PER_SECOND' }] }],
  })
  await connected(app)
  return app
}

async function connected({ moveListToDesk }: Seat): Promise<void> {
  await expect.poll(() => moveListToDesk({ listId: 'none' })).toMatchObject({ problem: { code: 'unknownList' } })
}

/** A seat that hears of no change after its start. */
async function deafSeat(user: string): Promise<Seat> {
  const spy = vi.spyOn(Bucket.prototype, 'follow').mockResolvedValue(ok(() => undefined))
  const app = await seat(user)
  spy.mockRestore()
  return app
}

function listOf({ lists }: Seat, name: string): Watchlist {
  const list = lists().get(name)
  if (list === undefined) throw new Error(`no list ${name}`)
  return list
}

function idsOf(app: Seat, name: string): string[] | undefined {
  return app
    .lists()
    .get(name)
    ?.entries.map(({ id }) => id)
}

/** Two seats that have ana's list. */
async function deskOfTwo(more: Partial<Parameters<typeof startDeskApp>[0]> = {}) {
  const ana = await seat('ana', more)
  const ben = await seat('ben')
  await share(ana, ben)
  return { ana, ben, own: 'Of ana' }
}

async function share(from: Seat, ...others: Seat[]): Promise<void> {
  const [list] = from.lists().values()
  await expect.poll(() => from.moveListToDesk({ listId: list?.id ?? '' })).toEqual({ ok: true, value: null })
  for (const other of others) await expect.poll(() => other.lists().get(list?.name ?? '')?.desk).toBeDefined()
}

const add = (app: Seat, name: string, indexId: string) => app.addIndex({ listId: listOf(app, name).id, indexId })
const remove = (app: Seat, name: string, id: string) => app.removeRows({ listId: listOf(app, name).id, rowIds: [id] })

test('a list of the desk has the same rows, sections and columns on every seat', async () => {
  const { ana, ben, own } = await deskOfTwo()
  expect(listOf(ben, own).desk).toMatchObject({ by: 'ana' })
  const beforeMs = Date.now()
  expect(await add(ben, own, 'NCI')).toEqual({ ok: true, value: { wasThere: false } })
  const { id } = listOf(ben, own)
  await ben.moveRows({ fromId: id, toId: id, rowIds: ['NCI'], position: 0 })
  await ben.nameSection({ listId: id, name: 'Bitcoin', beforeId: 'BRTI' })
  await ben.arrangeList({ listId: id, columns: ['value', 'name'] })
  await ben.renameList({ listId: id, name: 'Majors' })
  await expect
    .poll(() => ana.lists().get('Majors'))
    .toMatchObject({
      entries: [{ id: 'NCI' }, { id: 'BRTI' }],
      sections: [{ name: 'Bitcoin', at: 1 }],
      columns: ['value', 'name'],
      desk: { by: 'ben' },
    })
  expect(listOf(ana, 'Majors').desk?.atMs).toBeGreaterThanOrEqual(beforeMs)
  // It is the list that ana had, so her alerts on it stay.
  expect(listOf(ana, 'Majors').id).toBe('watchlist')
  const cem = await seat('cem')
  await expect.poll(() => cem.lists().get('Majors')).toMatchObject({ sections: [{ name: 'Bitcoin' }] })
})

test('column widths and sorting of a list of the desk stay the seat’s own', async () => {
  const { ana, ben, own } = await deskOfTwo()
  const { id } = listOf(ana, own)
  const seen = listOf(ben, own).desk
  const arranged = { widths: { name: 222 }, sort: { column: 'value', isDescending: true } } as const
  await ana.arrangeList({ listId: id, ...arranged })
  await add(ben, own, 'NCI')
  await expect.poll(() => idsOf(ana, own)).toEqual(['BRTI', 'NCI'])
  expect(listOf(ana, own)).toMatchObject(arranged)
  expect(listOf(ben, own)).not.toHaveProperty('widths')
  expect(listOf(ben, own)).not.toHaveProperty('sort')
  expect(seen?.by).toBe('ana')
})

test('of two changes at once, the second is refused with both texts and can be applied on top', async () => {
  const { ana, ben, own } = await deskOfTwo()
  const answers = await Promise.all([add(ana, own, 'NCI'), add(ben, own, 'BRR')])
  const wasAna = answers[0].ok
  expect(answers.filter(({ ok }) => ok).length).toBe(1)
  const [first, second] = wasAna ? [ana, ben] : [ben, ana]
  const [theirs, yours] = wasAna ? ['NCI', 'BRR'] : ['BRR', 'NCI']
  expect(answers.find(({ ok }) => !ok)).toMatchObject({ problem: { code: 'duplicate' } })
  // The refused change is not made here.
  expect(idsOf(second, own)).toEqual(['BRTI', theirs])
  const refused = second.view()?.lists.refused ?? []
  expect(refused.map(({ words }) => words.replace(/ at \d\d:\d\d/, ''))).toEqual([
    `${wasAna ? 'ana' : 'ben'} changed this list: added ${theirs}. You: added ${yours}.`,
  ])
  expect(refused[0]?.listId).toBe(listOf(second, own).id)
  expect(first.view()?.lists.refused).toEqual([])
  const refusedId = refused[0]?.id ?? ''
  expect(await second.settleListChange({ refusedId, isApplied: true })).toEqual({ ok: true, value: null })
  for (const each of [first, second]) await expect.poll(() => idsOf(each, own)).toEqual(['BRTI', theirs, yours])
  expect(second.view()?.lists.refused).toEqual([])
})

test('a refused change that its user drops leaves the other’s, and nothing to answer', async () => {
  const { ana, ben, own } = await deskOfTwo()
  const answers = await Promise.all([add(ana, own, 'NCI'), add(ben, own, 'BRR')])
  const second = answers[0].ok ? ben : ana
  const before = idsOf(second, own)
  const [refused] = second.view()?.lists.refused ?? []
  expect((await second.settleListChange({ refusedId: refused?.id ?? '', isApplied: false })).ok).toBe(true)
  expect(second.view()?.lists.refused).toEqual([])
  expect(idsOf(second, own)).toEqual(before)
})

test('quick changes of one seat do not refuse each other', async () => {
  const { ana, ben, own } = await deskOfTwo()
  const ids = ['NCI', 'BRR', 'ETH_SRR', 'APT_SRR']
  const answers = await Promise.all(ids.map((id) => add(ana, own, id)))
  expect(answers.every(({ ok }) => ok)).toBe(true)
  await expect.poll(() => idsOf(ben, own)).toEqual(['BRTI', ...ids])
})

test('a row that moves between two lists of the desk is in one of them at any time', async () => {
  const { ana, ben, own } = await deskOfTwo()
  await share(ben, ana)
  await add(ana, own, 'NCI')
  const cem = await deafSeat('cem')
  await add(ana, own, 'BRR')
  const [fromId, toId] = [listOf(cem, own).id, listOf(cem, 'Of ben').id]
  expect((await cem.moveRows({ fromId, toId, rowIds: ['NCI'] })).ok).toBe(false)
  expect(idsOf(cem, own)).toEqual(['BRTI', 'NCI', 'BRR'])
  expect(idsOf(cem, 'Of ben')).toEqual(['BRTI', 'NCI'])
  const [refused] = cem.view()?.lists.refused ?? []
  expect((await cem.settleListChange({ refusedId: refused?.id ?? '', isApplied: true })).ok).toBe(true)
  for (const each of [ana, ben, cem]) {
    await expect.poll(() => idsOf(each, own)).toEqual(['BRTI', 'BRR'])
    await expect.poll(() => idsOf(each, 'Of ben')).toEqual(['BRTI', 'NCI'])
  }
})

test('without a server a list stays as last known and a change says why it is not made', async () => {
  const { ana, ben, own } = await deskOfTwo()
  await server.stop()
  await expect
    .poll(() => add(ana, own, 'NCI'))
    .toMatchObject({
      problem: { message: 'The desk is not connected. Its lists can be changed when it is.' },
    })
  expect(idsOf(ana, own)).toEqual(['BRTI'])
  // Widths and lists of one's own are changed as ever.
  expect((await ana.arrangeList({ listId: listOf(ana, own).id, widths: { name: 222 } })).ok).toBe(true)
  expect((await ana.createList({ name: 'Own' })).ok).toBe(true)
  await server.begin()
  await expect.poll(() => add(ben, own, 'BRR'), { timeout: 30_000 }).toMatchObject({ ok: true })
  await expect.poll(() => idsOf(ana, own), { timeout: 30_000 }).toEqual(['BRTI', 'BRR'])
})

test('what changed while a seat was off is there when it is back', async () => {
  const { ana, ben, own } = await deskOfTwo()
  await ana.stop()
  await add(ben, own, 'BRR')
  ana.desk.settingsChanged(ana.core.settings.get())
  await expect.poll(() => idsOf(ana, own)).toEqual(['BRTI', 'BRR'])
})

test('a list that one seat deletes while another changes it stays there, as its own', async () => {
  const { ana, ben, own } = await deskOfTwo()
  await ana.createList({ name: 'Other' })
  const [deleted, added] = await Promise.all([ana.removeList({ listId: listOf(ana, own).id }), add(ben, own, 'NCI')])
  expect(added.ok).toBe(true)
  expect(idsOf(ben, own)).toEqual(['BRTI', 'NCI'])
  if (deleted.ok) {
    await expect.poll(() => listOf(ben, own).desk).toBeUndefined()
    expect(ben.notices).toEqual(['Of ana is no longer on the desk. It stays here as yours.'])
    expect(ana.lists().has(own)).toBe(false)
  } else {
    expect(ana.view()?.lists.refused[0]?.words).toMatch(/^ben changed .*: added NCI\. You: deleted it\.$/)
  }
})

test('a change of a list that was deleted since is made on the seat’s own list', async () => {
  const { ana, own } = await deskOfTwo()
  const cem = await deafSeat('cem')
  await ana.createList({ name: 'Other' })
  expect((await ana.removeList({ listId: listOf(ana, own).id })).ok).toBe(true)
  expect(await add(cem, own, 'NCI')).toMatchObject({ ok: true })
  expect(idsOf(cem, own)).toEqual(['BRTI', 'NCI'])
  expect(listOf(cem, own).desk).toBeUndefined()
  expect(cem.notices).toEqual(['Of ana is no longer on the desk. It stays here as yours.'])
})

test('a list that changed meanwhile is neither deleted nor taken before its user has seen how', async () => {
  const { ana, own } = await deskOfTwo()
  const cem = await deafSeat('cem')
  await add(ana, own, 'NCI')
  expect(await cem.removeList({ listId: listOf(cem, own).id })).toMatchObject({ problem: { code: 'duplicate' } })
  await add(ana, own, 'BRR')
  expect(await cem.takeListFromDesk({ listId: listOf(cem, own).id })).toMatchObject({ ok: false })
  expect(idsOf(cem, own)).toEqual(['BRTI', 'NCI', 'BRR'])
  expect(listOf(ana, own).desk).toBeDefined()
  expect(cem.view()?.lists.refused.map(({ words }) => words.replace(/ at \d\d:\d\d/, ''))).toEqual([
    'ana changed this list: added NCI. You: deleted it.',
    'ana changed this list: added BRR. You: made it yours.',
  ])
  const [refused] = cem.view()?.lists.refused ?? []
  expect((await cem.settleListChange({ refusedId: refused?.id ?? '', isApplied: true })).ok).toBe(true)
  expect(cem.lists().has(own)).toBe(false)
  await expect.poll(() => listOf(ana, own).desk).toBeUndefined()
})

test('a refused change that can no longer be made is kept until its user drops it', async () => {
  const { ana, own } = await deskOfTwo()
  const cem = await deafSeat('cem')
  await add(ana, own, 'NCI')
  await remove(ana, own, 'BRTI')
  expect((await remove(cem, own, 'BRTI')).ok).toBe(false)
  const [refused] = cem.view()?.lists.refused ?? []
  const settled = await cem.settleListChange({ refusedId: refused?.id ?? '', isApplied: true })
  expect(settled).toMatchObject({ problem: { message: 'BRTI is not in this watchlist.' } })
  expect(cem.view()?.lists.refused).toEqual([refused])
})

test('a deleted list that is put back is one list again on every seat', async () => {
  const { ana, ben, own } = await deskOfTwo()
  const deleted = valueOf(await ben.removeList({ listId: listOf(ben, own).id }))
  await expect.poll(() => listOf(ana, own).desk).toBeUndefined()
  expect((await ben.restoreList(deleted)).ok).toBe(true)
  await expect.poll(() => listOf(ana, own).desk).toMatchObject({ by: 'ben' })
  for (const each of [ana, ben]) {
    expect([...each.lists().keys()].filter((name) => name === own)).toEqual([own])
    expect(each.core.settings.get().watchlists.length).toBe(each === ana ? 1 : 2)
  }
})

test('Make mine leaves every seat a list of its own', async () => {
  const { ana, ben, own } = await deskOfTwo()
  expect((await ben.takeListFromDesk({ listId: listOf(ben, own).id })).ok).toBe(true)
  for (const each of [ana, ben]) await expect.poll(() => listOf(each, own).desk).toBeUndefined()
  await add(ana, own, 'NCI')
  expect(idsOf(ben, own)).toEqual(['BRTI'])
  // A desk that is left leaves its lists too.
  await share(ana, ben)
  await ben.leaveDesk()
  await expect.poll(() => ben.core.settings.get().watchlists.some(({ desk }) => desk !== undefined)).toBe(false)
  expect(listOf(ana, own).desk).toBeDefined()
})

test('two lists of one name are both there, and each keeps its rows', async () => {
  const { ana, ben, own } = await deskOfTwo()
  await ben.renameList({ listId: 'watchlist', name: own })
  expect((await ben.createList({ name: own })).ok).toBe(false)
  await ana.createList({ name: 'Of ben' })
  await ana.addIndex({ listId: listOf(ana, 'Of ben').id, indexId: 'NCI' })
  const cem = await seat('cem')
  await cem.createList({ name: 'Of ben' })
  await ana.moveListToDesk({ listId: listOf(ana, 'Of ben').id })
  const named = () => cem.core.settings.get().watchlists.filter(({ name }) => name === 'Of ben')
  await expect
    .poll(() => named().map(({ entries, desk }) => [entries.length, desk?.by]))
    .toEqual([
      [0, undefined],
      [1, 'ana'],
    ])
})

test('a desk of the same name on another server leaves the lists of the first as one’s own', async () => {
  const { ana, ben, own } = await deskOfTwo()
  const other = await NatsServer.start()
  onTestFinished(() => other.dispose())
  const link = await begin(other)
  const desk = { address: other.address, name: 'london', user: 'ana' }
  await ana.saveDesk({ desk, password: 'word' })
  await expect.poll(() => listOf(ana, own).desk).toBeUndefined()
  expect(ana.notices).toContain(`${own} is no longer on the desk. It stays here as yours.`)
  await add(ana, own, 'NCI')
  expect(valueOf(await link.kept().all('list.>'))).toEqual([])
  expect(listOf(ben, own).desk).toBeDefined()
  expect(idsOf(ben, own)).toEqual(['BRTI'])
  await ana.stop()
})

test('a list of two thousand rows goes over the desk', async () => {
  const ana = await seat('ana')
  const entries = Array.from({ length: maxEntries }, (_, at) => {
    return { id: `INDEX_${at}`, maxResolution: 'PER_200MS' as const }
  })
  await ana.core.settings.set({ watchlists: [{ id: 'long', name: 'Long', entries }] })
  const ben = await seat('ben')
  await share(ana, ben)
  expect(listOf(ben, 'Long').entries).toEqual(entries)
  await remove(ben, 'Long', 'INDEX_1999')
  await expect.poll(() => listOf(ana, 'Long').entries.length).toBe(maxEntries - 1)
})

/** Puts entries into the bucket as anybody on the server could. */
async function attacker() {
  const connection = await connect({ servers: server.address })
  onTestFinished(() => connection.close())
  return new Kvm(jetstream(connection)).open('desk_london')
}

test('a list of a newer version is left alone, said as such, and not changed here', async () => {
  const { ana, own } = await deskOfTwo()
  const bucket = await attacker()
  const id = listOf(ana, own).desk?.id ?? ''
  const written = JSON.stringify({ schema: 2, list: { name: 'X' } })
  await bucket.put(`list.${id}`, written)
  await bucket.put('list.unknown-here', written)
  await expect.poll(() => ana.view()?.lists.newerIds).toEqual([id, 'unknown-here'])
  expect(await add(ana, own, 'NCI')).toMatchObject({ problem: { code: 'newerVersion' } })
  expect(await ana.takeListFromDesk({ listId: listOf(ana, own).id })).toMatchObject({ ok: false })
  expect(idsOf(ana, own)).toEqual(['BRTI'])
  expect((await bucket.get(`list.${id}`))?.string()).toBe(written)
})

test('hostile lists are cleaned, limited and left out', async () => {
  const ana = await seat('ana')
  const bucket = await attacker()
  const rows = (count: number) =>
    Array.from({ length: count }, (_, at) => ({ id: `I_${at}`, maxResolution: 'PER_SECOND' }))
  const put = (key: string, list: object, by = 'eve') =>
    bucket.put(key, JSON.stringify({ schema: 1, by, atMs: 1, list: { name: key, entries: [], ...list } }))
  await put('list.watchlist', { name: 'Cle\u202Ea\u0007n', widths: { name: 1 }, entries: rows(1) }, 'e\u202Eve')
  await put('list.a', { entries: rows(maxEntries + 1) })
  await put('list.b', { name: 'x'.repeat(61) })
  await put('list.c', { entries: [...rows(1), ...rows(1)] })
  await put('list.d', { entries: [{ id: '<b>', maxResolution: 'PER_SECOND' }] })
  await put('list.e', { entries: rows(1), sections: [{ id: 'I_0', name: 'Same id', at: 0 }] })
  await put('list.f', {}, 'x'.repeat(61))
  await put('list.a.b', {})
  await bucket.put('list.g', '{')
  await put('list.last', { name: 'Last' })
  await expect.poll(() => ana.lists().has('Last')).toBe(true)
  expect([...ana.lists().keys()]).toEqual(['Of ana', 'Clean', 'Last'])
  // The list here that has this id by chance is another one.
  expect(listOf(ana, 'Of ana')).toMatchObject({ id: 'watchlist' })
  expect(listOf(ana, 'Of ana').desk).toBeUndefined()
  expect(listOf(ana, 'Clean')).toEqual({
    id: expect.not.stringMatching(/^watchlist$/) as string,
    name: 'Clean',
    entries: rows(1),
    desk: { id: 'watchlist', begunAtMs: expect.any(Number) as number, by: 'eve', atMs: 1 },
  })
  expect(ana.notices.filter((text) => text.includes('cannot be read')).length).toBe(1)
  for (let at = 0; at < 6; at++) await put(`list.many-${at}`, { name: `Many ${at}`, entries: rows(maxEntries) })
  await expect.poll(() => ana.notices.some((text) => text.includes('can contain at most 10,000 indices'))).toBe(true)
  expect(ana.lists().has('Many 3')).toBe(true)
  expect(ana.lists().has('Many 5')).toBe(false)
})

test('an unreadable entry leaves the list as known, and the next change replaces it', async () => {
  const { ana, ben, own } = await deskOfTwo()
  const bucket = await attacker()
  await bucket.put(`list.${listOf(ana, own).desk?.id ?? ''}`, '{')
  await expect
    .poll(() => ana.notices)
    .toEqual(['A list of the desk cannot be read. The next change of the list replaces it.'])
  expect(idsOf(ana, own)).toEqual(['BRTI'])
  await expect.poll(() => add(ana, own, 'NCI')).toMatchObject({ ok: true })
  await expect.poll(() => idsOf(ben, own)).toEqual(['BRTI', 'NCI'])
})

test('with the sample configuration a seat changes lists; one without the line is told', async () => {
  const sample = readFileSync('resources/desk/desk.conf', 'utf8')
  const line = '"$KV.desk_london.list.>"'
  expect(sample).toContain(line)
  const users = sample.slice(sample.indexOf('WATCHER: {'))
  const readOnly = users.slice(users.indexOf('SEAT: {'), users.indexOf('authorization {'))
  const reader = readOnly.replace('SEAT: {', 'READER: {').replace(line, '')
  const withReader = users
    .replace('authorization {', `${reader}\nauthorization {`)
    .replace(/(user: "ben".*)\$SEAT/, '$1$READER')
  await server.dispose()
  server = await NatsServer.start({ configuration: withReader })
  const signIn = { user: 'watch-1', password: 'change-me-1' }
  const access = { address: server.address, name: 'london', signIn }
  const watcher = await startWatcher({ access, name: 'watch-1', judging: await JudgingEngine.open() })
  ends.push(watcher.stop)
  const ana = await seat('ana', { password: 'change-me-3' })
  const ben = await seat('ben', { password: 'change-me-4' })
  await share(ana, ben)
  await add(ana, 'Of ana', 'NCI')
  await expect.poll(() => idsOf(ben, 'Of ana')).toEqual(['BRTI', 'NCI'])
  const told = { problem: { message: expect.stringContaining('does not let you change its lists') as string } }
  expect(await add(ben, 'Of ana', 'BRR')).toMatchObject(told)
  expect(await ben.removeList({ listId: listOf(ben, 'Of ana').id })).toMatchObject(told)
  expect(await ben.moveListToDesk({ listId: 'watchlist' })).toMatchObject(told)
  expect(idsOf(ben, 'Of ana')).toEqual(['BRTI', 'NCI'])
  await ana.takeListFromDesk({ listId: listOf(ana, 'Of ana').id })
  await expect.poll(() => listOf(ben, 'Of ana').desk).toBeUndefined()
})

test('an import that adds to a list of the desk reaches every seat', async () => {
  const { ana, ben, own } = await deskOfTwo()
  const lists = [{ name: own, entries: [{ id: 'NCI' }] }]
  const text = JSON.stringify({ format: 'indexwatch-watchlists', version: 1, lists })
  const read = await ana.readLists({ text, fileName: 'lists.json' })
  if (!read.ok || read.value === null) throw new Error('not read')
  expect(await ana.importLists({ importId: read.value.importId })).toMatchObject({ value: { adds: 1 } })
  await expect.poll(() => idsOf(ben, own)).toEqual(['BRTI', 'NCI'])
})

test('nothing of a message of a list but the shared part is sent', async () => {
  const { ana, own } = await deskOfTwo()
  await ana.arrangeList({ listId: 'watchlist', widths: { name: 222 }, sort: { column: 'value', isDescending: true } })
  await add(ana, own, 'NCI')
  const bucket = await attacker()
  const { id } = listOf(ana, own).desk ?? { id: '' }
  const list = { name: own, entries: [{ id: 'BRTI' }, { id: 'NCI' }] }
  const sent = JSON.parse((await bucket.get(`list.${id}`))?.string() ?? '') as Record<string, object>
  expect(sent).toMatchObject({ list, by: 'ana' })
  expect(Object.keys(sent['list'] ?? {})).toEqual(['name', 'entries'])
  expect(writeMessage('list', { list: { name: 'A', entries: [] }, by: '', atMs: 0 })).toContain('"schema":1')
})
