import { cadencesMs, isHourlyOrSlower } from '../../core/cadence'
import type { IndexId, RequestedResolution, Resolution } from '../../core/model'
import { merged, type TimeRange } from '../../core/ranges'
import type { HistoryTimespan } from '../../protocol/rest'
import { periodOf } from '../rest/client'

/** A range without values that the service was not asked about. */
export interface MissingRange extends TimeRange {
  /** Before the first known value. It is requested, but nothing was missed in it. */
  isBeforeFirst?: true
}

/** An index and its missing ranges. */
export interface IndexToCatchUp {
  id: IndexId
  resolution: Resolution
  /** The wanted resolution of its values. */
  maxResolution: RequestedResolution
  isWatchedByRule: boolean
  /** Whether `values` and `history/values` may be requested for it. */
  mayAsk: { values: boolean; history: boolean }
  missing: readonly MissingRange[]
}

/** One request to the service. */
export interface CatchUpQuestion {
  id: IndexId
  resolution: Resolution
  maxResolution: RequestedResolution
  isWatchedByRule: boolean
  /** `history` covers the period that begins at `periodFromMs`. */
  source: { kind: 'values' } | { kind: 'history'; timespan: HistoryTimespan; periodFromMs: number }
  /** The missed ranges that the answer may cover, oldest first. Empty for a range before the first value. */
  missed: readonly TimeRange[]
}

export interface CatchUpPlan {
  /** In request order, each once. */
  questions: CatchUpQuestion[]
  /** Ranges that cannot be requested from the service. */
  unknown: (TimeRange & { id: IndexId })[]
}

const hourMs = 3_600_000
const dayMs = 24 * hourMs
/** A whole day is requested if this many of its hours have gaps. With fewer, each hour is a smaller answer. */
const minHoursForDay = 6
/** The newest part of a history answer may be incomplete by this much (protocol, 4.2). */
export const historyLateMs = 15 * 60_000

/** The time between two values of an index at the wanted resolution. */
export function cadenceMs(resolution: Resolution, maxResolution: RequestedResolution): number {
  return Math.max(cadencesMs[resolution], cadencesMs[maxResolution])
}

/** A longer range without values is a gap. */
export function maxGapMs(resolution: Resolution, maxResolution: RequestedResolution): number {
  return 2 * cadenceMs(resolution, maxResolution)
}

/** How far back `values` reaches (protocol, 4.2). */
export function valuesSpanMs(resolution: Resolution): number {
  return isHourlyOrSlower(resolution) ? 365 * dayMs : hourMs
}

/**
 * Plans the requests that fill all gaps: `values` within its reach, `history/values` for older gaps, each period once.
 * The newest periods come first, and indices with rules before all others.
 */
export function planCatchUp(indices: readonly IndexToCatchUp[], nowMs: number): CatchUpPlan {
  const plans = indices.map((index) => planIndex(index, nowMs))
  return {
    questions: plans.flatMap(({ questions }) => questions).sort(byUrgency),
    unknown: plans.flatMap(({ unknown }) => unknown),
  }
}

/** Latest values before history, indices with rules before others, newer periods before older ones. */
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
  const missed = index.missing.flatMap(({ isBeforeFirst, fromMs, toMs }) => (isBeforeFirst ? [] : [{ fromMs, toMs }]))
  const recent = missed
    .filter(({ toMs }) => toMs >= reachMs)
    .map(({ fromMs, toMs }) => ({ fromMs: Math.max(fromMs, reachMs), toMs }))
  // Ranges before the first value have no end, so only the reach of `values` is requested.
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

/** Each period with a gap, once. */
function periodsOf({ resolution }: IndexToCatchUp, missed: readonly TimeRange[], nowMs: number): Period[] {
  if (isHourlyOrSlower(resolution)) return inPeriods(missed, 'YEAR')
  const hours = inPeriods(missed, 'HOUR')
  // A day of 200 ms values exceeds the limit of an answer.
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

/** Replaces the hours of a day by the day, if enough of them have gaps and the whole day is in the history. */
function inDays(hours: readonly Period[], nowMs: number): Period[] {
  const days = new Map<number, Period[]>()
  for (const hour of hours) {
    const { fromMs } = periodOf('DAY', hour.source.periodFromMs)
    days.set(fromMs, [...(days.get(fromMs) ?? []), hour])
  }
  return [...days].flatMap(([periodFromMs, ofDay]): Period[] => {
    const isHistory = periodFromMs + dayMs + historyLateMs <= nowMs
    if (!isHistory || ofDay.length < minHoursForDay) return ofDay
    const missed = merged(ofDay.flatMap((hour) => hour.missed))
    return [{ missed, source: { kind: 'history', timespan: 'DAY', periodFromMs } }]
  })
}

/** The hours with gaps of a day whose answer was too large. */
export function hoursOf(question: CatchUpQuestion): CatchUpQuestion[] {
  return inPeriods(question.missed, 'HOUR').map((hour) => ({ ...question, ...hour }))
}
