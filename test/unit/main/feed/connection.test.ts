import fc from 'fast-check'
import { expect, test } from 'vitest'
import { backoffMs } from '../../../../main/feed/connection'
import { examples } from '../../../support/examples'

const limits = { baseMs: 1_000, floorMs: 250, capMs: 60_000 }
const almostOne = () => 0.999999

test('the ceiling doubles up to the cap', () => {
  const waits = [0, 1, 2, 3, 4, 5, 6, 7, 1_000].map((failures) => backoffMs(failures, almostOne, limits))
  expect(waits).toEqual([999, 1_999, 3_999, 7_999, 15_999, 31_999, 59_999, 59_999, 59_999])
})

test('every wait is between the floor and the cap', () => {
  const unit = fc.double({ min: 0, max: 1, maxExcluded: true, noNaN: true })
  fc.assert(
    fc.property(fc.nat(2_000), unit, (failures, random) => {
      const waitMs = backoffMs(failures, () => random, limits)
      expect(waitMs).toBeGreaterThanOrEqual(limits.floorMs)
      expect(waitMs).toBeLessThan(limits.capMs)
    }),
    { numRuns: examples(2_000) },
  )
})

test('waits are spread over the whole range, so that apps do not return together', () => {
  const waits = [0, 0.1, 0.3, 0.5, 0.7, 0.9].map((random) => backoffMs(3, () => random, limits))
  expect(waits).toEqual([250, 800, 2_400, 4_000, 5_600, 7_200])
})
