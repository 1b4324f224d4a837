import { isDecimalText } from './decimal'
import { resolutions, type DecimalText, type Publication, type Resolution } from './model'

/** The unchecked fields of a published value, from the stream or from REST. */
export interface RawPublication {
  value?: unknown
  time?: unknown
  amendTime?: unknown
  repeatOfPreviousValue?: unknown
}

/** The field that made a value unreadable. */
export type PublicationFault = 'value' | 'time' | 'amendTime' | 'repeatOfPreviousValue'

// 9 September 2001 to the end of 2099. Refuses seconds and microseconds, which lie outside.
const earliestTimeMs = 1_000_000_000_000
const latestTimeMs = 4_102_444_799_999
const timeDigits = /^\d{1,16}$/

/**
 * Reads a published value (protocol, 2.4). The value is a decimal string, `time` milliseconds since 1970 as a number or
 * a string of digits, `amendTime` a number, `repeatOfPreviousValue` true. For the last two, null and false count as
 * absent. Returns the name of the first invalid field.
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

/** Reads a time of the service: milliseconds since 1970, as a number or a string of digits (protocol, 1). */
export function readTimeMs(time: unknown): number | undefined {
  const timeMs = typeof time === 'string' && timeDigits.test(time) ? Number(time) : time
  return typeof timeMs === 'number' && isPlausibleTime(timeMs) ? timeMs : undefined
}

function isPlausibleTime(timeMs: number): boolean {
  return Number.isSafeInteger(timeMs) && timeMs >= earliestTimeMs && timeMs <= latestTimeMs
}

/** Whether a field is a readable decimal string. A JSON number is not. */
export function isDecimal(field: unknown): field is DecimalText {
  return typeof field === 'string' && isDecimalText(field)
}

const knownResolutions: ReadonlySet<unknown> = new Set(resolutions)

/** Reads a resolution of the service. PER_SECOND, the service's default, if it is missing or unknown. */
export function readResolution(raw: unknown): Resolution {
  return knownResolutions.has(raw) ? (raw as Resolution) : 'PER_SECOND'
}

/**
 * Orders two publications of one index: negative if `b` replaces `a`. By time, then by time of amendment, unamended
 * first. If both are equal, the order is arbitrary but fixed, so that every order of arrival ends with the same value.
 */
export function compareVersions(a: Publication, b: Publication): number {
  return (
    a.publishedAtMs - b.publishedAtMs ||
    (a.amendedAtMs ?? -1) - (b.amendedAtMs ?? -1) ||
    compareTexts(a.value, b.value) ||
    Number(a.isRepeatOfPrevious === true) - Number(b.isRepeatOfPrevious === true)
  )
}

/** By code units, because a locale must not decide which value is the latest. */
function compareTexts(a: string, b: string): number {
  if (a === b) return 0
  return a < b ? -1 : 1
}

/** Whether both are the same revision of the same calculation. */
export function isSameVersion(a: Publication, b: Publication): boolean {
  return a.publishedAtMs === b.publishedAtMs && a.amendedAtMs === b.amendedAtMs
}

const clockSkewMs = 5 * 60_000

/** Whether a value is dated so far ahead that it would hide all later ones. */
export function isFarFuture(publication: Pick<Publication, 'publishedAtMs'>, serviceMs: number): boolean {
  return publication.publishedAtMs > serviceMs + clockSkewMs
}

/** The connection that values came from. Values of two sources are never compared. */
export interface Source {
  /** Unchanged when the connection is renamed. Empty if unknown. */
  id: string
  name: string
}

/** For an unknown source, or if there is only one. */
export const noSource: Source = { id: '', name: '' }

/** The source of a stored value. Values from before ids were stored have an unknown one. */
export function sourceOf({ connection, connectionId }: { connection: string; connectionId?: string }): Source {
  return { id: connectionId ?? '', name: connection }
}

/** Whether both are known and differ. */
export function isOtherSource(a: Source, b: Source): boolean {
  return a !== b && a.id !== b.id && a.id !== '' && b.id !== ''
}

/** Time of the latest amendment among these. 0 without any. */
export function lastAmendedMs(publications: readonly Publication[]): number {
  return publications.reduce((lastMs, { amendedAtMs = 0 }) => Math.max(lastMs, amendedAtMs), 0)
}

/** The fields of a publication, from a quote or a stored value. */
export function publicationOf({
  value,
  publishedAtMs,
  amendedAtMs,
  isRepeatOfPrevious,
  missing,
}: Publication): Publication {
  return {
    value,
    publishedAtMs,
    ...(amendedAtMs !== undefined && { amendedAtMs }),
    ...(isRepeatOfPrevious !== undefined && { isRepeatOfPrevious }),
    ...(missing !== undefined && { missing }),
  }
}
