import { describe, expect, test } from 'vitest'
import type { Due } from '../../../../main/alerts/record'
import { Records, snoozesKey } from '../../../../main/alerts/records'
import { FakeClock } from '../../../support/fake-clock'
import { MemoryHistory } from '../../../support/memory-history'
import { valueOf } from '../../../support/value-of'

const due: Due = { fromMs: 1_000, toMs: 2_000, cause: 'history' }

describe('a range of an index still to be refolded', () => {
  /** Each list is one turn, with its notes in order. */
  const kept = async (...turns: (Due | undefined)[][]) => {
    const history = new MemoryHistory()
    const records = new Records(history)
    for (const turn of turns) {
      for (const each of turn) records.due('BRTI', each)
      await records.commit(1)
    }
    return valueOf(await new Records(history).read(new FakeClock())).due
  }

  test.each([
    ['noted', [[due]]],
    ['noted after it was refolded in the turn before', [[due], [undefined], [due]]],
    ['noted again in the turn in which it was refolded', [[due], [undefined, due]]],
    ['noted, refolded and noted again in one turn', [[due, undefined, due]]],
  ])('is kept after a restart if it was %s', async (_, turns) => {
    expect(await kept(...turns)).toEqual([['BRTI', due]])
  })

  test.each([
    ['refolded in the turn after', [[due], [undefined]]],
    ['refolded in the same turn', [[due, undefined]]],
  ])('is removed if it was %s', async (_, turns) => {
    expect(await kept(...turns)).toEqual([])
  })
})

test.each([
  [
    'one of two entries that cannot be read',
    [
      { scope: { of: 'all' }, untilMs: 1e300 },
      { scope: { of: 'all' }, untilMs: null },
    ],
    1,
  ],
  ['all entries if it is not a list', 'none', 0],
])('a list of snoozes loses %s, which counts as unreadable', async (_, kept, left) => {
  const history = new MemoryHistory()
  await history.commit({ documents: [{ key: snoozesKey, atMs: 1, document: JSON.stringify(kept) }] })
  const { snoozes, unreadableCount } = valueOf(await new Records(history).read(new FakeClock()))
  expect([snoozes.length, unreadableCount]).toEqual([left, 1])
})
