/** Indices drawn together, as pure functions: what is drawn are floats, what is read are exact decimals of stated digits. */
import { divideDecimals, percentChange, subtractDecimals, sumDecimals } from '../../core/decimal'
import type { DecimalText, IndexId } from '../../core/model'
import { rangeMs, type ChartRange } from '../../protocol/responses'
import { decimate, nearestTo, viewOf, type Place, type PlotPoint, type Stretches, type TimeSpan } from './chart-model'
import { boundsOf, type Bounds } from './value-scale'

/** How lines of different sizes are made comparable. */
export type Measure = 'from100' | 'percent'

/** What two indices are made into. */
export type Pairing = 'difference' | 'ratio'

/** The values of one index that is compared. */
export interface ComparedSeries {
  readonly id: IndexId
  /** Ascending. */
  readonly points: readonly PlotPoint[]
  /** A longer time without a value is a gap; ms. */
  readonly gapAfterMs: number
}

const ratioPlaces = 8
/** More than any drawing is wide. */
const maxColumns = 4_000

/** What all of them are looked at over: up to the newest value of any; a year begins with the first value of any. */
export function commonSpan(all: readonly ComparedSeries[], range: ChartRange, nowMs: number): TimeSpan {
  const ends = all.flatMap(({ points }) => points.at(-1)?.atMs ?? [])
  const toMs = ends.length === 0 ? nowMs : Math.max(...ends)
  const fromMs = toMs - rangeMs[range]
  if (range !== '1y') return { fromMs, toMs }
  const starts = all.flatMap(({ points }) => points[0]?.atMs ?? [])
  return { fromMs: Math.max(fromMs, Math.min(toMs - rangeMs['24h'], ...starts)), toMs }
}

/** The value in force at a time; `undefined` before the first one and within a gap. */
export function inForceAt({ points, gapAfterMs }: ComparedSeries, atMs: number): PlotPoint | undefined {
  const near = nearestTo(points, atMs)
  const point = (points[near]?.atMs ?? -Infinity) > atMs ? points[near - 1] : points[near]
  return point !== undefined && atMs - point.atMs <= gapAfterMs ? point : undefined
}

/** The first moment within the span from which on all that have values there have one; `undefined` where none has. */
export function commonStartMs(all: readonly ComparedSeries[], { fromMs }: TimeSpan): number | undefined {
  const starts = all.flatMap((series) => {
    if (inForceAt(series, fromMs) !== undefined) return fromMs
    return series.points.find(({ atMs }) => atMs >= fromMs)?.atMs ?? []
  })
  return starts.length === 0 ? undefined : Math.max(...starts)
}

/** What a line is counted from: the value in force at the moment, or the next one where there was none. */
export function baseAt(series: ComparedSeries, atMs: number): PlotPoint | undefined {
  return inForceAt(series, atMs) ?? series.points.find((point) => point.atMs >= atMs)
}

/**
 * A value counted from a base, of so many digits after the point: 100 at the base, or the change in percent.
 * `undefined` from zero.
 */
export function measured(
  base: DecimalText,
  value: DecimalText,
  measure: Measure,
  places: number,
): DecimalText | undefined {
  const percent = percentChange(base, value, places)
  if (percent === undefined || measure === 'percent') return percent
  return sumDecimals(['100', percent])
}

/** The same for a drawing; `undefined` without a base, or from zero. */
export function measuring(base: PlotPoint | undefined, measure: Measure): ((value: number) => number) | undefined {
  if (base === undefined || base.value === 0) return undefined
  return (value) => ((value - base.value) / Math.abs(base.value)) * 100 + (measure === 'percent' ? 0 : 100)
}

/** An index as a line counted from its base; no line from zero. */
export function lineOf(
  series: ComparedSeries,
  span: TimeSpan,
  base: PlotPoint | undefined,
  measure: Measure,
): Stretches {
  const toY = measuring(base, measure)
  if (toY === undefined) return []
  const { points, gapAfterMs } = series
  return viewOf(points, { range: span, gapAfterMs, nowMs: span.toMs }).lines.map((line) =>
    decimate(line, span, maxColumns).map(({ atMs, value }) => ({ atMs, value: toY(value) })),
  )
}

