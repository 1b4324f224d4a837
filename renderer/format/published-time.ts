/** Times on screen: the zone the user chose, as many digits as were published. */
import { display } from '../state/display.svelte'
import { offsetText, startOfDayIn, systemZone, wallClock, type WallClock } from './time-zone'

const months = ['Jan', 'Feb', 'Mar', 'Apr', 'May', 'Jun', 'Jul', 'Aug', 'Sep', 'Oct', 'Nov', 'Dec']

function two(number: number): string {
  return String(number).padStart(2, '0')
}

/** The name of the zone that times on screen are told in. */
export function shownZone(): string {
  return display.timeZone === 'system' ? systemZone() : display.timeZone
}

function clockText({ hours, minutes, seconds, milliseconds }: WallClock, withMilliseconds: boolean): string {
  const text = `${two(hours)}:${two(minutes)}:${two(seconds)}`
  return withMilliseconds ? `${text}.${String(milliseconds).padStart(3, '0')}` : text
}

/** Midnight of the user's day that holds `atMs`. */
export function startOfDayMs(atMs: number): number {
  return startOfDayIn(atMs, shownZone())
}

/**
 * `14:02:11.400` today (without milliseconds for an index that publishes no oftener than once a minute),
 * `20 Nov 16:00` on another day, `20 Nov 2025` in another year.
 */
export function publishedText(publishedAtMs: number, nowMs: number, isRealTime: boolean): string {
  const zone = shownZone()
  const at = wallClock(publishedAtMs, zone)
  const now = wallClock(nowMs, zone)
  if (at.dayNumber === now.dayNumber) return clockText(at, isRealTime)
  const day = `${at.day} ${months[at.month] ?? ''}`
  return at.year === now.year ? `${day} ${two(at.hours)}:${two(at.minutes)}` : `${day} ${at.year}`
}

/** Everything about a time: `20 Nov 2026, 16:00:00.000, Europe/Berlin (UTC+1)`. */
export function fullTimeText(atMs: number): string {
  const zone = shownZone()
  const at = wallClock(atMs, zone)
  const day = `${at.day} ${months[at.month] ?? ''} ${at.year}`
  return `${day}, ${clockText(at, true)}, ${zone} (${offsetText(atMs, zone)})`
}
