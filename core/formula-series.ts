import { computeFormula } from './formula'
import { type Formula } from './formula-id'
import { staleAfterMs } from './freshness'
import type { IndexId, Publication, Resolution } from './model'

/** The maximum age of each part for a formula to have a value. */
export interface PartLimits {
  leftMs: number
  rightMs: number
}

/** Unlimited for a part whose frequency is unknown, because then staleness is unknown. */
export function partLimits(
  { left, right, staleLimitSeconds }: Formula,
  resolutionOf: (id: IndexId) => Resolution | undefined,
): PartLimits {
  const limitMs = (id: IndexId) => {
    const resolution = resolutionOf(id)
    return resolution === undefined ? Infinity : staleAfterMs(resolution) + staleLimitSeconds * 1_000
  }
  return { leftMs: limitMs(left), rightMs: limitMs(right) }
}

/**
 * The values of a formula from those of its parts, which are ascending. One value at each time when either part
 * published, from the last values of both. No value if a part is older than its limit, or if the right part is zero.
 */
export function formulaSeries(
  formula: Formula,
  left: readonly Publication[],
  right: readonly Publication[],
  { leftMs, rightMs }: PartLimits,
): Publication[] {
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

/** The value of a formula at a time, from the values of its parts then. Undefined if it has none. */
export function formulaPublication(
  formula: Formula,
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