/** Difference or ratio of two values: the exact difference, the ratio of eight digits after the point. */
export function pairedValue(a: DecimalText, b: DecimalText, pairing: Pairing): DecimalText | undefined {
  return pairing === 'difference' ? subtractDecimals(a, b) : divideDecimals(a, b, ratioPlaces)
}

/** The same for a drawing. */
export function pairedY(a: number, b: number, pairing: Pairing): number | undefined {
  if (pairing === 'difference') return a - b
  return b === 0 ? undefined : a / b
}

/** The times of two ascending lines, ascending, each once. */
function* timesOf(a: readonly PlotPoint[], b: readonly PlotPoint[]): Generator<number> {
  let [left, right] = [0, 0]
  while (left < a.length || right < b.length) {
    const atMs = Math.min(a[left]?.atMs ?? Infinity, b[right]?.atMs ?? Infinity)
    if (a[left]?.atMs === atMs) left++
    if (b[right]?.atMs === atMs) right++
    yield atMs
  }
}

/**
 * The line of two: a place at each publication of either while both are in force. Where one of them has a gap, so has
 * the line.
 */
export function pairLine(a: ComparedSeries, b: ComparedSeries, span: TimeSpan, pairing: Pairing): Stretches {
  const stretches: Place[][] = []
  const sides = [
    { ...a, next: 0, last: undefined as PlotPoint | undefined },
    { ...b, next: 0, last: undefined as PlotPoint | undefined },
  ]
  let isBroken = true
  for (const atMs of timesOf(a.points, b.points)) {
    for (const side of sides) {
      isBroken ||= side.last === undefined || atMs - side.last.atMs > side.gapAfterMs
      if (side.points[side.next]?.atMs === atMs) side.last = side.points[side.next++]
    }
    const [left, right] = sides.map(({ last, gapAfterMs }) =>
      last !== undefined && atMs - last.atMs <= gapAfterMs ? last.value : undefined,
    )
    const y = left === undefined || right === undefined ? undefined : pairedY(left, right, pairing)
    if (y === undefined) {
      isBroken = true
      continue
    }
    if (atMs < span.fromMs || atMs > span.toMs) continue
    const place = { atMs, value: y }
    if (isBroken) stretches.push([place])
    else stretches.at(-1)?.push(place)
    isBroken = false
  }
  return stretches
}

/** The lowest and the highest place of all lines with some room; of none, around `middle`. */
export function boundsAround(lines: readonly Stretches[], middle: number): Bounds {
  let [low, high] = [Infinity, -Infinity]
  for (const { value } of lines.flat(2)) {
    low = Math.min(low, value)
    high = Math.max(high, value)
  }
  if (low > high) return { min: middle - 1, max: middle + 1 }
  return boundsOf({ low: { value: low }, high: { value: high } })
}

/** The place of the time nearest to another, of ascending ones; -1 of none. */
export function nearestTime(times: readonly number[], atMs: number): number {
  let [low, high] = [0, times.length - 1]
  while (low < high) {
    const middle = (low + high) >>> 1
    // The nearer of two neighbours: what is beyond the middle between them belongs to the later one.
    if ((times[middle] ?? 0) + (times[middle + 1] ?? Infinity) < 2 * atMs) low = middle + 1
    else high = middle
  }
  return high
}

/** The times at which a drawing can be read, ascending: of all publications within the span. */
export function readTimes(all: readonly ComparedSeries[], { fromMs, toMs }: TimeSpan): number[] {
  const times = new Set(all.flatMap(({ points }) => points.map(({ atMs }) => atMs)))
  return [...times].filter((atMs) => atMs >= fromMs && atMs <= toMs).sort((a, b) => a - b)
}
