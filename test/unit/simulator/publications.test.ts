import fc from 'fast-check'
import { expect, test } from 'vitest'
import { catalogue } from '../../../simulator/catalogue'
import { Publications } from '../../../simulator/publications'
import { examples } from '../../support/examples'
import { knownIndex } from '../../support/known-index'

const hourMs = 3_600_000
const nowMs = Date.UTC(2026, 8, 15, 18, 30)

const [bitcoin, bitcoinDaily] = [knownIndex('BRTI'), knownIndex('BRR')]
const anyIndex = fc.constantFrom(...catalogue)
const anyMoment = fc.integer({ min: Date.UTC(2025, 0, 1), max: Date.UTC(2027, 0, 1) })
const anyResolution = fc.constantFrom('PER_SECOND', 'PER_200MS')

test('published values do not depend on when or in which order they are read', () => {
  const asked = new Publications(1)
  fc.assert(
    fc.property(anyIndex, anyMoment, anyResolution, (index, moment, resolution) => {
      expect(asked.latest(index, moment, resolution)).toEqual(new Publications(1).latest(index, moment, resolution))
    }),
  )
  expect(asked.latest(bitcoin, nowMs, 'PER_SECOND')).not.toEqual(
    new Publications(2).latest(bitcoin, nowMs, 'PER_SECOND'),
  )
})

test('the latest value is the last of the history', () => {
  const publications = new Publications(1)
  fc.assert(
    fc.property(anyIndex, anyMoment, anyResolution, (index, moment, resolution) => {
      expect(publications.history(index, moment, resolution).at(-1)).toEqual(
        publications.latest(index, moment, resolution),
      )
    }),
    { numRuns: examples(30) },
  )
})

test('the stream with amendments applied equals the history', () => {
  const publications = new Publications(1)
  for (const index of [bitcoin, knownIndex('NCI')]) {
    const rows = new Map<number, unknown>()
    for (let at = nowMs - hourMs; at < nowMs; at += 60_000) {
      for (const value of publications.between(index, at, at + 60_000, 'PER_SECOND')) rows.set(value.time, value)
    }
    const history = publications.history(index, nowMs, 'PER_SECOND')
    // The stream also amends values from just before the hour began.
    const times = new Set(history.map(({ time }) => time))
    expect([...rows].filter(([time]) => times.has(time)).map(([, row]) => row)).toEqual(history)
  }
})

test('an amendment changes the digits, is later than its value and is not known before', () => {
  const publications = new Publications(1)
  let count = 0
  for (const index of catalogue) {
    for (const row of publications.history(index, nowMs, 'PER_SECOND')) {
      if (row.amendTime === undefined) continue
      count++
      expect(row.amendTime).toBeGreaterThan(row.time)
      expect(row.amendTime).toBeLessThanOrEqual(nowMs)
      const [first] = publications.between(index, row.time - 1, row.time, 'PER_SECOND')
      expect(first).not.toHaveProperty('amendTime')
      expect(first?.value).not.toBe(row.value)
    }
  }
  expect(count).toBeGreaterThan(20)
})

test('a year of a reference rate has a few amendments and no more', () => {
  const amended = (id: string, year: number) =>
    new Publications(1)
      .history(knownIndex(id), Date.UTC(year, 11, 31), 'PER_SECOND')
      .filter(({ amendTime }) => amendTime !== undefined).length
  const counts = ['BRR', 'BRRNY', 'SOLUSD_RR', 'ETH_SRR'].flatMap((id) => [2025, 2026].map((year) => amended(id, year)))
  expect(Math.max(...counts)).toBeLessThan(8)
  expect(counts.reduce((sum, count) => sum + count, 0)).toBeGreaterThan(8)
})

test('some days are carried forward, with the digits of the previous day', () => {
  const rows = new Publications(1).history(knownIndex('SOL_SRR'), nowMs, 'PER_SECOND')
  const carried = rows.filter(({ repeatOfPreviousValue }) => repeatOfPreviousValue)
  expect(carried.length).toBeGreaterThan(0)
  expect(carried.length).toBeLessThan(40)
  for (const row of carried.filter(({ time }) => time !== rows[0]?.time)) {
    expect(row.value).toBe(rows[rows.indexOf(row) - 1]?.value)
  }
})

test('on any day exactly one of the two showcase reward rates is carried forward', () => {
  const publications = new Publications(1)
  fc.assert(
    fc.property(anyMoment, (moment) => {
      const flags = ['ETH_SRR', 'APT_SRR'].map(
        (id) => publications.latest(knownIndex(id), moment, 'PER_SECOND').repeatOfPreviousValue === true,
      )
      expect(flags.toSorted()).toEqual([false, true])
    }),
  )
})

test.each([
  ['BRR', 'BRTI'],
  ['BRRNY', 'BRTI'],
  ['BRRAP', 'BRTI'],
  ['SOLUSD_RR', 'SOLUSD_RTI'],
  ['UC5_RR_TR', 'UC5_RTI_TR'],
  ['NCIS', 'NCI'],
  ['NQBTCS', 'NQBTC'],
  ['BVXS', 'BVX'],
])('%s is the value of %s at that time, on every day without a failure or amendment', (dailyId, realTimeId) => {
  const publications = new Publications(1)
  const rows = publications.history(knownIndex(dailyId), nowMs, 'PER_SECOND')
  const plain = rows.filter(
    ({ amendTime, repeatOfPreviousValue }) => (amendTime ?? repeatOfPreviousValue) === undefined,
  )
  expect(plain.length).toBeGreaterThan(250)
  for (const { time, value } of plain) {
    expect(publications.latest(knownIndex(realTimeId), time + 60, 'PER_SECOND')).toEqual({ time, value })
  }
})

test('a value that needs an exponent has one, with any number of digits', () => {
  const texts = new Publications(1).history(knownIndex('SHIBUSD_RTI'), nowMs, 'PER_SECOND').map(({ value }) => value)
  for (const text of texts) expect(text).toMatch(/^[1-9](\.\d*[1-9])?e-[56]$/)
  expect(new Set(texts.map(({ length }) => length)).size).toBeGreaterThan(1)
})

test('an exact value replaces the market value of its time, or is added', () => {
  const publications = new Publications(1)
  publications.putExact(bitcoin, { time: nowMs, value: '1.00' })
  publications.putExact(bitcoin, { time: nowMs + 200, value: '2.00' })
  expect(publications.latest(bitcoin, nowMs, 'PER_SECOND')).toEqual({ time: nowMs, value: '1.00' })
  expect(publications.latest(bitcoin, nowMs, 'PER_200MS')).toEqual({ time: nowMs + 200, value: '2.00' })
  const seconds = publications.history(bitcoin, nowMs, 'PER_SECOND')
  expect([seconds.length, seconds.at(-1)?.value]).toEqual([3_600, '1.00'])
  const ticks = publications.history(bitcoin, nowMs, 'PER_200MS')
  expect(ticks.slice(-2).map(({ value }) => value)).toEqual(['1.00', '2.00'])
  expect(publications.latest(bitcoinDaily, nowMs, 'PER_SECOND').value).not.toBe('1.00')
})

test('an exact value of yesterday does not hide the market of today', () => {
  const publications = new Publications(1)
  publications.putExact(bitcoin, { time: nowMs - 24 * hourMs, value: '1.00' })
  expect(publications.latest(bitcoin, nowMs, 'PER_SECOND').time).toBe(nowMs)
})
