/** Constituents and what they contributed, as CSV. */
import { indexPoints, keyedConstituents, pointPlaces, pointsOf, type Since } from '../../core/constituents'
import type { ConstituentsPublication, IndexId } from '../../core/model'
import { constituentRecord, contributionFacts, exchangeRecord, records } from '../../core/records'
import { recordsCsv } from '../base/csv'

/**
 * The constituents of one calculation as CSV. Each constituent has a line, followed by one line for each of its
 * exchanges. Only the constituent's line has `weightPercent`, so that the column adds up as published.
 */
export function constituentsCsv(
  id: IndexId,
  { publishedAtMs: published, divisor, constituents }: ConstituentsPublication,
): string {
  const rows = constituents.flatMap((each) => [
    constituentRecord(each),
    ...(each.exchanges ?? []).map((exchange) => ({ constituent: each.constituent, ...exchangeRecord(exchange) })),
  ])
  return recordsCsv(
    records.constituent,
    rows.map((row) => ({ id, published, divisor, ...row })),
  )
}

/**
 * The contribution of each constituent since then as CSV, in index points. One line for each current constituent, one
 * for the residual and one for the index. The first two kinds add up to the last.
 */
export function pointsCsv(
  id: IndexId,
  since: Since,
  { now, then }: { now: ConstituentsPublication; then: ConstituentsPublication },
): string {
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
  return recordsCsv(
    records.contribution,
    parts.map((part) => ({ ...facts, ...part })),
  )
}
