/** Days and times as the user reads them. A `timeZone` is the name of a zone such as `Europe/London`, or `system`. */
import { fromAbsolute, getLocalTimeZone, isSameDay, toCalendarDate, type ZonedDateTime } from '@internationalized/date'

function inZone(timeMs: number, timeZone: string): ZonedDateTime {
  return fromAbsolute(timeMs, timeZone === 'system' ? getLocalTimeZone() : timeZone)
}

/** The user's calendar day of a time, as `2026-11-21`. */
export function userDay(timeMs: number, timeZone: string): string {
  return toCalendarDate(inZone(timeMs, timeZone)).toString()
}

type Precision = 'minute' | 'second' | 'millisecond'

const monthNames = ['Jan', 'Feb', 'Mar', 'Apr', 'May', 'Jun', 'Jul', 'Aug', 'Sept', 'Oct', 'Nov', 'Dec']

/**
 * A time as the user reads it: 14:02:11, 14:02:11.400 with milliseconds, or 14:02 to the minute. A day other than that
 * of `nowMs` is put before it: 20 Nov 16:00:00.
 */
export function timeText(
  atMs: number,
  nowMs: number,
  { precision = 'second', timeZone = 'system' }: { precision?: Precision; timeZone?: string } = {},
): string {
  const at = inZone(atMs, timeZone)
  const parts = precision === 'minute' ? [at.hour, at.minute] : [at.hour, at.minute, at.second]
  const clock = parts.map((part) => String(part).padStart(2, '0')).join(':')
  const time = precision === 'millisecond' ? `${clock}.${String(at.millisecond).padStart(3, '0')}` : clock
  if (isSameDay(at, inZone(nowMs, timeZone))) return time
  return `${at.day} ${monthNames[at.month - 1] ?? ''} ${time}`
}
