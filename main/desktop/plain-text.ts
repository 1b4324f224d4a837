import { readWords } from '../base/untrusted-text'

/**
 * A text that may come from outside made fit for the desktop: notification daemons and trays read `<`, `>` and `&` as
 * markup; control and direction characters reorder or hide what stands beside them. One line of at most 200 characters.
 */
export function plainText(text: string): string {
  return readWords(text).replaceAll('<', '‹').replaceAll('>', '›').replaceAll('&', '+')
}

function two(number: number): string {
  return String(number).padStart(2, '0')
}

const day = new Intl.DateTimeFormat('en-GB', { day: 'numeric', month: 'short' })

/**
 * A time in the user's zone: 14:02:11, or 14:02:11.400 with milliseconds. The day stands before it where that is not the
 * day of `nowMs`: 20 Nov 16:00:00.
 */
export function timeText(atMs: number, nowMs: number, { milliseconds = false } = {}): string {
  const at = new Date(atMs)
  const seconds = `${two(at.getHours())}:${two(at.getMinutes())}:${two(at.getSeconds())}`
  const time = milliseconds ? `${seconds}.${String(at.getMilliseconds()).padStart(3, '0')}` : seconds
  return at.toDateString() === new Date(nowMs).toDateString() ? time : `${day.format(at)} ${time}`
}
