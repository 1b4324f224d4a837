/** The hours of a rule (alert engine, 22), by published time: the same whenever it is judged. */
import { CalendarDate, Time, toCalendarDateTime, toZoned } from '@internationalized/date'
import { weekdays, type AlertHours, type AlertTiming } from './alert-timing'

const minuteMs = 60_000
const dayMs = 86_400_000
const formats = new Map<string, Intl.DateTimeFormat>()

/**
 * The day on which the hours that hold this time began, in days since the epoch; `undefined` outside them. What counts is
 * what the clock of the zone shows: hours that it skips do not take place, those that it shows twice count twice.
 */
export function hoursDay({ days, from, to, timeZone }: AlertHours, atMs: number): number | undefined {
  const { day, clock } = shownIn(timeZone, atMs)
  const begins = (of: number) => days.some((name) => name === weekdayOf(of))
  if (from < to) return from <= clock && clock < to && begins(day) ? day : undefined
  if (clock >= from) return begins(day) ? day : undefined
  return clock < to && begins(day - 1) ? day - 1 : undefined
}

/** Whether a rule may not fire upon what was published at this time. */
export function isOutsideHours({ hours }: Pick<AlertTiming, 'hours'>, publishedAtMs: number): boolean {
  return hours !== undefined && hoursDay(hours, publishedAtMs) === undefined
}

/**
 * When the hours begin next after a time outside them, in milliseconds since the epoch; `undefined` where they do not
 * within three weeks, as without a day.
 */
export function nextHoursMs(hours: AlertHours, atMs: number): number | undefined {
  const { day: today } = shownIn(hours.timeZone, atMs)
  for (let day = today - 1; day <= today + 21; day++) {
    if (!hours.days.some((name) => name === weekdayOf(day))) continue
    const begins = beginningsOn(day, hours).find((ms) => ms > atMs && hoursDay(hours, ms) !== undefined)
    if (begins !== undefined) return firstMinuteMs(hours, begins)
  }
  return undefined
}

/** When the clock shows the beginning on this day, twice where it is put back; about then where it skips it. */
function beginningsOn(day: number, { from, timeZone }: AlertHours): number[] {
  const date = new Date(day * dayMs)
  const [hour = 0, minute = 0] = from.split(':').map(Number)
  const shown = toCalendarDateTime(
    new CalendarDate(date.getUTCFullYear(), date.getUTCMonth() + 1, date.getUTCDate()),
    new Time(hour, minute),
  )
  return (['earlier', 'later'] as const).map((which) => toZoned(shown, timeZone, which).toDate().getTime())
}

/** Where the clock skips the beginning, the hours begin as it goes on. */
function firstMinuteMs(hours: AlertHours, atMs: number): number {
  let first = atMs
  while (hoursDay(hours, first - minuteMs) !== undefined) first -= minuteMs
  return first
}

/** The first of January 1970 was a Thursday. */
function weekdayOf(day: number): AlertHours['days'][number] | undefined {
  return weekdays[(((day + 3) % 7) + 7) % 7]
}

/** The day in days since the epoch, and the clock as `HH:MM`. */
function shownIn(timeZone: string, atMs: number): { day: number; clock: string } {
  // Made once: a formatter takes a thousand times longer to make than to ask.
  const format =
    formats.get(timeZone) ??
    new Intl.DateTimeFormat('en-US', {
      timeZone,
      hourCycle: 'h23',
      year: 'numeric',
      month: '2-digit',
      day: '2-digit',
      hour: '2-digit',
      minute: '2-digit',
    })
  formats.set(timeZone, format)
  const part = Object.fromEntries(format.formatToParts(atMs).map(({ type, value }) => [type, value]))
  const { year, month, day, hour = '', minute = '' } = part
  return { day: Date.UTC(Number(year), Number(month) - 1, Number(day)) / dayMs, clock: `${hour}:${minute}` }
}
