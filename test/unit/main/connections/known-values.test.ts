import { expect, test } from 'vitest'
import { storedValues } from '../../../../main/connections/known-values'
import { MemoryHistory } from '../../../support/memory-history'
import { historyStartMs, storedValue } from '../../../support/history-thread'

const range = { fromMs: historyStartMs + 100_000, toMs: historyStartMs + 200_000 }

/** A history with a value of BRTI at each of these seconds. */
function open(...seconds: number[]) {
  const history = new MemoryHistory()
  history.append(seconds.map((second) => storedValue(second, '1')))
  const known = storedValues(history)
  return { history, missing: () => known.missing('BRTI', range, 2_000) }
}

test('finds a gap between two values, and the one up to now', async () => {
  const { missing } = open(99, 100, 101, 102, 150, 151)
  expect(await missing()).toEqual([
    { fromMs: historyStartMs + 102_000, toMs: historyStartMs + 150_000 },
    { fromMs: historyStartMs + 151_000, toMs: range.toMs },
  ])
})

test('a gap that began before the range has its own start', async () => {
  const { missing } = open(10, 190, 192, 194, 196, 198, 200)
  expect(await missing()).toEqual([{ fromMs: historyStartMs + 10_000, toMs: historyStartMs + 190_000 }])
})

test('nothing is missed before the first value', async () => {
  expect(await open().missing()).toEqual([{ ...range, isBeforeFirst: true }])
  expect(await open(199, 200).missing()).toEqual([
    { fromMs: range.fromMs, toMs: historyStartMs + 199_000, isBeforeFirst: true },
  ])
})

test('finds every gap of a long range whole, also at the ends of parts', async () => {
  const hours = (count: number) => count * 3_600
  const { history } = open()
  const isMissing = (at: number) =>
    (at > hours(6) - 2 && at < hours(6) + 2) || (at > hours(11) && at < hours(30)) || at > hours(40)
  const seconds = Array.from({ length: hours(48) / 2 + 1 }, (_, at) => at * 2).filter((at) => !isMissing(at))
  await history.commit({ values: seconds.map((second) => storedValue(second, '1')) })
  const missing = await storedValues(history).missing(
    'BRTI',
    { fromMs: historyStartMs, toMs: historyStartMs + hours(48) * 1_000 },
    2_000,
  )
  const found = missing.map(({ fromMs, toMs }) => [(fromMs - historyStartMs) / 1_000, (toMs - historyStartMs) / 1_000])
  expect(found).toEqual([
    [hours(6) - 2, hours(6) + 2],
    [hours(11), hours(30)],
    [hours(40), hours(48)],
  ])
})

test('asks the history twice about a week without values, three times if some are new', async () => {
  const weekMs = 7 * 86_400_000
  const asked = async (...seconds: number[]) => {
    const { history } = open(...seconds)
    const queries: string[] = []
    const query: typeof history.query = (name, params) => {
      queries.push(name)
      return history.query(name, params)
    }
    await storedValues({ query }).missing('BRTI', { fromMs: range.toMs - weekMs, toMs: range.toMs }, 2_000)
    return queries
  }
  expect(await asked()).toEqual(['valueAt', 'gaps'])
  expect(await asked(100, 150)).toEqual(['valueAt', 'gaps', 'gaps'])
})

test('what was requested is not missing, answered or not', async () => {
  const { history, missing } = open(100, 150, 200)
  const span = (fromS: number, toS: number, state: 'answered' | 'unknown') => {
    const [fromMs, toMs] = [historyStartMs + fromS * 1_000, historyStartMs + toS * 1_000]
    return { id: 'BRTI', fromMs, toMs, state, askedAtMs: historyStartMs }
  }
  await history.commit({ spans: [span(100, 150, 'answered'), span(150, 200, 'unknown')] })
  expect(await missing()).toEqual([])
})

test('what follows an amended first value was missed', async () => {
  const { history, missing } = open(110, 190, 192, 194, 196, 198, 200)
  await history.commit({
    values: [1, 2].map((second) => ({ ...storedValue(110, '2'), amendedAtMs: historyStartMs + 120_000 + second })),
  })
  expect(await missing()).toEqual([
    { fromMs: range.fromMs, toMs: historyStartMs + 110_000, isBeforeFirst: true },
    { fromMs: historyStartMs + 110_000, toMs: historyStartMs + 190_000 },
  ])
})
