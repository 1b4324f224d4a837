/** Reads times as people type them, such as `yesterday 15:59:59.8 London`. */
import type { TimeRange } from './ranges'
import {
  CalendarDate,
  CalendarDateTime,
  fromAbsolute,
  toCalendarDate,
  toCalendarDateTime,
  toZoned,
  type ZonedDateTime,
} from '@internationalized/date'
import { failure, type Outcome } from './model'
import { citiesOf, findZone, seasonalZone, type SeasonalZone } from './time-zones'

const months = ['jan', 'feb', 'mar', 'apr', 'may', 'jun', 'jul', 'aug', 'sep', 'oct', 'nov', 'dec']
const daysFromToday: Readonly<Record<string, number>> = { yesterday: -1, today: 0, tomorrow: 1 }
const minuteMs = 60_000

const dayPattern =
  /^(?:(today|yesterday|tomorrow)|(\d{4})-(\d{1,2})-(\d{1,2})|(\d{1,2}) ([a-z]{3,9})\.?(?: (\d{4}))?|(\d{1,2})([/.])(\d{1,2})\9(\d{4}))(?![\w:])/i
const timePattern = /^(\d{1,2})(?::(\d{2})(?::(\d{2})(?:\.(\d+))?)?)?(?: ?(am|pm)(?![a-z]))?(?![\d:.])/i
const offsetPattern = /^(?:UTC|GMT)? ?([+\-\u2212])(\d{1,2})(?::?(\d{2}))?$/i
const agoPattern = /^(\d{1,6}) (second|minute|hour)s? ago$/i
const agoUnitMs: Record<string, number> = { second: 1_000, minute: minuteMs, hour: 60 * minuteMs }
/** The app's own format: a zone, followed by its offset, which is enough. */
const offsetBehind = /^\S+ \((UTC[^)]*)\)$/

interface Clock {
  hour: number
  minute: number
  second: number
  millisecond: number
}

/** A zone by name, or an offset ahead of UTC. `season` is set for an abbreviation such as EST. */
type Zone = { name: string } | { offsetMs: number; season?: SeasonalZone }

const midnight: Clock = { hour: 0, minute: 0, second: 0, millisecond: 0 }
const utc: Zone = { offsetMs: 0 }

/**
 * Reads a day, a time or both, and a zone after them: `2026-11-20 16:00`, `20 Nov 16:00 London`, `20/11/2026 16:00 ET`,
 * `yesterday 4 pm`, `15:59:59.8`, `2026-11-20T16:00:00.2Z`, `24 hours ago`, `now`. In numeric dates the day comes
 * before the month. Digits beyond the millisecond are cut. The default zone is the given one. A time without a day
 * means its last occurrence. A day without a time means its first moment. A day without a year means its last
 * occurrence. With `isAhead` it is the next occurrence. Returns milliseconds since 1970. Problems: `badTime`,
 * `unknownZone`, `skippedTime`, `ambiguousTime`.
 */
export function readTypedTime(
  text: string,
  { nowMs, zone, isAhead = false }: { nowMs: number; zone: string; isAhead?: boolean },
): Outcome<number> {
  const typed = text
    .trim()
    .replace(/(\d)T(?=\d)/, '$1 ')
    .replace(/,/g, ' ')
    .replace(/\s+/g, ' ')
  if (/^now$/i.test(typed)) return { ok: true, value: nowMs }
  const [, count, unit = ''] = agoPattern.exec(typed) ?? []
  if (count !== undefined) return { ok: true, value: nowMs - Number(count) * (agoUnitMs[unit.toLowerCase()] ?? 0) }
  const day = dayPattern.exec(typed)
  const afterDay = typed.slice(day?.[0].length ?? 0).replace(/^ (?:at )?/i, '')
  const time = timePattern.exec(afterDay)
  if (day === null && (time === null || (time[2] === undefined && time[5] === undefined)))
    return notATime(text, isAhead)
  const clock = time === null ? midnight : clockOf(time)
  if (typeof clock === 'string') return failure('badTime', clock)
  const meant = zoneOf(afterDay.slice(time?.[0].length ?? 0).trim(), zone)
  if (!meant.ok) return meant
  const now = wallOf(nowMs, meant.value)
  if (day === null) {
    const today = at(toCalendarDate(now), clock, meant.value)
    if (!today.ok || today.value > nowMs === isAhead) return inSeason(today, meant.value)
    return inSeason(at(toCalendarDate(now).add({ days: isAhead ? 1 : -1 }), clock, meant.value), meant.value)
  }
  const date = dateOf(day, toCalendarDate(now), isAhead)
  if (date === undefined) {
    const order = day[9] === undefined ? '' : ' Days come before months here.'
    return failure('badTime', `The calendar has no ${day[0]}.${order} Check the day.`)
  }
  if (time === null) return inSeason({ ok: true, value: startOf(date, meant.value) }, meant.value)
  return inSeason(at(date, clock, meant.value), meant.value)
}

