/** Times on screen, in the user's zone and with the published precision. */
import { offsetText, startOfDayIn, systemZone, wallClock } from './time-zone'
import type { DisplayStyle } from './value'

export const months = ['Jan', 'Feb', 'Mar', 'Apr', 'May', 'Jun', 'Jul', 'Aug', 'Sep', 'Oct', 'Nov', 'Dec']
const dayMs = 86_400_000

/** The name of the zone of times on screen. */
export function shownZone({ timeZone }: Pick<DisplayStyle, 'timeZone'>): string {
  return timeZone === 'system' ? systemZone() : timeZone
}

/** `14:02`, `14:02:11` or `14:02:11.400`. See `wallClock`. */
export function clockText(wall: Date, upTo: 'minutes' | 'seconds' | 'milliseconds'): string {
  return wall.toISOString().slice(-13, { minutes: -8, seconds: -5, milliseconds: -1 }[upTo])
}

/** `20 Nov`. */
export function dayText(wall: Date): string {
  return `${wall.getUTCDate()} ${months[wall.getUTCMonth()] ?? ''}`
}

function yearOf(wall: Date): number {
  return wall.getUTCFullYear()
}

/** Start of the user's day that contains `atMs`. */
export function startOfDayMs(atMs: number, style: DisplayStyle): number {
  return startOfDayIn(atMs, shownZone(style))
}

/** Zeros at the end of the decimals of a time. */
const zeroDecimals = /\.0+$|(?<=\.\d+?)0+$/

/**
 * `14:02:11.4` today, `14:02:11` on the second (without decimals for an index that publishes once a minute or less often),
 * `20 Nov 16:00` on another day, `20 Nov 2025` in another year.
 */
export function publishedText(publishedAtMs: number, nowMs: number, isRealTime: boolean, style: DisplayStyle): string {
  const zone = shownZone(style)
  const at = wallClock(publishedAtMs, zone)
  const now = wallClock(nowMs, zone)
  if (at.getUTCDate() === now.getUTCDate() && Math.abs(at.getTime() - now.getTime()) < dayMs) {
    return clockText(at, isRealTime ? 'milliseconds' : 'seconds').replace(zeroDecimals, '')
  }
  return yearOf(at) === yearOf(now) ? `${dayText(at)} ${clockText(at, 'minutes')}` : `${dayText(at)} ${yearOf(at)}`
}

/** With milliseconds: `14:02:11.400` today, `20 Nov 14:02:11.400` on another day, with the year in another year. */
export function exactTimeText(atMs: number, nowMs: number, style: DisplayStyle): string {
  const zone = shownZone(style)
  const at = wallClock(atMs, zone)
  const clock = clockText(at, 'milliseconds')
  if (startOfDayIn(atMs, zone) === startOfDayIn(nowMs, zone)) return clock
  const isThisYear = yearOf(at) === yearOf(wallClock(nowMs, zone))
  return `${dayText(at)}${isThisYear ? '' : ` ${yearOf(at)}`} ${clock}`
}

/** `20 Nov 2026 16:00`. */
export function minuteText(atMs: number, style: Pick<DisplayStyle, 'timeZone'>): string {
  const at = wallClock(atMs, shownZone(style))
  return `${dayText(at)} ${yearOf(at)} ${clockText(at, 'minutes')}`
}

/** Date, time and zone: `20 Nov 2026, 16:00:00.000, Europe/Berlin (UTC+1)` or `…, UTC`. */
export function fullTimeText(atMs: number, style: Pick<DisplayStyle, 'timeZone'>): string {
  const zone = shownZone(style)
  const at = wallClock(atMs, zone)
  const zoneText = zone === 'UTC' ? zone : `${zone} (${offsetText(atMs, zone)})`
  return `${dayText(at)} ${yearOf(at)}, ${clockText(at, 'milliseconds')}, ${zoneText}`
}
