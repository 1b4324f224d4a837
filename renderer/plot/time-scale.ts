/** Ticks of the time axis: round times in the user's zone. */
import type { TimeSpan } from '../format/chart-model'
import { clockText, dayText, months } from '../format/published-time'
import { offsetMs, timesShown, wallClock, whenShown } from '../format/time-zone'

export interface TimeTick {
  atMs: number
  text: string
}

const secondMs = 1_000
const minuteMs = 60_000
const hourMs = 3_600_000
const dayMs = 24 * hourMs

/** Round steps of a clock or calendar, the shortest first. */
const stepsMs = [
  ...[5, 10, 15, 30].map((count) => count * secondMs),
  ...[1, 2, 5, 10, 15, 30].map((count) => count * minuteMs),
  ...[1, 2, 3, 4, 6, 12].map((count) => count * hourMs),
  ...[1, 2, 7, 14].map((count) => count * dayMs),
]
/** Longer spans are divided into months. */
const maxClockSpanMs = 70 * dayMs

function monthTicks(span: TimeSpan, zone: string, maxTicks: number): TimeTick[] {
  const monthCount = Math.ceil((span.toMs - span.fromMs) / (31 * dayMs))
  const apart = [1, 2, 3, 6].find((count) => monthCount / count <= maxTicks) ?? 12
  const start = wallClock(span.fromMs, zone)
  return Array.from({ length: monthCount + 2 }, (_, at) => {
    const shown = new Date(Date.UTC(start.getUTCFullYear(), start.getUTCMonth() + at, 1))
    const month = shown.getUTCMonth()
    const text = month === 0 ? String(shown.getUTCFullYear()) : (months[month] ?? '')
    return { atMs: whenShown(shown.getTime(), zone), text, isWanted: month % apart === 0 }
  }).filter(({ isWanted }) => isWanted)
}

function clockTicks(span: TimeSpan, zone: string, maxTicks: number): TimeTick[] {
  const lengthMs = span.toMs - span.fromMs
  const stepMs = stepsMs.find((step) => lengthMs / step <= maxTicks) ?? 30 * dayMs
  // The clock may be set back within the span and show some times twice.
  const offsetsMs = [offsetMs(span.fromMs, zone), offsetMs(span.toMs, zone)]
  const first = Math.ceil((span.fromMs + Math.min(...offsetsMs)) / stepMs) * stepMs
  const lastMs = span.toMs + Math.max(...offsetsMs)
  return Array.from({ length: Math.max(0, Math.floor((lastMs - first) / stepMs) + 1) }, (_, at) => {
    const shownMs = first + at * stepMs
    const shown = new Date(shownMs)
    const isDay = stepMs >= hourMs && shownMs % dayMs === 0
    const text = isDay ? dayText(shown) : clockText(shown, stepMs < minuteMs ? 'seconds' : 'minutes')
    const times = isDay ? [whenShown(shownMs, zone)] : timesShown(shownMs, zone)
    return times.map((atMs) => ({ atMs, text }))
  })
    .flat()
    .sort((a, b) => a.atMs - b.atMs)
}

/** Round times of a zone in the span, about `maxTicks` at most. Texts are as short as the span allows. */
export function timeTicks(span: TimeSpan, zone: string, maxTicks: number): TimeTick[] {
  const ticks =
    span.toMs - span.fromMs > maxClockSpanMs ? monthTicks(span, zone, maxTicks) : clockTicks(span, zone, maxTicks)
  return ticks
    .filter(({ atMs }, at) => atMs >= span.fromMs && atMs <= span.toMs && atMs !== ticks[at - 1]?.atMs)
    .map(({ atMs, text }) => ({ atMs, text }))
}
