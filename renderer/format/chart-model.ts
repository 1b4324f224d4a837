/** Points, gaps and marks of a chart, as pure functions. Published values stay text. Floats are for drawing only. */
import { cadencesMs } from '../../core/cadence'
import { toChartNumber } from '../../core/decimal'
import type { AlertEvent } from '../../core/alert-events'
import { dependsOn, type AlertView, type LevelTerms, type MeanTerms } from '../../core/alerts'
import type { DecimalText, IndexId, Resolution } from '../../core/model'
import { isOverDay, rangeMs, type ChartPoint, type ChartRange, type ChartSpan } from '../../protocol/responses'

/** A point of a drawing. */
export interface Place {
  readonly atMs: number
  /** A float, for drawing only. */
  readonly value: number
}

/** A publication and its point on the chart. */
export interface PlotPoint extends Place {
  readonly point: ChartPoint
}

/** One line of a drawing: its stretches between gaps. */
export type Stretches = readonly (readonly Place[])[]

export interface TimeSpan {
  readonly fromMs: number
  readonly toMs: number
}

export type MarkKind = 'amended' | 'carriedOver' | 'fired'

/** A marked point. */
interface Mark {
  readonly at: PlotPoint
  readonly kind: MarkKind
}

/** A firing of an alert. `atMs` is the published time of the value that caused it. */
export interface Firing {
  readonly atMs: number
  /** Undefined if the condition does not depend on the value. */
  readonly value?: DecimalText
  readonly words: string
}

/** A rule with a level, which is drawn as a line. */
export type LevelRule = AlertView & { terms: LevelTerms | MeanTerms }

export function isLevelRule(rule: AlertView): rule is LevelRule {
  return 'level' in rule.terms
}

/** More lines would hide each other. */
const maxLevels = 20

/** The rules whose levels are drawn: all, or of many the nearest to the middle of the plot. */
export function drawnLevels(
  rules: readonly LevelRule[],
  { min, max }: { min: number; max: number },
): readonly LevelRule[] {
  if (rules.length <= maxLevels) return rules
  const distance = ({ terms }: LevelRule) => Math.abs(toChartNumber(terms.level) - (min + max) / 2)
  return rules.toSorted((a, b) => distance(a) - distance(b)).slice(0, maxLevels)
}

/**
 * The events of an index that say an alert fired. Retracted ones are left out. Confirmed ones have their corrected value.
 * `events` may be in any order and contain duplicates.
 */
export function unretractedFirings(events: readonly AlertEvent[], indexId: IndexId): AlertEvent[] {
  const standing = new Map<string, AlertEvent>()
  for (const event of events.toSorted((a, b) => a.number - b.number)) {
    const { id, kind, aboutEventId = '' } = event
    const about = standing.get(aboutEventId)
    if (event.indexId !== indexId) continue
    if (kind === 'fired' || kind === 'lateByAmendment' || kind === 'lateFromHistory') standing.set(id, event)
    else if (kind === 'retracted') standing.delete(aboutEventId)
    else if (kind === 'confirmed' && about) standing.set(aboutEventId, { ...about, inputs: event.inputs })
  }
  return [...standing.values()]
}

/** The firings of an index that are not retracted and have a published time. */
export function firingsOf(
  events: readonly AlertEvent[],
  indexId: IndexId,
  wordsOf: (event: AlertEvent) => string,
): Firing[] {
  return unretractedFirings(events, indexId).flatMap((event): Firing[] => {
    const { publishedAtMs, value } = event.inputs
    if (publishedAtMs === undefined) return []
    const isOfValue = value !== undefined && dependsOn(event.terms, 'values')
    return [{ atMs: publishedAtMs, ...(isOfValue && { value }), words: wordsOf(event) }]
  })
}

/** True if an index of this frequency may publish a single value in the range. */
export function isTooShort(range: ChartRange, resolution: Resolution | undefined): boolean {
  return resolution !== undefined && rangeMs[range] <= cadencesMs[resolution]
}

const maxPoints = 40_000
const thinnedColumns = 10_000

function toPlotPoint(point: ChartPoint): PlotPoint {
  return { atMs: point.publishedAtMs, value: toChartNumber(point.value), point }
}

/** The version of a publication that was amended later. If both are equal, the one received last. */
function newerOf(known: PlotPoint, received: PlotPoint): PlotPoint {
  return (received.point.amendedAtMs ?? 0) >= (known.point.amendedAtMs ?? 0) ? received : known
}

