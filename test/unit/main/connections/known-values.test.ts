import { expect, test } from 'vitest'
import { valuesOnTape } from '../../../../main/connections/known-values'
import { MemoryTape } from '../../../support/memory-tape'
import { tapeStartMs, tapeValue } from '../../../support/tape-thread'

const range = { fromMs: tapeStartMs + 100_000, toMs: tapeStartMs + 200_000 }

/** A tape with a value of BRTI at each of these seconds. */
function open(...seconds: number[]) {
  const tape = new MemoryTape()
  tape.append(seconds.map((second) => tapeValue(second, '1')))
  const known = valuesOnTape(tape)
  return { tape, missing: () => known.missing('BRTI', range, 2_000) }
}

test('a hole between two values, and the one up to now', async () => {
  const { missing } = open(99, 100, 101, 102, 150, 151)
  expect(await missing()).toEqual([
    { fromMs: tapeStartMs + 102_000, toMs: tapeStartMs + 150_000 },
    { fromMs: tapeStartMs + 151_000, toMs: range.toMs },
  ])
})

test('a hole that began before the range is missing from its own start', async () => {
  const { missing } = open(10, 190, 192, 194, 196, 198, 200)
  expect(await missing()).toEqual([{ fromMs: tapeStartMs + 10_000, toMs: tapeStartMs + 190_000 }])
})

test('what lies before the first value was not missed', async () => {
  expect(await open().missing()).toEqual([{ ...range, isBeforeFirst: true }])
  expect(await open(199, 200).missing()).toEqual([
    { fromMs: range.fromMs, toMs: tapeStartMs + 199_000, isBeforeFirst: true },
  ])
})

test('of a long range, looked at in parts, every hole is found whole, at the ends of parts too', async () => {
  const hours = (count: number) => count * 3_600
  const { tape } = open()
  const isMissing = (at: number) =>
    (at > hours(6) - 2 && at < hours(6) + 2) || (at > hours(11) && at < hours(30)) || at > hours(40)
  const seconds = Array.from({ length: hours(48) / 2 + 1 }, (_, at) => at * 2).filter((at) => !isMissing(at))
  await tape.commit({ values: seconds.map((second) => tapeValue(second, '1')) })
  const missing = await valuesOnTape(tape).missing(
    'BRTI',
    { fromMs: tapeStartMs, toMs: tapeStartMs + hours(48) * 1_000 },
    2_000,
  )
  const found = missing.map(({ fromMs, toMs }) => [(fromMs - tapeStartMs) / 1_000, (toMs - tapeStartMs) / 1_000])
  expect(found).toEqual([
    [hours(6) - 2, hours(6) + 2],
    [hours(11), hours(30)],
    [hours(40), hours(48)],
  ])
})

test('what was asked for is not missing, whether it was answered or not', async () => {
  const { tape, missing } = open(100, 150, 200)
  const span = (fromS: number, toS: number, state: 'answered' | 'unknown') => {
    const [fromMs, toMs] = [tapeStartMs + fromS * 1_000, tapeStartMs + toS * 1_000]
    return { id: 'BRTI', fromMs, toMs, state, askedAtMs: tapeStartMs }
  }
  await tape.commit({ spans: [span(100, 150, 'answered'), span(150, 200, 'unknown')] })
  expect(await missing()).toEqual([])
})

test('of a first value that was amended, what lies after it was missed all the same', async () => {
  const { tape, missing } = open(110, 190, 192, 194, 196, 198, 200)
  await tape.commit({
    values: [1, 2].map((second) => ({ ...tapeValue(110, '2'), amendedAtMs: tapeStartMs + 120_000 + second })),
  })
  expect(await missing()).toEqual([
    { fromMs: range.fromMs, toMs: tapeStartMs + 110_000, isBeforeFirst: true },
    { fromMs: tapeStartMs + 110_000, toMs: tapeStartMs + 190_000 },
  ])
})
