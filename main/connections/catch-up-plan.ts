import { cadencesMs, isHourlyOrSlower } from '../../core/cadence'
import type { IndexId, RequestedResolution, Resolution } from '../../core/model'
import { merged, type TimeRange } from '../../core/ranges'
import type { HistoryTimespan } from '../../protocol/rest'
import { periodOf } from '../rest/client'

/** A stretch without values that the service has not been asked about. */
export interface MissingRange extends TimeRange {
  /** Nothing is known from before it: it is worth asking for, but nothing was missed in it. */
  isBeforeFirst?: true
}

/** An index, and what is missing of it. */
export interface IndexToCatchUp {
  id: IndexId
  resolution: Resolution
  /** The resolution at which its values are wanted. */
  maxResolution: RequestedResolution
  isWatchedByRule: boolean
  /** Whether `values` and `history/values` may be asked for it. */
  mayAsk: { values: boolean; history: boolean }
  missing: readonly MissingRange[]
}

/** One question to the service. */
export interface CatchUpQuestion {
  id: IndexId
  resolution: Resolution
  maxResolution: RequestedResolution
  isWatchedByRule: boolean
  /** `history` has the period from `periodFromMs` on. */
  source: { kind: 'values' } | { kind: 'history'; timespan: HistoryTimespan; periodFromMs: number }
  /** What was missed and the answer may have, oldest first; nothing was where it is from before the first value. */
  missed: readonly TimeRange[]
}

export interface CatchUpPlan {
  /** In the order in which to ask them, none twice. */
  questions: CatchUpQuestion[]
  /** Nobody can be asked about these. */
  unknown: (TimeRange & { id: IndexId })[]
}

const hourMs = 3_600_000
const dayMs = 24 * hourMs
/** A day is asked for at once where something of so many hours is missing; hours are smaller answers. */
const hoursWorthADay = 6
/** Nothing newer than this counts as answered by history (wire facts 2.2). */
export const historyLateMs = 15 * 60_000

/** The time between two values of an index, at the resolution at which they are wanted. */
export function cadenceMs(resolution: Resolution, maxResolution: RequestedResolution): number {
  return Math.max(cadencesMs[resolution], cadencesMs[maxResolution])
}

/** A longer stretch without values is a gap. */
export function maxGapMs(resolution: Resolution, maxResolution: RequestedResolution): number {
  return 2 * cadenceMs(resolution, maxResolution)
}

/** How far back `values` reaches (wire facts 2.2). */
export function valuesSpanMs(resolution: Resolution): number {
  return isHourlyOrSlower(resolution) ? 365 * dayMs : hourMs
}

/**
 * What to ask the service so that nothing is missing: `values` for what lies within its reach, `history/values` for older
 * gaps, a period once however many gaps it has. The newest comes first, indices that rules watch before all others.
 */
export function planCatchUp(indices: readonly IndexToCatchUp[], nowMs: number): CatchUpPlan {
  const plans = indices.map((index) => planIndex(index, nowMs))
  return {
    questions: plans.flatMap(({ questions }) => questions).sort(byUrgency),
    unknown: plans.flatMap(({ unknown }) => unknown),
  }
}

/** The latest values before history, rules before lists, newer periods before older ones. */
export function byUrgency(a: CatchUpQuestion, b: CatchUpQuestion): number {
  return (
    Number(a.source.kind === 'history') - Number(b.source.kind === 'history') ||
    Number(b.isWatchedByRule) - Number(a.isWatchedByRule) ||
    (a.source.kind === 'history' && b.source.kind === 'history' ? b.source.periodFromMs - a.source.periodFromMs : 0)
  )
}

function planIndex(index: IndexToCatchUp, nowMs: number): CatchUpPlan {
  const { id, resolution, maxResolution, isWatchedByRule, mayAsk } = index
  const shared = { id, resolution, maxResolution, isWatchedByRule }
  const reachMs = nowMs - valuesSpanMs(resolution)
  const missed = index.missing.flatMap((range) => (range.isBeforeFirst === true ? [] : [ends(range)]))
  const recent = missed
    .filter(({ toMs }) => toMs >= reachMs)
    .map(({ fromMs, toMs }) => ({ fromMs: Math.max(fromMs, reachMs), toMs }))
  // Before the first value there is no end to what could be asked for: the reach of `values` is enough.
  const older = missed
    .filter(({ fromMs }) => fromMs < reachMs)
    .map(({ fromMs, toMs }) => ({ fromMs, toMs: Math.min(toMs, reachMs - 1) }))
  const unknown: TimeRange[] = []
  const questions: CatchUpQuestion[] = []
  const isRecentMissing = index.missing.some(({ toMs }) => toMs >= reachMs)
  if (!mayAsk.values) unknown.push(...recent)
  else if (isRecentMissing) questions.push({ ...shared, source: { kind: 'values' }, missed: recent })
  if (!mayAsk.history) unknown.push(...older)
  else questions.push(...periodsOf(index, older, nowMs).map((period) => ({ ...shared, ...period })))
  return { questions, unknown: merged(unknown).map((range) => ({ id, ...range })) }
}

type HistorySource = Extract<CatchUpQuestion['source'], { kind: 'history' }>
interface Period {
  source: HistorySource
  missed: TimeRange[]
}

/** Each period that something is missing of, once. */
function periodsOf({ resolution }: IndexToCatchUp, missed: readonly TimeRange[], nowMs: number): Period[] {
  if (isHourlyOrSlower(resolution)) return inPeriods(missed, 'YEAR')
  const hours = inPeriods(missed, 'HOUR')
  // A day of ticks is more than an answer may have.
  return resolution === 'PER_200MS' ? hours : inDays(hours, nowMs)
}

function inPeriods(missed: readonly TimeRange[], timespan: HistoryTimespan): Period[] {
  const periods = new Map<number, Period>()
  for (const range of missed) {
    for (let atMs = range.fromMs; atMs <= range.toMs;) {
      const { fromMs: periodFromMs, toMs: endMs } = periodOf(timespan, atMs)
      const period = periods.get(periodFromMs) ?? { source: { kind: 'history', timespan, periodFromMs }, missed: [] }
      periods.set(periodFromMs, period)
      period.missed.push({ fromMs: atMs, toMs: Math.min(range.toMs, endMs - 1) })
      atMs = endMs
    }
  }
  return [...periods.values()]
}

/** Hours of a day as that day where there are many of them and all of it is history by now. */
function inDays(hours: readonly Period[], nowMs: number): Period[] {
  const days = new Map<number, Period[]>()
  for (const hour of hours) {
    const { fromMs } = periodOf('DAY', hour.source.periodFromMs)
    days.set(fromMs, [...(days.get(fromMs) ?? []), hour])
  }
  return [...days].flatMap(([periodFromMs, ofDay]): Period[] => {
    const isHistory = periodFromMs + dayMs + historyLateMs <= nowMs
    if (!isHistory || ofDay.length < hoursWorthADay) return ofDay
    const missed = merged(ofDay.flatMap((hour) => hour.missed))
    return [{ missed, source: { kind: 'history', timespan: 'DAY', periodFromMs } }]
  })
}

/** The hours of a day that could not be had at once, those alone that something is missing of. */
export function hoursOf(question: CatchUpQuestion): CatchUpQuestion[] {
  return inPeriods(question.missed, 'HOUR').map((hour) => ({ ...question, ...hour }))
}

function ends({ fromMs, toMs }: TimeRange): TimeRange {
  return { fromMs, toMs }
}