/**
 * Merges publications into the known ones, ascending, one per published time. Order and duplicates make no difference,
 * except between two versions amended at the same time.
 */
export function mergePoints(known: readonly PlotPoint[], received: readonly ChartPoint[]): PlotPoint[] {
  const merged = [...known]
  let isInOrder = true
  for (const point of received.map(toPlotPoint)) {
    const last = merged.at(-1)
    if (last?.atMs === point.atMs) merged[merged.length - 1] = newerOf(last, point)
    else {
      isInOrder &&= last === undefined || last.atMs < point.atMs
      merged.push(point)
    }
  }
  if (isInOrder) return merged
  const byTime = new Map<number, PlotPoint>()
  for (const point of merged) {
    const before = byTime.get(point.atMs)
    byTime.set(point.atMs, before === undefined ? point : newerOf(before, point))
  }
  return [...byTime.values()].sort((a, b) => a.atMs - b.atMs)
}

/** The first of the ascending points in each step, the last one, and all amended ones. */
export function onSteps(points: readonly PlotPoint[], stepMs: number): readonly PlotPoint[] {
  const stepOf = ({ atMs }: PlotPoint) => Math.floor(atMs / stepMs)
  return points.filter((each, at) => {
    const before = points[at - 1]
    const isFirst = before === undefined || stepOf(before) < stepOf(each)
    return isFirst || at === points.length - 1 || each.point.amendedAtMs !== undefined
  })
}

/** The position of the first point at or after `atMs`. The number of points if there is none. */
function firstAtOrAfter(points: readonly PlotPoint[], atMs: number): number {
  let low = 0
  let high = points.length
  while (low < high) {
    const middle = (low + high) >>> 1
    if ((points[middle]?.atMs ?? Infinity) < atMs) low = middle + 1
    else high = middle
  }
  return low
}

/** The position of the point nearest in time. -1 if there are no points. */
export function nearestTo(points: readonly PlotPoint[], atMs: number): number {
  const after = firstAtOrAfter(points, atMs)
  if (after === 0) return points.length === 0 ? -1 : 0
  const later = points[after]
  const earlier = points[after - 1]
  if (later === undefined || earlier === undefined) return points.length - 1
  return later.atMs - atMs < atMs - earlier.atMs ? after : after - 1
}

/**
 * The time that the chart shows. A range ends at the newest point, or now if there is none. A range over a day with less
 * data begins at the first point, and is at least one day long.
 */
function windowOf(points: readonly PlotPoint[], range: ChartRange | ChartSpan, nowMs: number): TimeSpan {
  if (typeof range !== 'string') return range
  const toMs = points.at(-1)?.atMs ?? nowMs
  const fromMs = toMs - rangeMs[range]
  if (!isOverDay(range)) return { fromMs, toMs }
  return { fromMs: Math.max(fromMs, Math.min(points[0]?.atMs ?? fromMs, toMs - rangeMs['24h'])), toMs }
}

/** Splits the points where two of them are more than `gapAfterMs` apart. */
export function segmentsOf(points: readonly PlotPoint[], gapAfterMs: number): PlotPoint[][] {
  const segments: PlotPoint[][] = []
  let start = 0
  for (let end = 1; end <= points.length; end++) {
    const next = points[end]
    if (next !== undefined && next.atMs - (points[end - 1]?.atMs ?? next.atMs) <= gapAfterMs) continue
    segments.push(points.slice(start, end))
    start = end
  }
  return segments
}

/** The times between segments. */
function gapsBetween(segments: readonly (readonly PlotPoint[])[]): TimeSpan[] {
  return segments.slice(1).flatMap((segment, at) => {
    const fromMs = segments[at]?.at(-1)?.atMs
    const toMs = segment[0]?.atMs
    return fromMs === undefined || toMs === undefined ? [] : [{ fromMs, toMs }]
  })
}

export interface Extremes {
  low: PlotPoint
  high: PlotPoint
}

/** The lowest and the highest point, the earlier one of equals. Undefined without points. */
export function extremesOf(points: readonly PlotPoint[]): Extremes | undefined {
  const [first] = points
  if (first === undefined) return undefined
  let low = first
  let high = first
  for (const point of points) {
    if (point.value < low.value) low = point
    if (point.value > high.value) high = point
  }
  return { low, high }
}

