import { expect, test } from 'vitest'
import { compareCrossings } from '../support/crossings'
import { CrossingSimulation, whole, type Delivery } from '../support/crossing-simulation'

const enough = 10_000
const seed = Number(process.env['INDEXWATCH_TEST_SEED'] ?? '7')

async function simulate(crossings: number, delivery: Delivery = whole) {
  const simulation = await CrossingSimulation.start({ seed, delivery })
  for (let scene = 0; scene % 20 !== 0 || simulation.expected().length < crossings; scene++) await simulation.scene()
  await simulation.end()
  const recorded = await simulation.recorded()
  const expected = simulation.expected()
  const keys = expected.map(({ key }) => key)
  return { simulation, recorded, expected, found: compareCrossings(keys, simulation.standing(recorded)) }
}

// Its 20 s of CPU are many times as long where others work: the limits only end what hangs.
test('every crossing is recorded once, over restarts, kills, outages and amendments', async () => {
  const { simulation, recorded, expected, found } = await simulate(enough)
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
  expect(Math.min(...Object.values(counts))).toBeGreaterThan(3)
  expect(holds).toBeGreaterThan(200)
  expect(moves).toBeGreaterThan(500)
  // All rules have fired but one or two whose level was not reached, in a gap and late too, and nothing was notified twice.
  expect(new Set(recorded.map(({ ruleId }) => ruleId)).size).toBeGreaterThan(55)
  expect(recorded.some(({ inputs }) => inputs.gapSinceMs !== undefined)).toBe(true)
  expect(late).toBeGreaterThan(100)
  expect(new Set(notifiedIds).size).toBe(notifiedIds.length)
}, 600_000)

test('an engine that some values do not reach is found out', async () => {
  let count = 0
  const { found } = await simulate(500, (deliver) => {
    if (++count % 10 !== 0) deliver()
  })
  expect(found.missed + found.false).toBeGreaterThan(0)
}, 600_000)

test('the count finds what is missing, doubled and made up', () => {
  expect(compareCrossings(['a', 'b'], ['b', 'a'])).toEqual({ missed: 0, doubled: 0, false: 0 })
  expect(compareCrossings(['a', 'b'], ['a'])).toEqual({ missed: 1, doubled: 0, false: 0 })
  expect(compareCrossings(['a', 'b'], ['a', 'b', 'b'])).toEqual({ missed: 0, doubled: 1, false: 0 })
  expect(compareCrossings(['a', 'b'], ['a', 'b', 'c'])).toEqual({ missed: 0, doubled: 0, false: 1 })
})
