/** The wall clock of any time zone, by what the browser knows of it. */

const minuteMs = 60_000
const dayMs = 86_400_000
/** Zones change their clocks at quarters of an hour of UTC, so an offset holds for one. */
const quarterMs = 15 * minuteMs
const mostOffsets = 5_000
const systemZoneHoldsMs = minuteMs

/** What a clock on the wall shows; `month` from 0. */
export interface WallClock {
  year: number
  month: number
  day: number
  hours: number
  minutes: number
  seconds: number
  milliseconds: number
  /** Days since 1 January 1970 on this clock: equal on one day of the zone. */
  dayNumber: number
}

const formats = new Map<string, Intl.DateTimeFormat>()
const offsets = new Map<string, number>()
let system: { name: string; readAtMs: number } | undefined

/** The zone of the system; read again after a minute, for people travel. */
export function systemZone(nowMs = Date.now()): string {
  if (system === undefined || Math.abs(nowMs - system.readAtMs) > systemZoneHoldsMs) {
    system = { name: new Intl.DateTimeFormat().resolvedOptions().timeZone, readAtMs: nowMs }
  }
  return system.name
}

function formatOf(zone: string): Intl.DateTimeFormat {
  const known = formats.get(zone)
  if (known !== undefined) return known
  const number = 'numeric'
  const parts = { year: number, month: number, day: number, hour: number, minute: number, second: number } as const
  const format = new Intl.DateTimeFormat('en-US', { timeZone: zone, hourCycle: 'h23', ...parts })
  formats.set(zone, format)
  return format
}

function readOffsetMs(atMs: number, zone: string): number {
  const parts = new Map(
    formatOf(zone)
      .formatToParts(atMs)
      .map(({ type, value }) => [type, value]),
  )
  const part = (type: Intl.DateTimeFormatPartTypes) => Number(parts.get(type))
  const wallMs = Date.UTC(part('year'), part('month') - 1, part('day'), part('hour'), part('minute'), part('second'))
  return wallMs - atMs
}

/** How far the clocks of `zone` are ahead of UTC at a time, in milliseconds; behind it is negative. */
export function offsetMs(atMs: number, zone: string): number {
  const quarter = Math.floor(atMs / quarterMs)
  const key = `${zone} ${quarter}`
  const known = offsets.get(key)
  if (known !== undefined) return known
  if (offsets.size >= mostOffsets) offsets.clear()
  const offset = readOffsetMs(quarter * quarterMs, zone)
  offsets.set(key, offset)
  return offset
}

/** The clock of `zone` at a time. */
export function wallClock(atMs: number, zone: string): WallClock {
  const wallMs = atMs + offsetMs(atMs, zone)
  // A date whose UTC reads as the wall does.
  const date = new Date(wallMs)
  return {
    year: date.getUTCFullYear(),
    month: date.getUTCMonth(),
    day: date.getUTCDate(),
    hours: date.getUTCHours(),
    minutes: date.getUTCMinutes(),
    seconds: date.getUTCSeconds(),
    milliseconds: date.getUTCMilliseconds(),
    dayNumber: Math.floor(wallMs / dayMs),
  }
}

/** The first moment of the day of `zone` that holds `atMs`; where midnight is skipped, the first that is there. */
export function startOfDayIn(atMs: number, zone: string): number {
  const { dayNumber } = wallClock(atMs, zone)
  let startMs = dayNumber * dayMs - offsetMs(atMs, zone)
  // A change of the clocks on this day moves its start by as much.
  startMs = dayNumber * dayMs - offsetMs(startMs, zone)
  while (wallClock(startMs, zone).dayNumber < dayNumber) startMs += quarterMs
  return startMs
}

/** An offset in words: `UTC+2`, `UTC−3:30`. */
export function offsetText(atMs: number, zone: string): string {
  const minutes = Math.round(offsetMs(atMs, zone) / minuteMs)
  const size = Math.abs(minutes)
  const rest = size % 60 === 0 ? '' : `:${String(size % 60).padStart(2, '0')}`
  return `UTC${minutes < 0 ? '\u2212' : '+'}${Math.floor(size / 60)}${rest}`
}

const separators = /[\s/_,-]+/

/** The zones whose name holds every word typed; those with parts that begin so come first. */
export function searchZones(typed: string, zones: readonly string[]): string[] {
  const words = typed
    .toLowerCase()
    .split(separators)
    .filter((word) => word !== '')
  const found = zones.filter((zone) => words.every((word) => zone.toLowerCase().includes(word)))
  const begins = (zone: string) => {
    const parts = zone.toLowerCase().split(separators)
    return words.every((word) => parts.some((part) => part.startsWith(word)))
  }
  return [...found.filter(begins), ...found.filter((zone) => !begins(zone))]
}