/** Keeps the lowest and the highest point of each pixel column, and both ends. */
export function decimate<Point extends Place>(
  points: readonly Point[],
  { fromMs, toMs }: TimeSpan,
  columns: number,
): readonly Point[] {
  const [first, last] = [points[0], points.at(-1)]
  if (points.length <= columns * 2 || first === undefined || last === undefined) return points
  const kept: Point[] = []
  const scale = columns / (toMs - fromMs)
  let column = Number.NaN
  let [low, high] = [first, first]
  const keep = () => {
    if (low.atMs < high.atMs) kept.push(low, high)
    else if (low.atMs > high.atMs) kept.push(high, low)
    else kept.push(low)
  }
  for (const point of points) {
    const next = Math.floor((point.atMs - fromMs) * scale)
    if (next !== column) {
      keep()
      column = next
      low = high = point
    } else if (point.value < low.value) low = point
    else if (point.value > high.value) high = point
  }
  keep()
  if (kept.at(-1) !== last) kept.push(last)
  return kept
}

function isMarked({ point }: PlotPoint): boolean {
  return point.amendedAtMs !== undefined || point.isRepeatOfPrevious === true
}

/** Drops points before the window, except the one from which the line enters it. Thins more than `maxPoints`. */
export function trimPoints(points: readonly PlotPoint[], range: ChartRange | ChartSpan): readonly PlotPoint[] {
  const span = windowOf(points, range, 0)
  const first = firstAtOrAfter(points, span.fromMs)
  const within = first > 1 ? points.slice(first - 1) : points
  if (within.length <= maxPoints) return within
  const kept = new Set(decimate(within, span, thinnedColumns))
  return within.filter((point) => kept.has(point) || isMarked(point))
}

function marksIn(points: readonly PlotPoint[]): Mark[] {
  return points
    .filter(isMarked)
    .map((at) => ({ at, kind: at.point.amendedAtMs === undefined ? 'carriedOver' : 'amended' }))
}

/** All that a drawing of the points needs. */
export interface ChartView {
  span: TimeSpan
  /** All points in the window. */
  points: readonly PlotPoint[]
  /** Time of the first point, if the range begins earlier. */
  knownFromMs?: number
  /** The segments of the line between gaps. */
  lines: PlotPoint[][]
  gaps: TimeSpan[]
  marks: Mark[]
  /** Firings in the window, each with the nearest point. */
  firings: { point: PlotPoint; atMs: number; words: string }[]
  extremes: Extremes | undefined
}

export interface ViewOptions {
  range: ChartRange | ChartSpan
  gapAfterMs: number
  nowMs: number
  firings?: readonly Firing[]
}

/** Selects what the window shows. */
export function viewOf(all: readonly PlotPoint[], { range, gapAfterMs, nowMs, firings = [] }: ViewOptions): ChartView {
  const span = windowOf(all, range, nowMs)
  const first = firstAtOrAfter(all, span.fromMs)
  const points = all.slice(first)
  const segments = segmentsOf(points, gapAfterMs)
  const lines = [...segments]
  const before = all[first - 1]
  const [entering] = points
  const gaps = gapsBetween(segments)
  if (before !== undefined && entering !== undefined) {
    if (entering.atMs - before.atMs > gapAfterMs) gaps.unshift({ fromMs: span.fromMs, toMs: entering.atMs })
    else lines[0] = [before, ...(lines[0] ?? [])]
  }
  const fired = firings.flatMap((firing) => {
    const point = points[nearestTo(points, firing.atMs)]
    const isBefore = firing.atMs < (points[0]?.atMs ?? Infinity)
    const isAfter = firing.atMs > (points.at(-1)?.atMs ?? -Infinity)
    return point === undefined || isBefore || isAfter ? [] : [{ ...firing, point }]
  })
  const firedMarks = fired.map(({ atMs, value, point }): Mark => {
    const at = value === undefined ? { ...point, atMs } : toPlotPoint({ value, publishedAtMs: atMs })
    return { at, kind: 'fired' }
  })
  const marks = [...marksIn(points), ...firedMarks]
  const fromMs = typeof range === 'string' ? span.toMs - rangeMs[range] : range.fromMs
  const isPart = entering !== undefined && entering.atMs - fromMs > gapAfterMs
  return {
    span,
    points,
    ...(isPart && { knownFromMs: entering.atMs }),
    lines,
    gaps,
    marks,
    firings: fired,
    extremes: extremesOf(points),
  }
}
