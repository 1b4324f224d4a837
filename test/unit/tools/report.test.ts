import { expect, test } from 'vitest'
import { exitCode, judge, selectRows, table, type Row } from '../../../scripts/tools/bench/report'
import { rows } from '../../../scripts/tools/bench/rows'

const rate: Row = { name: 'B1-value', what: 'a value', unit: 'µs', budget: { kind: 'rateShare', min: 0.6 } }
const cost: Row = { name: 'B8-ready', what: 'a start', unit: 'ms', budget: { kind: 'times', max: 1.3 } }
const figure: Row = { name: 'B10-silent', what: 'silent', unit: '%', budget: { kind: 'figure', max: 0.2 } }

/** Five rounds around a median. */
const around = (median: number) => [median * 1.2, median, median * 0.9, median, median * 3]

function judged(row: Row, ours: number, limit: number) {
  return judge(row, { ours: around(ours), limit: around(limit) })
}

test('a share of the rate is the limit over ours, and met from its minimum', () => {
  expect(judged(rate, 1, 0.7)).toMatchObject({ ratio: 0.7, isHeld: true, rounds: 5 })
  expect(judged(rate, 1, 0.6).isHeld).toBe(true)
  expect(judged(rate, 1, 0.59).isHeld).toBe(false)
})

test('a cost is ours over the limit, and met up to its maximum', () => {
  expect(judged(cost, 250, 200)).toMatchObject({ ratio: 1.25, isHeld: true })
  expect(judged(cost, 262, 200).isHeld).toBe(false)
})

test('a figure is met whatever the limit is', () => {
  expect(judged(figure, 0.2, 0).isHeld).toBe(true)
  expect(judged(figure, 0.21, 10).isHeld).toBe(false)
})

test('a figure that must also be below the limit is met if both are so', () => {
  const below: Row = { ...figure, budget: { kind: 'figureBelow', max: 30 } }
  expect(judged(below, 29, 40).isHeld).toBe(true)
  expect(judged(below, 29, 28).isHeld).toBe(false)
  expect(judged(below, 31, 40).isHeld).toBe(false)
})

test('a minimum of frames is met from that number', () => {
  const frames: Row = { ...figure, unit: 'fps', budget: { kind: 'atLeast', min: 59 } }
  expect([judged(frames, 60, 1).isHeld, judged(frames, 58.9, 1).isHeld]).toEqual([true, false])
})

test('one slow round moves the highest figure and not the median', () => {
  const { ours } = judge(cost, { ours: [200, 210, 9_000, 205, 195], limit: around(200) })
  expect(ours).toEqual({ median: 205, min: 195, max: 9_000 })
  expect(judge(cost, { ours: [1, 2, 3, 4, 5, 6], limit: around(1) }).ours.median).toBe(3.5)
})

test('too few rounds, or a value that is not a number, give no result', () => {
  expect(() => judge(cost, { ours: [1, 2, 3, 4], limit: around(1) })).toThrow('B8-ready: 4 rounds were measured')
  expect(() => judge(cost, { ours: around(1), limit: [1, 1, Number.NaN, 1, 1] })).toThrow('are not all figures')
})

test('a figure equal in every round is measured once, and its line has no spread', () => {
  const size: Row = { ...cost, name: 'B13-package', what: 'a size', unit: 'MB', isCounted: true }
  const result = judge(size, { ours: [290], limit: [275] })
  expect(result).toMatchObject({ ours: { median: 290, min: 290, max: 290 }, isHeld: true, rounds: 1 })
  expect(table([result]).split('\n')[1]).toBe('B13-package  a size  290 MB  275 MB  1.05   ≤ 1.3 ×  held')
  expect(() => judge(size, { ours: [], limit: [1] })).toThrow('0 rounds were measured; there must be at least 1')
})

test('a strict run exits with 1 if a budget is not met, and any other with 0', () => {
  const held = judged(rate, 1, 0.7)
  const planted = judged(cost, 300, 200)
  expect(exitCode([held, planted], { isStrict: true })).toBe(1)
  expect(exitCode([held, planted], { isStrict: false })).toBe(0)
  expect(exitCode([held], { isStrict: true })).toBe(0)
})

test('the table has a line for each row with its medians and budget', () =>
  expect(table([judged(rate, 6, 4.2), judged(cost, 300, 200), judged(figure, 0.1, 0)]).split('\n')).toEqual([
    'row         what     ours                       limit                   ratio  budget             held',
    'B1-value    a value  6.00 µs (5.40 to 18.0)     4.20 µs (3.78 to 12.6)  0.700  ≥ 0.6 of its rate  held',
    'B8-ready    a start  300 ms (270 to 900)        200 ms (180 to 600)     1.50   ≤ 1.3 ×            NOT HELD',
    'B10-silent  silent   0.100 % (0.0900 to 0.300)  0 % (0 to 0)            –      ≤ 0.2 %            held',
  ]))

test('rows are selected by name, or by the part before the dash', () => {
  const chosen = (...names: string[]) => selectRows(rows, names).map(({ name }) => name)
  expect(chosen('B1')).toEqual(['B1-value', 'B1-constituents'])
  expect(chosen('B10-silent', 'B3')).toEqual(['B3-compare', 'B3-rule', 'B10-silent'])
  expect(chosen()).toEqual(rows.map(({ name }) => name).filter((name) => name.startsWith('B')))
  expect(chosen('blocks', 'B3-rule')).toEqual(['B3-rule', 'blocks-alerts', 'blocks-silent'])
  expect(() => chosen('B99')).toThrow('no such row: B99; there are B1-value, B1-constituents')
})
