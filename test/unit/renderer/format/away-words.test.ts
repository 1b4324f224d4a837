import { expect, test } from 'vitest'
import type { AwayReport } from '../../../../protocol/away'
import { awayWords, dataWords } from '../../../../renderer/format/away-words'

const minute = 60_000
type Gaps = NonNullable<AwayReport['gaps']>

test.each<[words: string, toMs: number, gaps: Gaps | undefined]>([
  ['10 min', 10 * minute, undefined],
  ['1 d 3 h', 27 * 60 * minute + 5_000, undefined],
  ['2 h 14 min · 1 gap (5 min)', 134 * minute, { count: 1, totalMs: 5 * minute }],
  [
    '2 h 14 min · 3 gaps (9 min), filled from history',
    134 * minute + 400,
    { count: 3, totalMs: 9 * minute, filled: { state: 'all' } },
  ],
  [
    '1 h · 1 gap (5 min), 2 min unrecoverable',
    60 * minute,
    { count: 1, totalMs: 5 * minute, filled: { state: 'unknown', missingMs: 2 * minute } },
  ],
  [
    '1 h · 1 gap (5 min), not filled yet',
    60 * minute,
    { count: 1, totalMs: 5 * minute, filled: { state: 'open', missingMs: 5 * minute } },
  ],
])('an absence reads: %s', (words, toMs, gaps) =>
  expect(awayWords({ fromMs: 0, toMs, ...(gaps && { gaps }) })).toBe(words),
)

test('only changes that happened are listed, and long lists of names are cut', () => {
  const none = { amended: { count: 0, hasMore: false, indexIds: [] }, carriedOver: [], members: [] }
  expect(dataWords(none)).toEqual([])
  expect(
    dataWords({
      amended: { count: 500, hasMore: true, indexIds: ['A', 'B'] },
      carriedOver: ['A', 'B', 'C', 'D', 'E'],
      members: [{ id: 'NCI', joined: ['X', 'Y', 'Z'], left: [] }],
    }),
  ).toEqual(['more than 500 values of A and B amended', 'A, B and 3 others carried forward', 'X, Y and Z added to NCI'])
})
