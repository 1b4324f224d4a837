import { expect, test } from 'vitest'
import { catalogue, findIndex } from '../../../simulator/catalogue'
import { resolutionOf } from '../../../simulator/schedule'

test('there are at least 44 indices, each with a unique id and a name', () => {
  expect(catalogue.length).toBeGreaterThanOrEqual(44)
  expect(new Set(catalogue.map(({ id }) => id)).size).toBe(catalogue.length)
  for (const { id, name } of catalogue) {
    expect(id).toMatch(/^[A-Z0-9_]+$/)
    expect(name).not.toBe('')
  }
})

test('exactly five indices publish every 200 ms', () => {
  const fast = catalogue.filter(({ schedule }) => resolutionOf(schedule) === 'PER_200MS').map(({ id }) => id)
  expect(fast).toEqual(['BRTI', 'ETHUSD_RTI', 'SOLUSD_RTI', 'XRPUSD_RTI', 'DOGEUSD_RTI'])
})

test('every kind of index is there', () => {
  const zoneOf = (id: string) => {
    const schedule = findIndex(id)?.schedule
    return schedule !== undefined && 'dailyIn' in schedule ? schedule.dailyIn : undefined
  }
  expect(['BRR', 'BRRNY', 'BRRAP'].map(zoneOf)).toEqual(['Europe/London', 'America/New_York', 'Asia/Hong_Kong'])
  for (const id of ['UC5_RTI_TR', 'CFFBCLDN_RTI_TR', 'NCI', 'NCIS', 'NCIUS', 'ETH_SRR', 'TSLAXUSD_RTI', 'BVX']) {
    expect(findIndex(id)?.id).toBe(id)
  }
  expect(findIndex('SHIBUSD_RTI')?.isScientific).toBe(true)
})

test('an id is found only in its exact spelling', () => {
  for (const id of ['brti', 'BRTI ', '', '__proto__', 'constructor']) expect(findIndex(id)).toBeUndefined()
})

test('a thousand indices for measurements are found but never listed', () => {
  for (const id of ['LOAD0001', 'LOAD1000']) expect(findIndex(id)).toMatchObject({ id, decimals: 2 })
  for (const id of ['LOAD0000', 'LOAD1001', 'LOAD1', 'LOAD00001']) expect(findIndex(id)).toBeUndefined()
  expect(catalogue.some(({ id }) => id.startsWith('LOAD'))).toBe(false)
})
