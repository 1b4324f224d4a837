import { readWords } from '../base/untrusted-text'

/**
 * A text that may come from outside made fit for the desktop: notification daemons and trays read `<`, `>` and `&` as
 * markup; control and direction characters reorder or hide what stands beside them. One line of at most 200 characters.
 */
export function plainText(text: string): string {
  return readWords(text).replaceAll('<', '‹').replaceAll('>', '›').replaceAll('&', '+')
}

/** By zone; making one takes longer than all that is done with it. */
const clocks = new Map<string, Intl.DateTimeFormat>()

function clockOf(timeZone: string): Intl.DateTimeFormat {
  const known = clocks.get(timeZone)
  if (known !== undefined) return known
  const zone = timeZone === 'system' ? {} : { timeZone }
  const date = { day: 'numeric', month: 'short', year: 'numeric' } as const
  const time = { hour: '2-digit', minute: '2-digit', second: '2-digit', hourCycle: 'h23' } as const
  const clock = new Intl.DateTimeFormat('en-GB', { ...zone, ...date, ...time })
  clocks.set(timeZone, clock)
  return clock
}

function partsOf(atMs: number, timeZone: string): { day: string; year: string; seconds: string } {
  const parts = new Map<string, string>()
  for (const { type, value } of clockOf(timeZone).formatToParts(atMs)) parts.set(type, value)
  const of = (name: string) => parts.get(name) ?? ''
  return {
    day: `${of('day')} ${of('month')}`,
    year: of('year'),
    seconds: `${of('hour')}:${of('minute')}:${of('second')}`,
  }
}

/**
 * A time as the user reads it: 14:02:11, or 14:02:11.400 with milliseconds. The day stands before it where that is not
 * the day of `nowMs`: 20 Nov 16:00:00. `timeZone` is the name of a zone, or `system`.
 */
export function timeText(
  atMs: number,
  nowMs: number,
  { milliseconds = false, timeZone = 'system' }: { milliseconds?: boolean; timeZone?: string } = {},
): string {
  const at = partsOf(atMs, timeZone)
  const now = partsOf(nowMs, timeZone)
  const time = milliseconds ? `${at.seconds}.${String(new Date(atMs).getMilliseconds()).padStart(3, '0')}` : at.seconds
  return at.day === now.day && at.year === now.year ? time : `${at.day} ${time}`
}
