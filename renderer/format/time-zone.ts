/** The clocks of time zones. */
import { fromAbsolute, resetLocalTimeZone, toCalendarDate, toCalendarDateTime, toZoned } from '@internationalized/date'

const minuteMs = 60_000
/** Zones change their clocks only at quarters of an hour of UTC, so an offset is constant within one. */
const quarterMs = 15 * minuteMs
const maxOffsets = 5_000
const systemZoneHoldsMs = minuteMs

/** Cache by zone and quarter, because the library asks the browser each time and rows tick five times a second. */
const offsets = new Map<string, number>()
let system: { name: string; readAtMs: number } | undefined

/** The zone of the system. It is read again after a minute, because people travel. */
export function systemZone(nowMs = Date.now()): string {
  if (system === undefined || Math.abs(nowMs - system.readAtMs) > systemZoneHoldsMs) {
    const name = new Intl.DateTimeFormat().resolvedOptions().timeZone
    // The library caches the system's zone.
    if (system !== undefined && system.name !== name) {
      resetLocalTimeZone()
      offsets.clear()
    }
    system = { name, readAtMs: nowMs }
  }
  return system.name
}

/** The offset of `zone` from UTC at a time, in milliseconds. Positive if it is ahead. */
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

/** The clock of `zone` at a time, as a date whose UTC fields show it. */
export function wallClock(atMs: number, zone: string): Date {
  return new Date(atMs + offsetMs(atMs, zone))
}

/**
 * The time at which the clock of `zone` shows the UTC fields of `shownMs`. A skipped time is read as if the clock had not
 * changed yet. Returns the first of two times.
 */
export function whenShown(shownMs: number, zone: string): number {
  return toZoned(toCalendarDateTime(fromAbsolute(shownMs, 'UTC')), zone)
    .toDate()
    .getTime()
}

/** All times, none to two, at which the clock of `zone` shows the UTC fields of `shownMs`. */
export function timesShown(shownMs: number, zone: string): number[] {
  const shown = toCalendarDateTime(fromAbsolute(shownMs, 'UTC'))
  const times = (['earlier', 'later'] as const).map((which) => toZoned(shown, zone, which).toDate().getTime())
  return [...new Set(times)].filter((atMs) => wallClock(atMs, zone).getTime() === shownMs)
}

/** The start of the day in `zone` that contains `atMs`. If midnight is skipped, the first time of that day. */
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

/** The zones whose name contains every typed word. Names with parts that start with the words come first. */
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
