/** What the constituents contributed, as a table. */
import { indexPoints, keyedConstituents, pointPlaces, pointsOf, type Since } from '../../core/constituents'
import type { ConstituentsPublication, IndexId } from '../../core/model'
import { contributionFacts, type ProgramRecord } from '../../core/records'

/**
 * The contribution of each constituent since then, in index points. One row for each current constituent, one
 * for the residual and one for the index. The first two kinds add up to the last.
 */
export function contributionRows(
  id: IndexId,
  since: Since,
  { now, then }: { now: ConstituentsPublication; then: ConstituentsPublication },
): ProgramRecord[] {
  const before = keyedConstituents(then.constituents)
  const rows = [...keyedConstituents(now.constituents)].map(([key, constituent]) => {
    const earlier = before.get(key)
    return {
      part: 'constituent',
      constituent: key,
      valueBefore: earlier?.value,
      value: constituent.value,
      weightPercentBefore: earlier?.weightPercent,
      weightPercent: constituent.weightPercent,
      contribution: earlier && pointsOf(constituent, earlier, then, pointPlaces(now)),
    }
  })
  const { change, rest } = indexPoints(
    rows.map(({ contribution }) => contribution),
    now,
    then,
  )
  const parts = [
    ...rows,
    { part: 'residual', contribution: rest },
    { part: 'index', valueBefore: then.value, value: now.value, contribution: change },
  ]
  const facts = contributionFacts(id, since, { now, then })
  return parts.map((part) => ({ ...facts, ...part }))
}
