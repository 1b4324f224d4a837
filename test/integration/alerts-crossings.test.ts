import { expect, test } from 'vitest'
import { compareCrossings } from '../support/crossings'
import { CrossingSimulation, whole, type Delivery } from '../support/crossing-simulation'

/** Twenty include every kind of trouble at least once. */
const scenes = process.env['INDEXWATCH_PROPERTY_RUNS'] === undefined ? 20 : 60
const seed = Number(process.env['INDEXWATCH_TEST_SEED'] ?? '7')

async function simulate(sceneCount: number, delivery: Delivery = whole) {
  const simulation = await CrossingSimulation.start({ seed, delivery })
  for (let scene = 0; scene < sceneCount; scene++) await simulation.scene()
  await simulation.end()
  const recorded = await simulation.recorded()
  const expected = simulation.expected()
  const keys = expected.map(({ key }) => key)
  return { simulation, recorded, expected, found: compareCrossings(keys, simulation.standing(recorded)) }
}

// The limits only end a hanging test.
test('every crossing is recorded once, over restarts, kills, outages and amendments', async () => {
  const { simulation, recorded, expected, found } = await simulate(scenes)
  const { counts, notifiedIds } = simulation
  const { length: holds } = expected.filter(({ kind }) => kind === 'hold')
  const { length: moves } = expected.filter(({ kind }) => kind === 'move')
  const late = recorded.filter(({ kind }) => kind === 'lateFromHistory' || kind === 'lateByAmendment').length
  process.stdout.write(
    `simulated crossings: ${expected.length.toLocaleString('en')}, ${holds} of them held and ${moves} moves ` +
      `(${late} events late), restarts ${counts.restarts}, locked ${counts.locks}, ` +
      `kills ${counts.kills}, outages ${counts.outages}, never known ${counts.unknown}, amendments ${counts.amendments}, ` +
      `changes of source ${counts.turns}, values ahead of their time ${counts.ahead}: ` +
      `${found.missed} missed, ${found.doubled} doubled, ${found.false} false\n`,
  )
  expect(found).toEqual({ missed: 0, doubled: 0, false: 0 })
  expect(expected.length).toBeGreaterThan(100 * scenes)
  expect(Math.min(...Object.values(counts))).toBeGreaterThanOrEqual(scenes / 20)
  expect(holds).toBeGreaterThan(4 * scenes)
  expect(moves).toBeGreaterThan(10 * scenes)
  // Nearly all rules have fired, some in a gap and some late, and nothing was notified twice.
  expect(new Set(recorded.map(({ ruleId }) => ruleId)).size).toBeGreaterThan(50)
  expect(recorded.some(({ inputs }) => inputs.gapSinceMs !== undefined)).toBe(true)
  expect(late).toBeGreaterThan(100)
  expect(new Set(notifiedIds).size).toBe(notifiedIds.length)
}, 600_000)

test('the count detects an engine that misses some values', async () => {
  let count = 0
  const { found } = await simulate(10, (deliver) => {
    if (++count % 10 !== 0) deliver()
  })
  expect(found.missed + found.false).toBeGreaterThan(0)
}, 600_000)

test('the count finds missing, duplicate and false crossings', () => {
  expect(compareCrossings(['a', 'b'], ['b', 'a'])).toEqual({ missed: 0, doubled: 0, false: 0 })
  expect(compareCrossings(['a', 'b'], ['a'])).toEqual({ missed: 1, doubled: 0, false: 0 })
  expect(compareCrossings(['a', 'b'], ['a', 'b', 'b'])).toEqual({ missed: 0, doubled: 1, false: 0 })
  expect(compareCrossings(['a', 'b'], ['a', 'b', 'c'])).toEqual({ missed: 0, doubled: 0, false: 1 })
})
