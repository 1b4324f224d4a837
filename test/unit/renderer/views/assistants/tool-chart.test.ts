import { expect, test } from 'vitest'
import { shapeOf, type ToolData } from '../../../../../protocol/service-tools'
import { drawableColumns, linesOf, pointAt } from '../../../../../renderer/views/assistants/tool-chart'

const startMs = Date.UTC(2026, 10, 20)

function tableOf(rows: ToolData[]) {
  const [first] = shapeOf({ rows }).tables
  if (first === undefined) throw new Error('no table')
  return first.table
}

const lookups = tableOf([
  { index: 'BRR', datetime: '2026-11-20T16:00:00Z', time: startMs + 2, value: '91740.1000', amendTime: startMs + 9 },
  { index: 'BRTI', datetime: '2026-11-20T16:00:00Z', time: startMs + 2, value: '91000' },
  { index: 'BRR', datetime: '2026-11-20T16:00:00Z', time: startMs, value: '91739', repeatOfPreviousValue: true },
  { index: 'BRTI', datetime: '2026-11-20T15:00:00Z', time: startMs + 1, value: '9.1E+4' },
  { index: 'NOPE', datetime: '2026-11-20T16:00:00Z', error: 'Unknown id' },
])

test('a table of values is one line per index, and each point has its cell as sent', () => {
  expect(drawableColumns(lookups)).toEqual(['value'])
  const { lines } = linesOf(lookups, 'value')
  expect(lines.map(({ name }) => name)).toEqual(['BRR', 'BRTI'])
  expect(lines[0]?.points).toEqual([
    { atMs: startMs, value: 91_739, text: '91739' },
    { atMs: startMs + 2, value: 91_740.1, text: '91740.1000' },
  ])
  const [, brti] = lines
  expect(brti && [pointAt(brti, startMs), pointAt(brti, startMs + 1)?.text]).toEqual([undefined, '9.1E+4'])
})

test('every column of numbers can be drawn, and names beyond the colours are counted', () => {
  const day = (asset: string, at: number) => ({
    time: startMs + at * 86_400_000,
    asset,
    Size: 0.5,
    Value: -at,
    held: true,
  })
  const factors = tableOf(['A', 'B', 'C', 'D', 'E', 'F'].flatMap((asset) => [day(asset, 0), day(asset, 1)]))
  expect(drawableColumns(factors)).toEqual(['Size', 'Value'])
  const { lines, omittedCount } = linesOf(factors, 'Value')
  expect([lines.length, omittedCount]).toEqual([4, 2])
})

test.each([
  ['no times', [{ a: '1' }, { a: '2' }]],
  ['one time alone', [{ time: startMs, a: '1' }]],
  [
    'the same time twice',
    [
      { time: startMs, a: '1' },
      { time: startMs, a: '2' },
    ],
  ],
  [
    'times that are numbers of something else',
    [
      { time: 5, a: '1' },
      { time: 6, a: '2' },
    ],
  ],
  [
    'texts among the numbers',
    [
      { date: '2026-11-20', a: '1' },
      { date: '2026-11-21', a: 'none' },
    ],
  ],
])('%s is not drawn', (_name, rows) => expect(drawableColumns(tableOf(rows))).toEqual([]))
