/** What changes are counted from. */
import { lastMidnight } from '../../core/cadence'
import type { ChangeReference, Publication } from '../../core/model'
import type { ChangeBase } from '../../core/preferences'

const dayMs = 86_400_000

/**
 * How far before its moment a value of an index that ticks may lie and still stand for it. Farther back there is a gap
 * in what we know, and another value would be the right one.
 */
const maxDistanceMs = 2 * 3_600_000

/** The last of these, ascending by time, that was published at or before a moment. */
function lastUntil(publications: readonly Publication[], atMs: number): Publication | undefined {
  return publications.findLast((publication) => publication.publishedAtMs <= atMs)
}

function reference(kind: ChangeReference['kind'], publication: Publication | undefined): ChangeReference | undefined {
  if (publication === undefined) return undefined
  const { value, publishedAtMs } = publication
  return { kind, value, publishedAtMs }
}

/** What is known of an index that ticks. */
export interface FastPast {
  /** First value received in this run, or in the one before. */
  first: Publication | undefined
  /** Ascending; about a day. */
  day: readonly Publication[]
  /** The service has sent the last 24 hours: the oldest of them is as old as there is. */
  isDayComplete: boolean
}

/**
 * What changes of an index that ticks are counted from, as of its latest value, however long ago that was; nothing while it
 * is not known.
 */
export function fastReference(base: ChangeBase, { first, day, isDayComplete }: FastPast, latestMs: number) {
  if (base === 'sessionFirst') return reference(base, first)
  const atMs = base === 'dayAgo' ? latestMs - dayMs : lastMidnight(latestMs)
  const last = lastUntil(day, atMs)
  if (last !== undefined && atMs - last.publishedAtMs <= maxDistanceMs) return reference(base, last)
  if (base !== 'dayAgo' || !isDayComplete) return undefined
  // What the service has of the last 24 hours begins a little after the moment, or with the first value there ever was.
  const next = day.find((publication) => publication.publishedAtMs > atMs)
  const isNear = next !== undefined && next.publishedAtMs - atMs <= maxDistanceMs
  return last === undefined || isNear ? reference(base, next) : undefined
}

/** What changes of an index that publishes hourly or less often are counted from; its publications ascend. */
export function slowReference(
  base: ChangeBase,
  publications: readonly Publication[],
  { isHourly, nowMs }: { isHourly: boolean; nowMs: number },
): ChangeReference | undefined {
  if (base === 'dayAgo') return reference(base, lastUntil(publications, nowMs - dayMs))
  if (base === 'previousClose' && isHourly) return reference(base, lastUntil(publications, lastMidnight(nowMs)))
  return reference('previousPublished', publications.at(-2))
}
