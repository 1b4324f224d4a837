/** The time axis of the chart: round times of the user's zone. */
import type { ChartRange } from '../../protocol/answers'
import type { TimeSpan } from './chart-model'

export interface TimeTick {
  atMs: number
  text: string
}

const secondMs = 1_000
const minuteMs = 60_000
const hourMs = 3_600_000
const dayMs = 24 * hourMs
const months = ['Jan', 'Feb', 'Mar', 'Apr', 'May', 'Jun', 'Jul', 'Aug', 'Sep', 'Oct', 'Nov', 'Dec']
const formats = new Map<string, Intl.DateTimeFormat>()

function formatOf(zone: string): Intl.DateTimeFormat {
  let format = formats.get(zone)
  if (format === undefined) {
    format = new Intl.DateTimeFormat('en-GB', {
      ...(zone === 'system' ? {} : { timeZone: zone }),
      hourCycle: 'h23',
      year: 'numeric',
      month: 'numeric',
      day: 'numeric',
      hour: 'numeric',
      minute: 'numeric',
      second: 'numeric',
    })
    formats.set(zone, format)
  }
  return format
}

/** What the clocks of a zone show, as if it were UTC. `zone` is `system` or a name such as `Europe/London`. */
export function localMs(atMs: number, zone: string): number {
  const parts = new Map(
    formatOf(zone)
      .formatToParts(atMs)
      .map(({ type, value }): [string, number] => [type, Number(value)]),
  )
  const of = (type: string): number => parts.get(type) ?? 0
  const wholeMs = Date.UTC(of('year'), of('month') - 1, of('day'), of('hour'), of('minute'), of('second'))
  return wholeMs + (((atMs % secondMs) + secondMs) % secondMs)
}

/** When the clocks of a zone show this. Where they are put forward over it, the time just after. */
export function fromLocalMs(shownMs: number, zone: string): number {
  const guessMs = shownMs - (localMs(shownMs, zone) - shownMs)
  return guessMs + (shownMs - localMs(guessMs, zone))
}

const two = (number: number): string => String(number).padStart(2, '0')

function clockText(shownMs: number, withSeconds: boolean): string {
  const date = new Date(shownMs)
  const minutes = `${two(date.getUTCHours())}:${two(date.getUTCMinutes())}`
  return withSeconds ? `${minutes}:${two(date.getUTCSeconds())}` : minutes
}

function dayText(shownMs: number): string {
  const date = new Date(shownMs)
  return `${date.getUTCDate()} ${months[date.getUTCMonth()] ?? ''}`
}

const steps: Record<Exclude<ChartRange, '1y'>, number[]> = {
  '1m': [5, 10, 15, 30].map((count) => count * secondMs),
  '5m': [30, 60, 120].map((count) => count * secondMs),
  '1h': [5, 10, 15, 30].map((count) => count * minuteMs),
  '24h': [1, 2, 3, 4, 6, 12].map((count) => count * hourMs),
}

function fewestMs(options: readonly number[], lengthMs: number, most: number): number {
  return options.find((step) => lengthMs / step <= most) ?? options.at(-1) ?? lengthMs
}

function monthTicks(span: TimeSpan, zone: string, most: number): TimeTick[] {
  const apart = [1, 2, 3, 6].find((count) => 12 / count <= most) ?? 12
  const start = new Date(localMs(span.fromMs, zone))
  return Array.from({ length: 14 }, (_, at) => {
    const shown = new Date(Date.UTC(start.getUTCFullYear(), start.getUTCMonth() + at, 1))
    const month = shown.getUTCMonth()
    const text = month === 0 ? String(shown.getUTCFullYear()) : (months[month] ?? '')
    return { atMs: fromLocalMs(shown.getTime(), zone), text, isWanted: month % apart === 0 }
  }).filter(({ isWanted }) => isWanted)
}

function clockTicks(span: TimeSpan, range: Exclude<ChartRange, '1y'>, zone: string, most: number): TimeTick[] {
  const lengthMs = span.toMs - span.fromMs
  const stepMs = fewestMs(steps[range], lengthMs, most)
  const first = Math.ceil(localMs(span.fromMs, zone) / stepMs) * stepMs
  return Array.from({ length: Math.floor(lengthMs / stepMs) + 2 }, (_, at) => {
    const shownMs = first + at * stepMs
    const text = range === '24h' && shownMs % dayMs === 0 ? dayText(shownMs) : clockText(shownMs, stepMs < minuteMs)
    return { atMs: fromLocalMs(shownMs, zone), text }
  })
}

/** Round times within the span, about `most` of them at most, each as short as the range allows. */
export function timeTicks(span: TimeSpan, range: ChartRange, zone: string, most: number): TimeTick[] {
  const ticks = range === '1y' ? monthTicks(span, zone, most) : clockTicks(span, range, zone, most)
  return ticks
    .filter(({ atMs }, at) => atMs >= span.fromMs && atMs <= span.toMs && atMs !== ticks[at - 1]?.atMs)
    .map(({ atMs, text }) => ({ atMs, text }))
}
