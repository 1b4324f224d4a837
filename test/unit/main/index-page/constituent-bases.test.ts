import { describe, expect, test } from 'vitest'
import { ConstituentBases, maxBases } from '../../../../main/index-page/constituent-bases'
import type { ConstituentsPublication } from '../../../../core/model'
import { FakeClock } from '../../../support/fake-clock'
import { MemoryHistory } from '../../../support/memory-history'
import { RecordedLog } from '../../../support/recorded-log'

const startMs = Date.UTC(2026, 10, 20, 14)

function published(value: string, weightPercent = '58.2140'): ConstituentsPublication {
  return { value, publishedAtMs: startMs - 600, divisor: '203484212.3109', constituents: [btc(weightPercent)] }
}

function btc(weightPercent: string) {
  return { constituent: 'BTC', value: '68123.40', weightPercent }
}

async function openBases(history = new MemoryHistory()) {
  const clock = new FakeClock(startMs)
  const bases = new ConstituentBases({ clock, log: new RecordedLog(), history })
  const notices: string[] = []
  const changed: string[] = []
  bases.events.on('notice', (notice) => notices.push(notice))
  bases.events.on('changed', (id) => changed.push(id))
  await bases.use()
  return { bases, clock, notices, changed, history }
}

describe('a baseline', () => {
  test('is kept digit for digit with the time it was set, and holds after a restart', async () => {
    const { bases, changed, history } = await openBases()
    expect(bases.get('NCI')).toBeUndefined()
    expect(await bases.set('NCI', published('2835.50'))).toEqual({ ok: true, value: null })
    expect(changed).toEqual(['NCI'])
    const next = await openBases(history)
    expect(next.bases.get('NCI')).toEqual({ constituents: published('2835.50'), setAtMs: startMs })
    expect(next.notices).toEqual([])
  })

  test('replaces the former one of its index, and can be cleared', async () => {
    const { bases, clock, history } = await openBases()
    await bases.set('NCI', published('1'))
    await bases.set('UC5', published('2'))
    clock.advance(5_000)
    await bases.set('NCI', published('3'))
    expect(bases.get('NCI')).toMatchObject({ setAtMs: startMs + 5_000, constituents: { value: '3' } })
    expect(await bases.clear('NCI')).toEqual({ ok: true, value: null })
    expect(bases.get('NCI')).toBeUndefined()
    const next = await openBases(history)
    expect(next.bases.get('NCI')).toBeUndefined()
    expect(next.bases.get('UC5')?.constituents.value).toBe('2')
  })

  test('omits exchanges', async () => {
    const { bases } = await openBases()
    const exchanges = [{ exchange: 'Coinbase', weightPercent: '100' }]
    await bases.set('NCI', { ...published('1'), constituents: [{ ...btc('58'), exchanges }] })
    expect(bases.get('NCI')?.constituents.constituents).toEqual([btc('58')])
  })

  test('is the oldest dropped when there are more than a hundred', async () => {
    const { bases } = await openBases()
    for (let at = 0; at < maxBases; at++) await bases.set(`I${at}`, published('1'))
    // Setting it again makes it the newest.
    await bases.set('I0', published('2'))
    expect(bases.get('I1')).toBeDefined()
    await bases.set('ONE_MORE', published('1'))
    expect(bases.get('I1')).toBeUndefined()
    for (const id of ['I0', 'I2', 'ONE_MORE']) expect(bases.get(id)).toBeDefined()
  })
})

test('one that cannot be written leaves the former baseline, also when the disk has room again', async () => {
  const { bases, changed, history } = await openBases()
  await bases.set('NCI', published('1'))
  history.problem = { code: 'diskFull', message: 'The disk is full.' }
  expect(await bases.set('NCI', published('2'))).toEqual({ ok: false, problem: history.problem })
  expect(await bases.clear('NCI')).toMatchObject({ ok: false })
  expect(await bases.set('UC5', published('5'))).toMatchObject({ ok: false })
  expect(bases.get('NCI')?.constituents.value).toBe('1')
  expect(changed).toEqual(['NCI'])
  history.problem = undefined
  await history.commit({})
  const next = await openBases(history)
  expect(next.bases.get('NCI')?.constituents.value).toBe('1')
  expect(next.bases.get('UC5')).toBeUndefined()
  expect(await bases.set('NCI', published('2'))).toMatchObject({ ok: true })
})

test('another history has bases of its own', async () => {
  const { bases } = await openBases()
  await bases.set('NCI', published('1'))
  expect((await openBases(new MemoryHistory())).bases.get('NCI')).toBeUndefined()
})

test('an unreadable one is reported and does not affect others', async () => {
  const history = new MemoryHistory()
  const bad = JSON.stringify({ ...published('1'), value: 'much' })
  await history.commit({ documents: [{ key: 'base:UC5', atMs: startMs, document: bad }] })
  await history.commit({
    documents: [
      { key: 'base:NCI', atMs: startMs, document: JSON.stringify(published('1')) },
      { key: 'base:X', atMs: startMs, document: '{"value' },
    ],
  })
  const { bases, notices } = await openBases(history)
  expect(bases.get('NCI')).toBeDefined()
  expect([bases.get('UC5'), bases.get('X')]).toEqual([undefined, undefined])
  expect(notices).toEqual([expect.stringContaining('2 baselines could not be read')])
})
