/** Pairs daily rates with the real-time index of the same asset, and computes their fixing times (protocol, 10). */
import {
  fromAbsolute,
  isWeekend,
  parseDuration,
  parseTime,
  toCalendarDate,
  toCalendarDateTime,
  toTime,
  toZoned,
} from '@internationalized/date'
import type { Fact, IndexId } from './model'
import { clockPattern, isNamedZone } from './shapes'

/** When a daily rate is published: a time of day, `HH:MM`, by the clock of a zone. */
export interface FixingTime {
  readonly clock: string
  readonly zone: string
}

/** Publication times, by the end of the id. */
const times = {
  RR: { clock: '16:00', zone: 'Europe/London' },
  NY: { clock: '16:00', zone: 'America/New_York' },
  AP: { clock: '16:00', zone: 'Asia/Hong_Kong' },
} as const satisfies Record<string, FixingTime>

/** The rates of Bitcoin are older than the naming rule. */
const ofBitcoin = { BRR: 'RR', BRRNY: 'NY', BRRAP: 'AP' } as const
/** An id of this form, followed by an S, is that of a settlement price. */
const settled = /^(NCI|NQ|BVX)[A-Z]*$/

/** When a daily rate is published: by its reference data, else by the rule for its id. Undefined for other indices. */
export function fixingTime(id: IndexId, facts: readonly Fact[] = []): FixingTime | undefined {
  const [clock, zone] = ['publicationTime', 'publicationTimeZone'].map((field) => textOf(facts, field))
  if (clock !== undefined && zone !== undefined && clockPattern.test(clock) && isNamedZone(zone)) {
    return { clock, zone }
  }
  const ofRate = Object.entries(ofBitcoin).find(([rate]) => rate === id)?.[1]
  const end = ofRate ?? (/^[A-Z0-9]+_(RR|NY|AP)(_TR)?$/.exec(id)?.[1] as keyof typeof times | undefined)
  return end && times[end]
}

/** The length of the observation window before a fixing, in milliseconds. Undefined if the reference data lack it. */
export function observationMs(facts: readonly Fact[]): number | undefined {
  const parameters = textOf(facts, 'referenceRateParameters') ?? ''
  return durationMs(/"windowDuration":"([^"]*)"/.exec(parameters)?.[1] ?? '')
}

/** Milliseconds of an ISO 8601 duration such as `PT1H30M`. Undefined for zero and for any other text. */
export function durationMs(text: string): number | undefined {
  if (!/^PT(?=\d)(\d+H)?(\d+M)?(\d+S)?$/.test(text)) return undefined
  const { hours, minutes, seconds } = parseDuration(text)
  return ((hours * 60 + minutes) * 60 + seconds) * 1_000 || undefined
}

function textOf(facts: readonly Fact[], field: string): string | undefined {
  return facts.find(({ name }) => name === field)?.text
}

/** The real-time index for the asset of a daily rate, if the service lists it. */
export function realTimeOf(id: IndexId, listed: (id: IndexId) => boolean): IndexId | undefined {
  const wanted =
    id in ofBitcoin
      ? 'BRTI'
      : settled.test(id)
        ? /^(.*)S$/.exec(id)?.[1]
        : /_(RR|NY|AP)(_TR)?$/.test(id)
          ? id.replace(/_(RR|NY|AP)/, '_RTI')
          : undefined
  return wanted !== undefined && listed(wanted) ? wanted : undefined
}

/** True for a daily rate that has a fixing sheet. */
export function hasFixingSheet(id: IndexId, listed: (id: IndexId) => boolean): boolean {
  return fixingTime(id) !== undefined || realTimeOf(id, listed) !== undefined
}

/** The listed daily rates for the asset of a real-time index: London, New York, Hong Kong, settlement. */
export function fixingsOf(id: IndexId, listed: (id: IndexId) => boolean): IndexId[] {
  const ends = /_RTI(_TR)?$/.test(id) ? Object.keys(times).map((end) => id.replace('_RTI', `_${end}`)) : []
  const wanted = id === 'BRTI' ? Object.keys(ofBitcoin) : settled.test(id) ? [`${id}S`] : ends
  return wanted.filter(listed)
}

/** The place of a fixing: `Europe/London` gives `London`. */
export function placeOf({ zone }: Pick<FixingTime, 'zone'>): string {
  return zone.slice(zone.lastIndexOf('/') + 1).replaceAll('_', ' ')
}

/** A time as `HH:MM` by the clock of a fixing. */
export function clockOf({ zone }: FixingTime, atMs: number): string {
  return toTime(fromAbsolute(atMs, zone)).toString().slice(0, 5)
}

/**
 * The last due time of a rate at or before `atMs`. `onBusinessDays`: never on a weekend. Holidays are not considered.
 */
export function lastFixingMs(time: FixingTime, atMs: number, onBusinessDays: boolean): number {
  return timesAround(time, atMs, onBusinessDays).findLast((each) => each <= atMs) ?? atMs
}

/** The first due time of a rate after `atMs`. See `lastFixingMs`. */
export function nextFixingMs(time: FixingTime, atMs: number, onBusinessDays: boolean): number {
  return timesAround(time, atMs, onBusinessDays).find((each) => each > atMs) ?? atMs
}

/** Covers a weekend in both directions. */
function timesAround({ clock, zone }: FixingTime, atMs: number, onBusinessDays: boolean): number[] {
  const today = toCalendarDate(fromAbsolute(atMs, zone))
  return [-3, -2, -1, 0, 1, 2, 3]
    .map((days) => today.add({ days }))
    .filter((day) => !onBusinessDays || !isWeekend(day, 'en-GB'))
    .map((day) =>
      toZoned(toCalendarDateTime(day, parseTime(clock)), zone)
        .toDate()
        .getTime(),
    )
}
