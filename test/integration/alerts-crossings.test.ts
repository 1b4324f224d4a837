import { expect, test } from 'vitest'
import { compareCrossings } from '../support/crossings'
import { CrossingSimulation, whole, type Delivery } from '../support/crossing-simulation'
import { temporaryFolder } from '../support/temporary-folder'

const enough = 10_000
const seed = Number(process.env['INDEXWATCH_TEST_SEED'] ?? '7')

async function simulate(crossings: number, delivery: Delivery = whole) {
  const simulation = await CrossingSimulation.start({ folder: temporaryFolder(), seed, delivery })
  while (simulation.expected.length < crossings) await simulation.scene()
  await simulation.end()
  const recorded = simulation.recorded()
  return { simulation, recorded, found: compareCrossings(simulation.expected, simulation.recordedKeys()) }
}

test('every crossing is recorded once, over restarts, drops, repeats and values that come twice or late', async () => {
  const { simulation, recorded, found } = await simulate(enough)
  const { expected, restarts, drops, toldIds } = simulation
  process.stdout.write(
    `simulated crossings: ${expected.length.toLocaleString('en')}, restarts ${restarts}, drops ${drops}: ` +
      `${found.missed} missed, ${found.doubled} doubled, ${found.false} false\n`,
  )
  expect(found).toEqual({ missed: 0, doubled: 0, false: 0 })
  expect(new Set(expected).size).toBe(expected.length)
  expect(restarts).toBeGreaterThan(30)
  expect(drops).toBeGreaterThan(100)
  // Each rule has fired, some of them in a gap, and nothing was notified twice.
  expect(new Set(recorded.map(({ ruleId }) => ruleId)).size).toBe(60)
  expect(recorded.some(({ inputs }) => inputs.gapSinceMs !== undefined)).toBe(true)
  expect(new Set(toldIds).size).toBe(toldIds.length)
}, 120_000)

test('an engine that some values do not reach is found out', async () => {
  let count = 0
  const { found } = await simulate(500, (deliver) => {
    if (++count % 10 !== 0) deliver()
  })
  expect(found.missed).toBeGreaterThan(0)
  // What a lost value would have armed fires at the next one instead, or with another gap.
  expect(found.false).toBeGreaterThan(0)
}, 60_000)

test('the count finds what is missing, doubled and made up', () => {
  expect(compareCrossings(['a', 'b'], ['b', 'a'])).toEqual({ missed: 0, doubled: 0, false: 0 })
  expect(compareCrossings(['a', 'b'], ['a'])).toEqual({ missed: 1, doubled: 0, false: 0 })
  expect(compareCrossings(['a', 'b'], ['a', 'b', 'b'])).toEqual({ missed: 0, doubled: 1, false: 0 })
  expect(compareCrossings(['a', 'b'], ['a', 'b', 'c'])).toEqual({ missed: 0, doubled: 0, false: 1 })
})
