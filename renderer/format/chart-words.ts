/** Texts of the chart: the reading of a point, and a summary for assistive technology. */
import type { ChartPoint, ChartRange, ChartSpan } from '../../protocol/responses'
import { formatCount } from '../../core/decimal'
import type { IndexId } from '../../core/model'
import { present } from '../../core/present'
import { fullTimeText, minuteText } from './published-time'
import { formatValue, type DisplayStyle } from './value'
import type { ChartView, PlotPoint } from './chart-model'

/** `short` is on the button. */
export const rangeNames: Record<ChartRange, { short: string; long: string }> = {
  '1h': { short: '1 h', long: '1 hour' },
  '24h': { short: '24 h', long: '24 hours' },
  '7d': { short: '7 d', long: '7 days' },
  '30d': { short: '30 d', long: '30 days' },
  '1y': { short: '1 y', long: '1 year' },
}

/** `1 hour`, or `20 Nov 2026 16:00 to 21 Nov 2026 09:00`. */
export function rangeText(range: ChartRange | ChartSpan, style: DisplayStyle): string {
  if (typeof range === 'string') return rangeNames[range].long
  return `${minuteText(range.fromMs, style)} to ${minuteText(range.toMs, style)}`
}

/** The range after a verb in the past: "in the last hour", "in the last 5 minutes", "from … to …". */
export function withinWords(range: ChartRange | ChartSpan, style: DisplayStyle): string {
  if (typeof range !== 'string') return `from ${rangeText(range, style)}`
  return `in the last ${rangeNames[range].long.replace(/^1 /, '')}`
}

/** Notes on a point: when it was amended, that it was carried forward, and how many values a mean lacks. */
export function pointNotes(point: ChartPoint, style: DisplayStyle): string[] {
  return present(
    point.amendedAtMs !== undefined && `amended ${fullTimeText(point.amendedAtMs, style)}`,
    point.isRepeatOfPrevious === true && 'carried forward',
    point.missing !== undefined && missingNote(point.missing),
  )
}

/** How many values a mean lacks. */
export function missingNote(missing: number): string {
  return `${formatCount(missing)} ${missing === 1 ? 'value' : 'values'} missing`
}

/** The alerts that fired at a point: `rose to 68,123.40 (level 68,000)`. */
export function firedAt(view: ChartView, point: PlotPoint): string[] {
  return view.firings.flatMap((firing) => (firing.point === point ? [firing.words] : []))
}

/** `68,123.40, 21 Nov 2026, 14:02:11.400, UTC, amended …, alert rose to …`. */
export function readingText(view: ChartView, at: PlotPoint, style: DisplayStyle): string {
  const { point } = at
  const fired = firedAt(view, at).map((words) => `alert ${words}`)
  const parts = [formatValue(point.value, style), fullTimeText(point.publishedAtMs, style)]
  return [...parts, ...pointNotes(point, style), ...fired].join(', ')
}

function counted(count: number, one: string, several: string): string[] {
  return count === 0 ? [] : [`${count} ${count === 1 ? one : several}`]
}

/** Counts of the marks on the chart: `2 gaps`, `1 amended`. */
export function markWords(view: ChartView): Record<'gaps' | 'amended' | 'carriedOver' | 'fired', string[]> {
  const amended = view.marks.filter(({ kind }) => kind === 'amended').length
  const carriedOver = view.marks.filter(({ kind }) => kind === 'carriedOver').length
  return {
    gaps: counted(view.gaps.length, 'gap', 'gaps'),
    amended: counted(amended, 'amended', 'amended'),
    carriedOver: counted(carriedOver, 'carried forward', 'carried forward'),
    fired: counted(view.firings.length, 'alert event', 'alert events'),
  }
}

/** The time that the values cover: `over 1 hour`, or `since 21 Nov 2026 14:02` if the data begin later. */
export function coveredText(range: ChartRange | ChartSpan, view: ChartView, style: DisplayStyle): string {
  const { knownFromMs } = view
  return knownFromMs === undefined ? `over ${rangeText(range, style)}` : `since ${minuteText(knownFromMs, style)}`
}

/** `BRTI over 1 hour: first 68,000.12, last 68,123.40, low 67,801.02, high 68,544.90, 2 gaps`. */
export function summaryText(
  indexId: IndexId,
  range: ChartRange | ChartSpan,
  view: ChartView,
  style: DisplayStyle,
): string {
  const first = view.points[0]
  const last = view.points.at(-1)
  if (first === undefined || last === undefined) return ''
  const { low, high } = view.extremes ?? {}
  const values = Object.entries({ first, last, low, high }).flatMap(([name, at]) =>
    at === undefined ? [] : [`${name} ${formatValue(at.point.value, style)}`],
  )
  const { gaps, amended, carriedOver, fired } = markWords(view)
  return `${indexId} ${coveredText(range, view, style)}: ${[...values, ...gaps, ...amended, ...carriedOver, ...fired].join(', ')}`
}
