/** The clocks of time zones. */
import { fromAbsolute, resetLocalTimeZone, toCalendarDate, toCalendarDateTime, toZoned } from '@internationalized/date'

const minuteMs = 60_000
/** Zones change their clocks at quarters of an hour of UTC, so an offset holds for one. */
const quarterMs = 15 * minuteMs
const maxOffsets = 5_000
const systemZoneHoldsMs = minuteMs

/** By zone and quarter: the library asks the browser each time, and rows tick five times a second. */
const offsets = new Map<string, number>()
let system: { name: string; readAtMs: number } | undefined

/** The zone of the system; read again after a minute, for people travel. */
export function systemZone(nowMs = Date.now()): string {
  if (system === undefined || Math.abs(nowMs - system.readAtMs) > systemZoneHoldsMs) {
    const name = new Intl.DateTimeFormat().resolvedOptions().timeZone
    // The library takes the zone that was the system's for the one that is.
    if (system !== undefined && system.name !== name) {
      resetLocalTimeZone()
      offsets.clear()
    }
    system = { name, readAtMs: nowMs }
  }
  return system.name
}

/** How far the clocks of `zone` are ahead of UTC at a time, in milliseconds; behind it is negative. */
export function offsetMs(atMs: number, zone: string): number {
  const quarter = Math.floor(atMs / quarterMs)
  const key = `${zone} ${quarter}`
  const known = offsets.get(key)
  if (known !== undefined) return known
  systemZone()
  if (offsets.size >= maxOffsets) offsets.clear()
  const { offset } = fromAbsolute(quarter * quarterMs, zone)
  offsets.set(key, offset)
  return offset
}

/** What the clock of `zone` shows at a time: a date whose UTC reads as that clock does. */
export function wallClock(atMs: number, zone: string): Date {
  return new Date(atMs + offsetMs(atMs, zone))
}

/**
 * When the clock of `zone` shows what the UTC of `shownMs` does. A time the clocks skip is taken as if they had not been
 * changed yet; of a time they show twice the first is meant.
 */
export function whenShown(shownMs: number, zone: string): number {
  return toZoned(toCalendarDateTime(fromAbsolute(shownMs, 'UTC')), zone)
    .toDate()
    .getTime()
}

/** Each time at which the clock of `zone` shows what the UTC of `shownMs` does: none, one or two. */
export function timesShown(shownMs: number, zone: string): number[] {
  const shown = toCalendarDateTime(fromAbsolute(shownMs, 'UTC'))
  const times = (['earlier', 'later'] as const).map((which) => toZoned(shown, zone, which).toDate().getTime())
  return [...new Set(times)].filter((atMs) => wallClock(atMs, zone).getTime() === shownMs)
}

/** The first moment of the day of `zone` that holds `atMs`; where midnight is skipped, the first that is there. */
export function startOfDayIn(atMs: number, zone: string): number {
  return toZoned(toCalendarDate(fromAbsolute(atMs, zone)), zone)
    .toDate()
    .getTime()
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
