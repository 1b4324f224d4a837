import { describe, expect, test } from 'vitest'
import type { Due } from '../../../../main/alerts/record'
import { Records, snoozesKey } from '../../../../main/alerts/records'
import { FakeClock } from '../../../support/fake-clock'
import { MemoryTape } from '../../../support/memory-tape'
import { valueOf } from '../../../support/open-tape'

const due: Due = { fromMs: 1_000, toMs: 2_000, cause: 'history' }

describe('what is still to be folded of an index', () => {
  /** Each list is one turn: what was noted in it, in its order. */
  const kept = async (...turns: (Due | undefined)[][]) => {
    const tape = new MemoryTape()
    const records = new Records(tape)
    for (const turn of turns) {
      for (const each of turn) records.due('BRTI', each)
      await records.commit(1)
    }
    return valueOf(await new Records(tape).read(new FakeClock())).due
  }

  test.each([
    ['noted', [[due]]],
    ['noted after it was folded in the turn before', [[due], [undefined], [due]]],
    ['noted again in the turn in which it was folded', [[due], [undefined, due]]],
    ['noted, folded and noted again in one turn', [[due, undefined, due]]],
  ])('outlives the run where it was %s', async (_, turns) => {
    expect(await kept(...turns)).toEqual([['BRTI', due]])
  })

  test.each([
    ['folded in the turn after', [[due], [undefined]]],
    ['folded in the same turn', [[due, undefined]]],
  ])('is forgotten where it was %s', async (_, turns) => {
    expect(await kept(...turns)).toEqual([])
  })
})

test.each([
  [
    'one of two that cannot be read',
    [
      { scope: { of: 'all' }, untilMs: 1e300 },
      { scope: { of: 'all' }, untilMs: null },
    ],
    1,
  ],
  ['all where it is no list', 'none', 0],
])('a list of snoozes loses %s, which counts as unreadable', async (_, kept, left) => {
  const tape = new MemoryTape()
  await tape.commit({ documents: [{ key: snoozesKey, atMs: 1, document: JSON.stringify(kept) }] })
  const { snoozes, unreadableCount } = valueOf(await new Records(tape).read(new FakeClock()))
  expect([snoozes.length, unreadableCount]).toEqual([left, 1])
})
