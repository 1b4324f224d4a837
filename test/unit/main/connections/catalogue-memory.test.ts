import { expect, test } from 'vitest'
import { CatalogueMemory } from '../../../../main/connections/catalogue-memory'
import { RecordedLog } from '../../../support/recorded-log'
import type { IndexInfo } from '../../../../core/model'
import { FakeClock } from '../../../support/fake-clock'
import { MemoryHistory } from '../../../support/memory-history'

const listed: IndexInfo[] = [{ id: 'BRTI', name: 'Bitcoin', maxResolution: 'PER_SECOND' }]

test("stores an unchanged list's latest time, also over a restart", async () => {
  const [history, clock] = [new MemoryHistory(), new FakeClock()]
  const start = () => new CatalogueMemory({ history, clock, log: new RecordedLog() })
  const memory = start()
  expect(memory.listedAtMs('a')).toBeUndefined()
  memory.note('a', listed)
  const firstMs = clock.wallMs()
  clock.advance(9 * 60_000)
  memory.note('a', listed)
  expect(memory.listedAtMs('a')).toBe(firstMs)
  clock.advance(51 * 60_000)
  memory.note('a', listed)
  expect(memory.listedAtMs('a')).toBe(firstMs + 3_600_000)
  // The stream's list has no names and replaces no other.
  clock.advance(3_600_000)
  memory.note('a', [{ id: 'BRTI', maxResolution: 'PER_SECOND' }])
  const again = start()
  await again.load()
  expect([[...again.get('a').values()], again.listedAtMs('a')]).toEqual([listed, firstMs + 3_600_000])
})

test('keeps the codes of an index over later lists and a restart', async () => {
  const [history, clock] = [new MemoryHistory(), new FakeClock()]
  const start = () => new CatalogueMemory({ history, clock, log: new RecordedLog() })
  const memory = start()
  expect(memory.noteCodes('a', [{ id: 'BRTI', codes: ['BRTI Index'] }])).toBe(false)
  memory.note('a', listed)
  expect(memory.noteCodes('a', [{ id: 'BRR', codes: ['BRR Index'] }])).toBe(false)
  expect(memory.noteCodes('a', [{ id: 'BRTI', codes: ['BRTI Index'] }])).toBe(true)
  expect(memory.noteCodes('a', [{ id: 'BRTI', codes: ['BRTI Index'] }])).toBe(false)
  const other: IndexInfo = { id: 'BRR', name: 'Rate', maxResolution: 'DAILY' }
  memory.note('a', [...listed, other])
  const again = start()
  await again.load()
  const withCodes = [{ ...listed[0], codes: ['BRTI Index'] }, other]
  expect([...again.get('a').values()]).toEqual(withCodes)
  expect(again.withCodes('a', [...listed, other])).toEqual(withCodes)
  expect(again.withCodes('b', listed)).toEqual(listed)
})
