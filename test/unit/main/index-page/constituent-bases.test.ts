import { readdir, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import type { JsonFile } from '../../../../main/base/json-file'
import { isBasesDocument } from '../../../../main/index-page/base-document'
import { ConstituentBases, mostBases } from '../../../../main/index-page/constituent-bases'
import { AtomicJsonFile } from '../../../../main/storage/atomic-file'
import type { ConstituentsPublication } from '../../../../protocol/model'
import { FakeClock } from '../../../support/fake-clock'
import { MemoryJsonFile } from '../../../support/memory-json-file'
import { RecordedLog } from '../../../support/recorded-log'
import { temporaryFolder } from '../../../support/temporary-folder'

const startMs = Date.UTC(2026, 10, 20, 14)

function published(value: string, weightPercent = '58.2140'): ConstituentsPublication {
  return { value, publishedAtMs: startMs - 600, divisor: '203484212.3109', constituents: [btc(weightPercent)] }
}

function btc(weightPercent: string) {
  return { constituent: 'BTC', value: '68123.40', weightPercent }
}

async function openBases(file: JsonFile = new MemoryJsonFile(), mostBytes = 2 ** 20) {
  const clock = new FakeClock(startMs)
  const bases = new ConstituentBases({ clock, log: new RecordedLog(), mostBytes })
  const notices: string[] = []
  const changed: string[] = []
  bases.events.on('notice', (notice) => notices.push(notice))
  bases.events.on('changed', (id) => changed.push(id))
  await bases.use(file)
  return { bases, clock, notices, changed }
}

function fileIn(folder: string): JsonFile {
  const path = join(folder, 'constituent-bases.json')
  return new AtomicJsonFile({ path, clock: new FakeClock(startMs), maxBytes: 2 ** 20, accepts: isBasesDocument })
}

describe('a base', () => {
  test('is kept digit for digit with the time it was set, and holds after a restart', async () => {
    const file = new MemoryJsonFile()
    const { bases, changed } = await openBases(file)
    expect(bases.get('NCI')).toBeUndefined()
    expect(await bases.set('NCI', published('2835.50'))).toEqual({ ok: true, value: null })
    expect(changed).toEqual(['NCI'])
    const next = await openBases(file.reopened())
    expect(next.bases.get('NCI')).toEqual({ constituents: published('2835.50'), setAtMs: startMs })
    expect(next.notices).toEqual([])
  })

  test('takes the place of the one before, and goes when it is cleared, for its index alone', async () => {
    const file = new MemoryJsonFile()
    const { bases, clock } = await openBases(file)
    await bases.set('NCI', published('1'))
    await bases.set('UC5', published('2'))
    clock.advance(5_000)
    await bases.set('NCI', published('3'))
    expect(bases.get('NCI')).toMatchObject({ setAtMs: startMs + 5_000, constituents: { value: '3' } })
    expect(await bases.clear('NCI')).toEqual({ ok: true, value: null })
    expect(bases.get('NCI')).toBeUndefined()
    const next = await openBases(file.reopened())
    expect(next.bases.get('NCI')).toBeUndefined()
    expect(next.bases.get('UC5')?.constituents.value).toBe('2')
  })

  test('leaves the exchanges out: nothing is counted from them', async () => {
    const { bases } = await openBases()
    const exchanges = [{ exchange: 'Coinbase', weightPercent: '100' }]
    await bases.set('NCI', { ...published('1'), constituents: [{ ...btc('58'), exchanges }] })
    expect(bases.get('NCI')?.constituents.constituents).toEqual([btc('58')])
  })

  test('is the oldest dropped when there are more than a hundred', async () => {
    const { bases } = await openBases()
    for (let at = 0; at < mostBases; at++) await bases.set(`I${at}`, published('1'))
    // Set anew, it is the newest.
    await bases.set('I0', published('2'))
    expect(bases.get('I1')).toBeDefined()
    await bases.set('ONE_MORE', published('1'))
    expect(bases.get('I1')).toBeUndefined()
    for (const id of ['I0', 'I2', 'ONE_MORE']) expect(bases.get(id)).toBeDefined()
  })

  test('is dropped also when large baskets would make the file too long to be read again', async () => {
    const file = new MemoryJsonFile()
    const { bases } = await openBases(file, 2_000)
    const members = Array.from({ length: 5 }, (_, at) => ({ ...btc('0.0200'), constituent: `M${at}` }))
    for (let at = 0; at < 30; at++) await bases.set(`I${at}`, { ...published('1'), constituents: members })
    expect(JSON.stringify(file.written.at(-1)).length).toBeLessThan(2_100)
    expect(bases.get('I28')).toBeDefined()
    expect(bases.get('I0')).toBeUndefined()
    expect(bases.get('I29')).toBeDefined()
    // The newest stays, however large it is.
    const largest = Array.from({ length: 100 }, (_, at) => ({ ...btc('1'), constituent: `M${at}` }))
    expect(await bases.set('LARGE', { ...published('1'), constituents: largest })).toMatchObject({ ok: true })
    expect(bases.get('LARGE')).toBeDefined()
    expect(bases.get('I29')).toBeUndefined()
  })
})

describe('the file', () => {
  test('that cannot be written leaves the base before in its place, and the answer says why', async () => {
    const file = new MemoryJsonFile()
    const { bases, changed } = await openBases(file)
    await bases.set('NCI', published('1'))
    file.problem = { code: 'diskFull', message: 'Disk full: changes not saved.' }
    expect(await bases.set('NCI', published('2'))).toEqual({ ok: false, problem: file.problem })
    expect(bases.get('NCI')?.constituents.value).toBe('1')
    expect(await bases.clear('NCI')).toMatchObject({ ok: false })
    expect(bases.get('NCI')?.constituents.value).toBe('1')
    expect(changed).toEqual(['NCI'])
    file.problem = undefined
    expect(await bases.set('NCI', published('2'))).toMatchObject({ ok: true })
  })

  test('of another service has bases of its own', async () => {
    const real = new MemoryJsonFile()
    const { bases } = await openBases(real)
    await bases.set('NCI', published('1'))
    await bases.use(new MemoryJsonFile())
    expect(bases.get('NCI')).toBeUndefined()
    await bases.set('NCI', published('9'))
    await bases.use(real.reopened())
    expect(bases.get('NCI')?.constituents.value).toBe('1')
  })

  test('that is damaged is set aside and told of, and the last good copy answers', async () => {
    const folder = temporaryFolder()
    const first = await openBases(fileIn(folder))
    await first.bases.set('NCI', published('1'))
    await first.bases.set('UC5', published('2'))
    const whole = await openBases(fileIn(folder))
    expect(whole.notices).toEqual([])
    expect(whole.bases.get('UC5')).toBeDefined()
    await writeFile(join(folder, 'constituent-bases.json'), '{"version":1,"bases":[{"ind')
    const { bases, notices } = await openBases(fileIn(folder))
    expect(bases.get('NCI')?.constituents.value).toBe('1')
    expect(notices).toHaveLength(1)
    expect(notices[0]).toContain('The last good copy is in use')
    expect(await readdir(folder)).toContain('constituent-bases.corrupt-20261120-140000.json')
    expect(await bases.set('NCI', published('3'))).toMatchObject({ ok: true })
  })

  test('that is damaged without a copy is told of, and bases can be set again', async () => {
    const folder = temporaryFolder()
    await writeFile(join(folder, 'constituent-bases.json'), 'nonsense')
    const { bases, notices } = await openBases(fileIn(folder))
    expect(notices[0]).toContain('there was no copy')
    expect(await bases.set('NCI', published('3'))).toMatchObject({ ok: true })
    expect((await openBases(fileIn(folder))).bases.get('NCI')).toBeDefined()
  })

  test('with one bad entry loses nothing else, and keeps that entry aside', async () => {
    const folder = temporaryFolder()
    const good = { indexId: 'NCI', setAtMs: startMs, constituents: published('1') }
    const bad = { ...good, indexId: 'UC5', constituents: { ...published('1'), value: 'much' } }
    await writeFile(join(folder, 'constituent-bases.json'), JSON.stringify({ version: 1, bases: [bad, good] }))
    const { bases, notices } = await openBases(fileIn(folder))
    expect(bases.get('NCI')).toBeDefined()
    expect(bases.get('UC5')).toBeUndefined()
    expect(notices[0]).toContain('could not be read: 1')
    expect(JSON.parse(await readFile(join(folder, 'constituent-bases.json'), 'utf8'))).toMatchObject({
      setAside: [bad],
    })
    expect((await openBases(fileIn(folder))).notices).toEqual([])
  })

  test('of a newer version is left as it is', async () => {
    const file = new MemoryJsonFile({ kind: 'ok', value: { version: 2, lots: [] } })
    const { bases, notices } = await openBases(file)
    expect(notices[0]).toContain('newer version')
    expect(await bases.set('NCI', published('1'))).toMatchObject({ ok: false, problem: { code: 'newerBases' } })
    expect(file.written).toEqual([])
  })
})

test('nothing can be set before the file has been read', async () => {
  const bases = new ConstituentBases({ clock: new FakeClock(startMs), log: new RecordedLog() })
  expect(await bases.set('NCI', published('1'))).toMatchObject({ ok: false, problem: { code: 'notReady' } })
  await bases.use(new MemoryJsonFile())
  expect(await bases.set('NCI', published('1'))).toMatchObject({ ok: true })
})
