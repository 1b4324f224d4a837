/** The hours of a rule (alert engine, 22). They depend on the published time, not on the time of evaluation. */
import { fromAbsolute, parseTime, toCalendarDate, toCalendarDateTime, toZoned } from '@internationalized/date'
import { weekdays, type AlertHours, type AlertTiming } from './alert-timing'

const minuteMs = 60_000
const dayMs = 86_400_000
const formats = new Map<string, Intl.DateTimeFormat>()

/**
 * The day on which the hours that contain this time began, in days since 1970. Undefined outside the hours. Uses the
 * clock of the zone: skipped hours do not exist, repeated hours count twice.
 */
export function hoursDay({ days, from, to, timeZone }: AlertHours, atMs: number): number | undefined {
  const { day, clock } = shownIn(timeZone, atMs)
  const begins = (of: number) => days.some((name) => name === weekdayOf(of))
  if (from < to) return from <= clock && clock < to && begins(day) ? day : undefined
  if (clock >= from) return begins(day) ? day : undefined
  return clock < to && begins(day - 1) ? day - 1 : undefined
}

/** Whether this published time is outside the rule's hours. */
export function isOutsideHours({ hours }: Pick<AlertTiming, 'hours'>, publishedAtMs: number): boolean {
  return hours !== undefined && hoursDay(hours, publishedAtMs) === undefined
}

/**
 * When the hours next start after a time outside them, in milliseconds since 1970. Undefined if they do not start
 * within three weeks.
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

/**
 * When the clock shows the start on this day. Two times if the clock is set back over it, an approximate one if the
 * clock skips it.
 */
function beginningsOn(day: number, { from, timeZone }: AlertHours): number[] {
  const shown = toCalendarDateTime(toCalendarDate(fromAbsolute(day * dayMs, 'UTC')), parseTime(from))
  return (['earlier', 'later'] as const).map((which) => toZoned(shown, timeZone, which).toDate().getTime())
}

/** If the clock skips the start, the hours begin at the first minute after the skip. */
function firstMinuteMs(hours: AlertHours, atMs: number): number {
  let first = atMs
  while (hoursDay(hours, first - minuteMs) !== undefined) first -= minuteMs
  return first
}

/** 1 January 1970 was a Thursday. */
function weekdayOf(day: number): AlertHours['days'][number] | undefined {
  return weekdays[(((day + 3) % 7) + 7) % 7]
}

/** The day in days since 1970, and the clock as `HH:MM`. */
function shownIn(timeZone: string, atMs: number): { day: number; clock: string } {
  // Cached, because creating a formatter takes a thousand times longer than using it.
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
