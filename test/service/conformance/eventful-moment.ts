import { catalogue } from '../../../simulator/catalogue'
import { Publications } from '../../../simulator/publications'
import { resolutionOf } from '../../../simulator/schedule'

const dayMs = 86_400_000
const defaultSeed = 1

/**
 * A time at which the latest value of a daily index is amended, which is rare. It is an evening in London, after the
 * amendments of the day. The simulator's market is a function of time, so the search is exact.
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
