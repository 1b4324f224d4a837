import { isDecimalText } from './decimal'
import { resolutions, type DecimalText, type Publication, type Resolution } from './model'

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
 * a string of digits, `amendTime` a number, `repeatOfPreviousValue` true. Of the last two, null and false say the same as
 * absent (wire facts 9). Answers the name of the first field that is anything else.
 */
export function readPublication(raw: RawPublication): Publication | PublicationFault {
  const { value, amendTime, repeatOfPreviousValue } = raw
  if (!isDecimal(value)) return 'value'
  const publishedAtMs = readTimeMs(raw.time)
  if (publishedAtMs === undefined) return 'time'
  const publication: Publication = { value, publishedAtMs }
  if (amendTime !== undefined && amendTime !== null) {
    if (typeof amendTime !== 'number' || !isPlausibleTime(amendTime)) return 'amendTime'
    publication.amendedAtMs = amendTime
  }
  if (repeatOfPreviousValue === true) publication.isRepeatOfPrevious = true
  else if (!isAbsent(repeatOfPreviousValue)) return 'repeatOfPreviousValue'
  return publication
}

function isAbsent(flag: unknown): boolean {
  return flag === undefined || flag === null || flag === false
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

/**
 * Order of two publications of one index, negative where `a` gives way to `b`: by time, then by time of amendment, none
 * coming first. Two that still differ should not exist; their order is arbitrary but fixed, so that every order of
 * arrival ends with the same value.
 */
export function compareVersions(a: Publication, b: Publication): number {
  return (
    a.publishedAtMs - b.publishedAtMs ||
    (a.amendedAtMs ?? -1) - (b.amendedAtMs ?? -1) ||
    compareTexts(a.value, b.value) ||
    Number(a.isRepeatOfPrevious === true) - Number(b.isRepeatOfPrevious === true)
  )
}

/** By code units; a locale must not decide which value is the latest. */
function compareTexts(a: string, b: string): number {
  if (a === b) return 0
  return a < b ? -1 : 1
}

/** Whether both are the same revision of the same calculation. */
export function isSameVersion(a: Publication, b: Publication): boolean {
  return a.publishedAtMs === b.publishedAtMs && a.amendedAtMs === b.amendedAtMs
}

const clockSkewMs = 5 * 60_000

/** Whether a value claims a time so far ahead that it would hide every real one to come. */
export function isFarFuture(publication: Pick<Publication, 'publishedAtMs'>, serviceMs: number): boolean {
  return publication.publishedAtMs > serviceMs + clockSkewMs
}

/** Which connection values came by. What two of them published is never compared with each other. */
export interface Source {
  /** Stays when the connection is renamed; empty where it is not known. */
  id: string
  name: string
}

/** Where it is not known, or there is one alone. */
export const noSource: Source = { id: '', name: '' }

/** The source of a value in the history; that of one from before ids were kept is not known. */
export function sourceOf({ connection, connectionId }: { connection: string; connectionId?: string }): Source {
  return { id: connectionId ?? '', name: connection }
}

/** Whether these are known to be two. */
export function isOtherSource(a: Source, b: Source): boolean {
  return a !== b && a.id !== b.id && a.id !== '' && b.id !== ''
}

/** The publication alone, of a quote or of a value in the history. */
export function publicationOf({ value, publishedAtMs, amendedAtMs, isRepeatOfPrevious }: Publication): Publication {
  return {
    value,
    publishedAtMs,
    ...(amendedAtMs !== undefined && { amendedAtMs }),
    ...(isRepeatOfPrevious !== undefined && { isRepeatOfPrevious }),
  }
}