/** Refuses an abbreviation such as EST if its place uses another clock at that time. */
function inSeason(read: Outcome<number>, zone: Zone): Outcome<number> {
  if (!read.ok || 'name' in zone || zone.season === undefined) return read
  const { abbreviation, place, offsetMs } = zone.season
  if (fromAbsolute(read.value, place).offset === offsetMs) return read
  const city = place.slice(place.indexOf('/') + 1).replaceAll('_', ' ')
  return failure(
    'ambiguousTime',
    `${city} is not on ${abbreviation} on that day. Do you mean the clock there, “${city}”, or “UTC${offsetText(offsetMs)}”?`,
  )
}

function notATime(text: string, isAhead: boolean): Outcome<never> {
  const shown = text.trim() === '' ? 'Type a time' : `“${text.trim().slice(0, 40)}” is not a time`
  const times = isAhead ? '16:00, tomorrow 9:30' : '15:59:59.8, yesterday 16:00'
  return failure('badTime', `${shown}, such as ${times} or 2026-11-20 16:00 London.`)
}

/** A time of day such as `9:30` or `4 pm`, as `HH:MM`. Undefined if it is not one, or not in whole minutes. */
export function readTypedClock(text: string): string | undefined {
  const typed = text.trim()
  const time = timePattern.exec(typed)
  if (time === null || time[0].length < typed.length || (time[2] === undefined && time[5] === undefined)) return
  const clock = clockOf(time)
  if (typeof clock === 'string' || clock.second > 0 || clock.millisecond > 0) return
  return [clock.hour, clock.minute].map((part) => String(part).padStart(2, '0')).join(':')
}

/** A string is a problem: no clock shows this time. */
function clockOf([, hours = '', minutes = '0', seconds = '0', fraction = '', half]: RegExpExecArray): Clock | string {
  const typed = Number(hours)
  if (half !== undefined && (typed < 1 || typed > 12)) return `With am or pm the hour is from 1 to 12, not ${hours}.`
  const hour = half === undefined ? typed : (typed % 12) + (half.toLowerCase() === 'pm' ? 12 : 0)
  const clock = {
    hour,
    minute: Number(minutes),
    second: Number(seconds),
    millisecond: Number(fraction.padEnd(3, '0').slice(0, 3)),
  }
  if (clock.hour > 23 || clock.minute > 59 || clock.second > 59) {
    return 'There is no such time: hours go to 23, minutes and seconds to 59.'
  }
  return clock
}

/** Undefined if the calendar has no such day. */
function dateOf(day: RegExpExecArray, today: CalendarDate, isAhead: boolean): CalendarDate | undefined {
  const [, word, isoYear, isoMonth, isoDay, dayOfMonth, monthName, yearText, dayNumber, , monthNumber, year] = day
  if (word !== undefined) return today.add({ days: daysFromToday[word.toLowerCase()] ?? 0 })
  if (isoYear !== undefined) return existing(Number(isoYear), Number(isoMonth), Number(isoDay))
  if (dayNumber !== undefined) return existing(Number(year), Number(monthNumber), Number(dayNumber))
  const month = months.findIndex((name) => monthName?.toLowerCase().startsWith(name)) + 1
  if (yearText !== undefined) return existing(Number(yearText), month, Number(dayOfMonth))
  const thisYear = existing(today.year, month, Number(dayOfMonth))
  const isMeant = thisYear !== undefined && (isAhead ? thisYear.compare(today) >= 0 : thisYear.compare(today) <= 0)
  return isMeant ? thisYear : existing(today.year + (isAhead ? 1 : -1), month, Number(dayOfMonth))
}

/** The calendar would silently turn 31 November into 30 November. */
function existing(year: number, month: number, day: number): CalendarDate | undefined {
  const date = new CalendarDate(year, month, day)
  return year >= 1970 && date.year === year && date.month === month && date.day === day ? date : undefined
}

