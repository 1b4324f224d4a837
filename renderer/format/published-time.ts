/** Times on screen: the user's own zone, as many digits as were published. */

const months = ['Jan', 'Feb', 'Mar', 'Apr', 'May', 'Jun', 'Jul', 'Aug', 'Sep', 'Oct', 'Nov', 'Dec']
const zoneName = new Intl.DateTimeFormat().resolvedOptions().timeZone

function two(number: number): string {
  return String(number).padStart(2, '0')
}

function clockText(date: Date, withMilliseconds: boolean): string {
  const seconds = `${two(date.getHours())}:${two(date.getMinutes())}:${two(date.getSeconds())}`
  return withMilliseconds ? `${seconds}.${String(date.getMilliseconds()).padStart(3, '0')}` : seconds
}

function offsetText(date: Date): string {
  const minutes = -date.getTimezoneOffset()
  const size = Math.abs(minutes)
  const rest = size % 60 === 0 ? '' : `:${two(size % 60)}`
  return `UTC${minutes < 0 ? '\u2212' : '+'}${Math.floor(size / 60)}${rest}`
}

/** Midnight of the user's day that holds `atMs`. */
export function startOfDayMs(atMs: number): number {
  return new Date(atMs).setHours(0, 0, 0, 0)
}

/**
 * `14:02:11.400` today (without milliseconds for an index that publishes no oftener than once a minute),
 * `20 Nov 16:00` on another day, `20 Nov 2025` in another year.
 */
export function publishedText(publishedAtMs: number, nowMs: number, isRealTime: boolean): string {
  const date = new Date(publishedAtMs)
  if (startOfDayMs(publishedAtMs) === startOfDayMs(nowMs)) return clockText(date, isRealTime)
  const day = `${date.getDate()} ${months[date.getMonth()] ?? ''}`
  const isThisYear = date.getFullYear() === new Date(nowMs).getFullYear()
  return isThisYear ? `${day} ${two(date.getHours())}:${two(date.getMinutes())}` : `${day} ${date.getFullYear()}`
}

/** Everything about a time: `20 Nov 2026, 16:00:00.000, Europe/Berlin (UTC+1)`. */
export function fullTimeText(atMs: number): string {
  const date = new Date(atMs)
  const day = `${date.getDate()} ${months[date.getMonth()] ?? ''} ${date.getFullYear()}`
  return `${day}, ${clockText(date, true)}, ${zoneName} (${offsetText(date)})`
}
