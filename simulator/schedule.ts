import type { RequestedResolution, Resolution } from '../core/model'

const secondMs = 1_000
const minuteMs = 60_000
const hourMs = 3_600_000
const dayMs = 86_400_000

/** Time zone in which a daily index publishes at 16:00. */
export type PublicationZone = 'Europe/London' | 'America/New_York' | 'Asia/Hong_Kong'

/** When an index publishes: at exact multiples of a step, or each day at 16:00 in a zone. */
export type Schedule = { readonly stepMs: 200 | 1_000 } | { readonly dailyIn: PublicationZone }

export const everyTick: Schedule = { stepMs: 200 }
export const everySecond: Schedule = { stepMs: 1_000 }
export const london: Schedule = { dailyIn: 'Europe/London' }
export const newYork: Schedule = { dailyIn: 'America/New_York' }
export const hongKong: Schedule = { dailyIn: 'Asia/Hong_Kong' }

/** The publication frequency as the service names it (protocol, 2.7). */
export function resolutionOf(schedule: Schedule): Resolution {
  if ('dailyIn' in schedule) return 'DAILY'
  return schedule.stepMs === 200 ? 'PER_200MS' : 'PER_SECOND'
}

/** Whether a value of this time belongs to this resolution (protocol, 2.1, rules 1 and 2). */
export function isWithin(timeMs: number, resolution: RequestedResolution): boolean {
  return resolution === 'PER_200MS' || timeMs % secondMs === 0
}

/**
 * The times at which an index published after `afterMs` and until `untilMs`, ascending. `PER_SECOND` omits the
 * times between second boundaries.
 */
export function timesBetween(
  schedule: Schedule,
  afterMs: number,
  untilMs: number,
  resolution: RequestedResolution,
): number[] {
  const times: number[] = []
  if ('dailyIn' in schedule) {
    for (let day = dayOf(afterMs) - 1; day <= dayOf(untilMs) + 1; day++) {
      const timeMs = timeOfDay(schedule.dailyIn, day)
      if (timeMs > afterMs && timeMs <= untilMs) times.push(timeMs)
    }
    return times
  }
  const stepMs = stepFor(schedule.stepMs, resolution)
  for (let timeMs = (Math.floor(afterMs / stepMs) + 1) * stepMs; timeMs <= untilMs; timeMs += stepMs) times.push(timeMs)
  return times
}

/** Like `timesBetween` for second boundaries, but at most one a minute, on the minute. */
export function minutesBetween(schedule: Schedule, afterMs: number, untilMs: number): number[] {
  if ('dailyIn' in schedule) return timesBetween(schedule, afterMs, untilMs, 'PER_SECOND')
  const times: number[] = []
  for (let timeMs = (Math.floor(afterMs / minuteMs) + 1) * minuteMs; timeMs <= untilMs; timeMs += minuteMs) {
    times.push(timeMs)
  }
  return times
}

/** The last time at or before `nowMs` at which an index published. */
export function latestTime(schedule: Schedule, nowMs: number, resolution: RequestedResolution): number {
  if ('dailyIn' in schedule) {
    let day = dayOf(nowMs) + 1
    while (timeOfDay(schedule.dailyIn, day) > nowMs) day--
    return timeOfDay(schedule.dailyIn, day)
  }
  const stepMs = stepFor(schedule.stepMs, resolution)
  return Math.floor(nowMs / stepMs) * stepMs
}

/** How far back `values` reaches: an hour for real-time indices, a year for daily ones (protocol, 4.2). */
export function historySpanMs(schedule: Schedule): number {
  return 'dailyIn' in schedule ? 365 * dayMs : hourMs
}

/** The UTC day of a time as days since the Unix epoch. Each zone's 16:00 falls on its own date's UTC day. */
export function dayOf(timeMs: number): number {
  return Math.floor(timeMs / dayMs)
}

function stepFor(stepMs: 200 | 1_000, resolution: RequestedResolution): number {
  return resolution === 'PER_200MS' ? stepMs : secondMs
}

const formats = new Map<PublicationZone, Intl.DateTimeFormat>()
const knownTimes = new Map<PublicationZone, Map<number, number>>()

/** 16:00 in a zone on a day, in epoch milliseconds. Results are cached, because time-zone arithmetic is slow. */
function timeOfDay(zone: PublicationZone, day: number): number {
  const ofZone = knownTimes.get(zone) ?? new Map<number, number>()
  knownTimes.set(zone, ofZone)
  const known = ofZone.get(day)
  if (known !== undefined) return known
  const localMs = day * dayMs + 16 * hourMs
  // Daylight saving time starts and ends at night: noon UTC of the day has the offset that 16:00 local has.
  const timeMs = localMs - offsetMs(zone, day * dayMs + 12 * hourMs)
  ofZone.set(day, timeMs)
  return timeMs
}

function offsetMs(zone: PublicationZone, timeMs: number): number {
  const format =
    formats.get(zone) ??
    new Intl.DateTimeFormat('en-US', { timeZone: zone, timeZoneName: 'longOffset', hour: 'numeric' })
  formats.set(zone, format)
  const name = format.formatToParts(timeMs).find(({ type }) => type === 'timeZoneName')?.value ?? ''
  const match = /^GMT(?:([+-])(\d\d):(\d\d))?$/.exec(name)
  if (match === null) throw new Error(`unreadable offset of ${zone}: ${name}`)
  const minutes = Number(match[2] ?? '0') * 60 + Number(match[3] ?? '0')
  return (match[1] === '-' ? -minutes : minutes) * 60_000
}