function zoneOf(text: string, defaultZone: string): Outcome<Zone> {
  const name = (offsetBehind.exec(text)?.[1] ?? text).replace(/ time$/i, '')
  if (name === '') return { ok: true, value: { name: defaultZone } }
  if (/^(?:UTC|GMT|Z)$/i.test(name)) return { ok: true, value: utc }
  const offset = offsetPattern.exec(name)
  if (offset !== null) {
    const [, sign, hours, minutes = '0'] = offset
    const size = (Number(hours) * 60 + Number(minutes)) * minuteMs
    if (size <= 14 * 60 * minuteMs && Number(minutes) < 60) {
      return { ok: true, value: { offsetMs: sign === '+' ? size : -size } }
    }
  }
  const season = seasonalZone(name)
  if (season !== undefined) return { ok: true, value: { offsetMs: season.offsetMs, season } }
  const cities = citiesOf(name)
  if (cities.length > 0) {
    const question = `${name.toUpperCase()} is used in ${cities.join(', ')}. Write the city that you mean.`
    return failure('ambiguousTime', question)
  }
  const known = findZone(name)
  if (known !== undefined) return { ok: true, value: { name: known } }
  const shown = name.slice(0, 40)
  return failure(
    'unknownZone',
    `“${shown}” is not a zone. Write a city that zones are named after, such as London, an offset such as +01:00, or UTC.`,
  )
}

function wallOf(atMs: number, zone: Zone): ZonedDateTime {
  return 'name' in zone ? fromAbsolute(atMs, zone.name) : fromAbsolute(atMs + zone.offsetMs, 'UTC')
}

function startOf(date: CalendarDate, zone: Zone): number {
  if ('name' in zone) return toZoned(date, zone.name).toDate().getTime()
  return toZoned(date, 'UTC').toDate().getTime() - zone.offsetMs
}

/** When the clock of the zone shows this time. A problem if it never does, or does so twice. */
function at(date: CalendarDate, { hour, minute, second, millisecond }: Clock, zone: Zone): Outcome<number> {
  const wall = new CalendarDateTime(date.year, date.month, date.day, hour, minute, second, millisecond)
  if (!('name' in zone)) return { ok: true, value: toZoned(wall, 'UTC').toDate().getTime() - zone.offsetMs }
  const earlier = toZoned(wall, zone.name, 'earlier')
  const later = toZoned(wall, zone.name, 'later')
  const earlierMs = earlier.toDate().getTime()
  const laterMs = later.toDate().getTime()
  if (earlierMs === laterMs) return { ok: true, value: earlierMs }
  const time = wall.toString().slice(11)
  if (toCalendarDateTime(fromAbsolute(earlierMs, zone.name)).compare(wall) !== 0) {
    const next = toCalendarDateTime(fromAbsolute(laterMs, zone.name)).toString().replace('T', ' ')
    const reason = `clocks in ${zone.name} skipped it`
    return failure('skippedTime', `${time} did not exist on ${date.toString()}: ${reason}. Use ${next} instead.`)
  }
  const [first, other] = [earlier, later].map(({ offset }) => `${date.toString()} ${time} ${offsetText(offset)}`)
  return failure(
    'ambiguousTime',
    `${time} came twice on ${date.toString()}: clocks in ${zone.name} went back. Write “${first ?? ''}” for the first, “${other ?? ''}” for the second.`,
  )
}

function offsetText(offsetMs: number): string {
  const minutes = Math.abs(offsetMs) / minuteMs
  const pad = (part: number) => String(part).padStart(2, '0')
  return `${offsetMs < 0 ? '-' : '+'}${pad(Math.floor(minutes / 60))}:${pad(minutes % 60)}`
}

/** For all ranges, typed or not. */
export const endsBeforeItBegins = failure('badRange', 'The range ends before it begins. Choose an end after its start.')

/** Reads a typed range. Its start is included, its end is not. Problem `badRange` besides those of a time. */
export function readTypedRange(
  { from, to }: { from: string; to: string },
  now: { nowMs: number; zone: string },
): Outcome<TimeRange> {
  const fromMs = readTypedTime(from, now)
  if (!fromMs.ok) return fromMs
  const toMs = readTypedTime(to, now)
  if (!toMs.ok) return toMs
  if (fromMs.value >= now.nowMs) {
    return failure('badRange', 'The range begins in the future. Choose an earlier start.')
  }
  if (fromMs.value >= toMs.value) {
    return endsBeforeItBegins
  }
  return { ok: true, value: { fromMs: fromMs.value, toMs: toMs.value } }
}
