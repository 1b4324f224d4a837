import { computeFormula } from './formula'
import type { Formula, PairFormula } from './formula-id'
import { staleAfterMs } from './freshness'
import type { IndexId, Publication, Resolution } from './model'
import { RollingMean } from './settlement/rolling-mean'

/** What is known of the parts of formulas. */
export interface PartFacts {
  resolutionOf: (id: IndexId) => Resolution | undefined
  decimalsOf: (id: IndexId) => number | undefined
}

/** The maximum age of a part for a formula to have a value. Unlimited while it is unknown how often the part publishes. */
export function partLimitMs(formula: Formula, resolution: Resolution | undefined): number {
  return resolution === undefined ? Infinity : staleAfterMs(resolution) + staleLimitSeconds(formula) * 1_000
}

/** How long a part may be stale. */
export function staleLimitSeconds(formula: Formula): number {
  return formula.operation === 'mean' ? 0 : formula.staleLimitSeconds
}

/** The values of a formula from those of its parts, in the order of `partsOf`. All are ascending. */
export function formulaSeries(
  formula: Formula,
  parts: readonly (readonly Publication[])[],
  facts: PartFacts,
): Publication[] {
  const [first = [], second = []] = parts
  if (formula.operation !== 'mean') return pairSeries(formula, first, second, facts)
  const mean = new RollingMean(formula.seconds)
  return first.flatMap((part) => meanAfter(mean, part, facts.decimalsOf(formula.index)) ?? [])
}

/** The mean at this value of its index, which is newer than all before. Undefined if it has none that counts. */
export function meanAfter(mean: RollingMean, part: Publication, decimals: number | undefined): Publication | undefined {
  mean.add(part)
  if (mean.window.lastMs !== part.publishedAtMs) return undefined
  const publication = mean.publication(decimals)
  return publication?.isFilling === true ? undefined : publication
}

/**
 * One value at each time when either part published, from the last values of both. No value if a part is older than its
 * limit, or if the right part is zero.
 */
function pairSeries(
  formula: PairFormula,
  left: readonly Publication[],
  right: readonly Publication[],
  { resolutionOf }: PartFacts,
): Publication[] {
  const leftMs = partLimitMs(formula, resolutionOf(formula.left))
  const rightMs = partLimitMs(formula, resolutionOf(formula.right))
  const series: Publication[] = []
  let [leftAt, rightAt] = [-1, -1]
  const timeAt = (part: readonly Publication[], at: number) => part[at]?.publishedAtMs ?? Infinity
  for (;;) {
    const atMs = Math.min(timeAt(left, leftAt + 1), timeAt(right, rightAt + 1))
    if (atMs === Infinity) return series
    while (timeAt(left, leftAt + 1) <= atMs) leftAt++
    while (timeAt(right, rightAt + 1) <= atMs) rightAt++
    const [a, b] = [left[leftAt], right[rightAt]]
    if (a === undefined || b === undefined) continue
    if (atMs - a.publishedAtMs > leftMs || atMs - b.publishedAtMs > rightMs) continue
    const publication = formulaPublication(formula, [a, b], atMs)
    if (publication !== undefined) series.push(publication)
  }
}

/** The value of a formula of two indices at a time, from the values of its parts then. Undefined if it has none. */
export function formulaPublication(
  formula: PairFormula,
  [left, right]: readonly [Publication, Publication],
  publishedAtMs: number,
): Publication | undefined {
  const computed = computeFormula(formula, left.value, right.value)
  if ('lacks' in computed) return undefined
  const amendedAtMs = Math.max(
    ...[left, right].map((part) => (part.publishedAtMs === publishedAtMs ? (part.amendedAtMs ?? 0) : 0)),
  )
  const isRepeat = left.isRepeatOfPrevious === true || right.isRepeatOfPrevious === true
  return {
    value: computed.value,
    publishedAtMs,
    ...(amendedAtMs > 0 && { amendedAtMs }),
    ...(isRepeat && { isRepeatOfPrevious: true }),
  }
}
