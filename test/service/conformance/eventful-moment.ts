import { catalogue } from '../../../simulator/catalogue'
import { Publications } from '../../../simulator/publications'
import { resolutionOf } from '../../../simulator/schedule'

const dayMs = 86_400_000
const defaultSeed = 1

/**
 * A moment at which the simulator's market, which is a function of the time, shows what is rare: among the latest values
 * of the daily indices is one that was amended. It is in the evening of London, when amendments have been made.
 */
export function eventfulMs(): number {
  const daily = catalogue.filter(({ schedule }) => resolutionOf(schedule) === 'DAILY')
  const publications = new Publications(defaultSeed)
  for (let atMs = Date.UTC(2026, 0, 5, 20); atMs < Date.UTC(2027, 0, 1); atMs += dayMs) {
    const latest = daily.map((index) => publications.latest(index, atMs, 'PER_SECOND'))
    if (latest.some(({ amendTime }) => amendTime !== undefined)) return atMs
  }
  throw new Error('no daily value is amended in a whole year')
}
