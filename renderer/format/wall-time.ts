/** A time as a field of the kind `datetime-local` holds it, on the clock of a zone. */
import { offsetMs, wallClock } from './time-zone'

const grammar = /^(\d{4,6})-(\d\d)-(\d\d)T(\d\d):(\d\d)(?::(\d\d)(?:\.(\d{1,3}))?)?$/

function two(number: number): string {
  return String(number).padStart(2, '0')
}

/** `2026-11-21T16:00`, with seconds where there are any. */
export function wallTimeText(atMs: number, zone: string): string {
  const { year, month, day, hours, minutes, seconds, milliseconds } = wallClock(atMs, zone)
  const minute = `${String(year).padStart(4, '0')}-${two(month + 1)}-${two(day)}T${two(hours)}:${two(minutes)}`
  if (seconds === 0 && milliseconds === 0) return minute
  return `${minute}:${two(seconds)}${milliseconds === 0 ? '' : `.${String(milliseconds).padStart(3, '0')}`}`
}

/**
 * Milliseconds since the Unix epoch; nothing where `text` is no time. A time the clocks skip is taken as if they had
 * not been changed yet; of a time they show twice the first is meant.
 */
export function readWallTime(text: string, zone: string): number | undefined {
  const match = grammar.exec(text)
  if (match === null) return undefined
  const [year = 0, month = 0, day = 0, hours = 0, minutes = 0, seconds = 0] = match
    .slice(1, 7)
    .map((part) => Number(part))
  const wallMs =
    Date.UTC(year, month - 1, day, hours, minutes, Number.isNaN(seconds) ? 0 : seconds) +
    Number((match[7] ?? '').padEnd(3, '0'))
  if (Number.isNaN(wallMs)) return undefined
  // Clocks change by less than a day: one of the two offsets around it holds.
  const before = wallMs - offsetMs(wallMs - 86_400_000, zone)
  const after = wallMs - offsetMs(wallMs + 86_400_000, zone)
  const fits = (atMs: number) => atMs + offsetMs(atMs, zone) === wallMs
  return fits(before) || !fits(after) ? before : after
}
