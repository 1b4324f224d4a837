/** Comparison of indices, as pure functions. Drawn values are floats. Values in words are decimals. */
import { divideDecimals, percentChange, subtractDecimals, sumDecimals } from '../../core/decimal'
import type { DecimalText, IndexId } from '../../core/model'
import { isOverDay, rangeMs, type ChartRange } from '../../protocol/responses'
import { decimate, nearestTo, viewOf, type Place, type PlotPoint, type Stretches, type TimeSpan } from './chart-model'
import { boundsOf, type Bounds } from './value-scale'

/** The scale that makes lines of different sizes comparable. */
export type Scale = 'from100' | 'percent'

/** The operation on two indices. */
export type Pairing = 'difference' | 'ratio'

/** The values of one compared index. */
export interface ComparedSeries {
  readonly id: IndexId
  /** Ascending. */
  readonly points: readonly PlotPoint[]
  /** A longer time without a value is a gap; ms. */
  readonly gapAfterMs: number
}

const ratioPlaces = 8
/** More than the width of any drawing; pixels. */
const maxColumns = 4_000

/** The time shown for all: up to the newest value of any. A range over a day begins at the earliest value of any. */
export function commonSpan(all: readonly ComparedSeries[], range: ChartRange, nowMs: number): TimeSpan {
  const ends = all.flatMap(({ points }) => points.at(-1)?.atMs ?? [])
  const toMs = ends.length === 0 ? nowMs : Math.max(...ends)
  const fromMs = toMs - rangeMs[range]
  if (!isOverDay(range)) return { fromMs, toMs }
  const starts = all.flatMap(({ points }) => points[0]?.atMs ?? [])
  return { fromMs: Math.max(fromMs, Math.min(toMs - rangeMs['24h'], ...starts)), toMs }
}

/** The value in effect at a time. Undefined before the first value and within a gap. */
export function inEffectAt({ points, gapAfterMs }: ComparedSeries, atMs: number): PlotPoint | undefined {
  const near = nearestTo(points, atMs)
  const point = (points[near]?.atMs ?? -Infinity) > atMs ? points[near - 1] : points[near]
  return point !== undefined && atMs - point.atMs <= gapAfterMs ? point : undefined
}

/** The first time in the span at which every series with values has one. Undefined if none has values. */
export function commonStartMs(all: readonly ComparedSeries[], { fromMs }: TimeSpan): number | undefined {
  const starts = all.flatMap((series) => {
    if (inEffectAt(series, fromMs) !== undefined) return fromMs
    return series.points.find(({ atMs }) => atMs >= fromMs)?.atMs ?? []
  })
  return starts.length === 0 ? undefined : Math.max(...starts)
}

/** The baseline of a line: the value in effect at a time, otherwise the next one. */
export function baselineAt(series: ComparedSeries, atMs: number): PlotPoint | undefined {
  return inEffectAt(series, atMs) ?? series.points.find((point) => point.atMs >= atMs)
}

/** A value rebased to 100 at the baseline, or its change in percent, with `places` decimals. Undefined if the baseline is zero. */
export function scaled(base: DecimalText, value: DecimalText, scale: Scale, places: number): DecimalText | undefined {
  const percent = percentChange(base, value, places)
  if (percent === undefined || scale === 'percent') return percent
  return sumDecimals(['100', percent])
}

/** The same as a function for drawing. Undefined without a baseline, or if it is zero. */
export function scaling(base: PlotPoint | undefined, scale: Scale): ((value: number) => number) | undefined {
  if (base === undefined || base.value === 0) return undefined
  return (value) => ((value - base.value) / Math.abs(base.value)) * 100 + (scale === 'percent' ? 0 : 100)
}

/** An index as a line on the scale. Empty if its baseline is missing or zero. */
export function lineOf(series: ComparedSeries, span: TimeSpan, base: PlotPoint | undefined, scale: Scale): Stretches {
  const toY = scaling(base, scale)
  if (toY === undefined) return []
  const { points, gapAfterMs } = series
  return viewOf(points, { range: span, gapAfterMs, nowMs: span.toMs }).lines.map((line) =>
    decimate(line, span, maxColumns).map(({ atMs, value }) => ({ atMs, value: toY(value) })),
  )
}

/** The exact difference of two values, or their ratio with eight decimals. */
export function pairedValue(a: DecimalText, b: DecimalText, pairing: Pairing): DecimalText | undefined {
  return pairing === 'difference' ? subtractDecimals(a, b) : divideDecimals(a, b, ratioPlaces)
}

/** The same in floats, for drawing. */
export function pairedY(a: number, b: number, pairing: Pairing): number | undefined {
  if (pairing === 'difference') return a - b
  return b === 0 ? undefined : a / b
}

/** The times of two ascending lines, ascending, without duplicates. */
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
 * The difference or ratio of two series as a line, with a point at each publication of either. It has the gaps of both.
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

/** Bounds around all lines with some room. Around `middle` if there are no points. */
export function boundsAround(lines: readonly Stretches[], middle: number): Bounds {
  let [low, high] = [Infinity, -Infinity]
  for (const { value } of lines.flat(2)) {
    low = Math.min(low, value)
    high = Math.max(high, value)
  }
  if (low > high) return { min: middle - 1, max: middle + 1 }
  return boundsOf({ low: { value: low }, high: { value: high } })
}

/** The position of the nearest of ascending times. -1 if there are none. */
export function nearestTime(times: readonly number[], atMs: number): number {
  let [low, high] = [0, times.length - 1]
  while (low < high) {
    const middle = (low + high) >>> 1
    // A time past the middle between two neighbours is nearer to the later one.
    if ((times[middle] ?? 0) + (times[middle + 1] ?? Infinity) < 2 * atMs) low = middle + 1
    else high = middle
  }
  return high
}

/** The times of all publications in the span, ascending, at which a drawing can be read. */
export function readTimes(all: readonly ComparedSeries[], { fromMs, toMs }: TimeSpan): number[] {
  const times = new Set(all.flatMap(({ points }) => points.map(({ atMs }) => atMs)))
  return [...times].filter((atMs) => atMs >= fromMs && atMs <= toMs).sort((a, b) => a - b)
}
