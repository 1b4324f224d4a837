/** The time axis of the chart: round times of the user's zone. */
import type { ChartRange } from '../../protocol/responses'
import type { TimeSpan } from './chart-model'
import { clockText, dayText, months } from './published-time'
import { wallClock, whenShown } from './time-zone'

export interface TimeTick {
  atMs: number
  text: string
}

const secondMs = 1_000
const minuteMs = 60_000
const hourMs = 3_600_000
const dayMs = 24 * hourMs

const steps: Record<Exclude<ChartRange, '1y'>, number[]> = {
  '1m': [5, 10, 15, 30].map((count) => count * secondMs),
  '5m': [30, 60, 120].map((count) => count * secondMs),
  '1h': [5, 10, 15, 30].map((count) => count * minuteMs),
  '24h': [1, 2, 3, 4, 6, 12].map((count) => count * hourMs),
}

function shortestStepMs(options: readonly number[], lengthMs: number, maxTicks: number): number {
  return options.find((step) => lengthMs / step <= maxTicks) ?? options.at(-1) ?? lengthMs
}

function monthTicks(span: TimeSpan, zone: string, maxTicks: number): TimeTick[] {
  const apart = [1, 2, 3, 6].find((count) => 12 / count <= maxTicks) ?? 12
  const start = wallClock(span.fromMs, zone)
  return Array.from({ length: 14 }, (_, at) => {
    const shown = new Date(Date.UTC(start.getUTCFullYear(), start.getUTCMonth() + at, 1))
    const month = shown.getUTCMonth()
    const text = month === 0 ? String(shown.getUTCFullYear()) : (months[month] ?? '')
    return { atMs: whenShown(shown.getTime(), zone), text, isWanted: month % apart === 0 }
  }).filter(({ isWanted }) => isWanted)
}

function clockTicks(span: TimeSpan, range: Exclude<ChartRange, '1y'>, zone: string, maxTicks: number): TimeTick[] {
  const lengthMs = span.toMs - span.fromMs
  const stepMs = shortestStepMs(steps[range], lengthMs, maxTicks)
  const first = Math.ceil(wallClock(span.fromMs, zone).getTime() / stepMs) * stepMs
  return Array.from({ length: Math.floor(lengthMs / stepMs) + 2 }, (_, at) => {
    const shownMs = first + at * stepMs
    const shown = new Date(shownMs)
    const isDay = range === '24h' && shownMs % dayMs === 0
    const text = isDay ? dayText(shown) : clockText(shown, stepMs < minuteMs ? 'seconds' : 'minutes')
    return { atMs: whenShown(shownMs, zone), text }
  })
}

/** Round times of a named zone within the span, about `maxTicks` of them at most, each as short as the range allows. */
export function timeTicks(span: TimeSpan, range: ChartRange, zone: string, maxTicks: number): TimeTick[] {
  const ticks = range === '1y' ? monthTicks(span, zone, maxTicks) : clockTicks(span, range, zone, maxTicks)
  return ticks
    .filter(({ atMs }, at) => atMs >= span.fromMs && atMs <= span.toMs && atMs !== ticks[at - 1]?.atMs)
    .map(({ atMs, text }) => ({ atMs, text }))
}
