import { isDecimalText } from '../../protocol/decimal'
import { resolutions } from '../../protocol/model'
import type { DecimalText, Publication, Resolution } from '../../protocol/model'

/** The fields of a published value as they come in, on the stream and in REST rows alike; nothing is known of them. */
export interface RawPublication {
  value?: unknown
  time?: unknown
  amendTime?: unknown
  repeatOfPreviousValue?: unknown
}

/** The field that made a value unreadable. */
export type PublicationFault = 'value' | 'time' | 'amendTime' | 'repeatOfPreviousValue'

// 9 September 2001 to the end of 2099. Seconds and microseconds lie outside: they are refused, not guessed.
const earliestTimeMs = 1_000_000_000_000
const latestTimeMs = 4_102_444_799_999
const timeDigits = /^\d{1,16}$/

/**
 * Reads a published value (spec 2.4): the value a decimal string, `time` milliseconds since the epoch as a number or as
 * a string of digits, `amendTime` a number, `repeatOfPreviousValue` true or absent. Answers the name of the first field
 * that is anything else.
 */
export function readPublication(raw: RawPublication): Publication | PublicationFault {
  const { value, amendTime, repeatOfPreviousValue } = raw
  if (!isDecimal(value)) return 'value'
  const publishedAtMs = readTimeMs(raw.time)
  if (publishedAtMs === undefined) return 'time'
  const publication: Publication = { value, publishedAtMs }
  if (amendTime !== undefined) {
    if (typeof amendTime !== 'number' || !isPlausibleTime(amendTime)) return 'amendTime'
    publication.amendedAtMs = amendTime
  }
  if (repeatOfPreviousValue !== undefined) {
    if (repeatOfPreviousValue !== true) return 'repeatOfPreviousValue'
    publication.isRepeatOfPrevious = true
  }
  return publication
}

/** A time of the service: milliseconds since the epoch as a number or as a string of digits (spec 2.4). */
export function readTimeMs(time: unknown): number | undefined {
  const timeMs = typeof time === 'string' && timeDigits.test(time) ? Number(time) : time
  return typeof timeMs === 'number' && isPlausibleTime(timeMs) ? timeMs : undefined
}

function isPlausibleTime(timeMs: number): boolean {
  return Number.isSafeInteger(timeMs) && timeMs >= earliestTimeMs && timeMs <= latestTimeMs
}

/** Whether a field is a decimal string that can be read; a JSON number is none. */
export function isDecimal(field: unknown): field is DecimalText {
  return typeof field === 'string' && isDecimalText(field)
}

const knownResolutions: ReadonlySet<unknown> = new Set(resolutions)

/** A resolution name of the service; PER_SECOND, the service's own default, where it is missing or of a later version. */
export function readResolution(raw: unknown): Resolution {
  return knownResolutions.has(raw) ? (raw as Resolution) : 'PER_SECOND'
}
