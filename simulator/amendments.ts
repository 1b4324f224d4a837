import type { IndexDefinition } from './index-definition'
import { chanceOf } from './noise'
import { dayOf } from './schedule'

const secondMs = 1_000
const minuteMs = 60_000
const slotMinutes = 10
const slotMs = slotMinutes * minuteMs
/** Fraction of the ten-minute slots of a real-time index in which one value is amended later: about three a day. */
const amendedSlots = 0.02
/** Two or three a year, as at a provider. More would cover the chart of a year with marks. */
const amendedDays = 0.007
const failedDays = 0.007

/** A value that is published again. */
export interface Amendment {
  /** Time of the value amended, epoch milliseconds. */
  readonly timeMs: number
  readonly amendTimeMs: number
  /** Change of the level as a fraction: some basis points. */
  readonly shift: number
}

/** Whether the calculation of this day failed, so that the previous day's value is repeated (protocol, 2.4). */
export function isFailedDay(seed: number, { id, schedule, failsOn }: IndexDefinition, timeMs: number): boolean {
  if (!('dailyIn' in schedule)) return false
  const day = dayOf(timeMs)
  if (failsOn !== undefined) return (day % 2 === 0) === (failsOn === 'evenDays')
  return chanceOf(seed, id, day, 'failed') < failedDays
}

/** The amendment of the value of this time, if any. Made some seconds later, or hours later for a daily index. */
export function amendmentOf(seed: number, index: IndexDefinition, timeMs: number): Amendment | undefined {
  if ('dailyIn' in index.schedule) return dailyAmendment(seed, index, timeMs)
  if (timeMs % secondMs !== 0) return undefined
  const amendment = slotAmendment(seed, index.id, Math.floor(timeMs / slotMs))
  return amendment?.timeMs === timeMs ? amendment : undefined
}

/** Amendments made after `afterMs` and until `untilMs`, for an index and the time of its latest value. */
export function amendmentsBetween(
  seed: number,
  index: IndexDefinition,
  { afterMs, untilMs, latestTimeMs }: { afterMs: number; untilMs: number; latestTimeMs: number },
): Amendment[] {
  const found: Amendment[] = []
  const collect = (amendment: Amendment | undefined) => {
    if (amendment !== undefined && amendment.amendTimeMs > afterMs && amendment.amendTimeMs <= untilMs) {
      found.push(amendment)
    }
  }
  if ('dailyIn' in index.schedule) collect(dailyAmendment(seed, index, latestTimeMs))
  // An amendment may be due in the slot after its value.
  else
    for (let slot = slotOf(afterMs) - 1; slot <= slotOf(untilMs); slot++) collect(slotAmendment(seed, index.id, slot))
  return found
}

function slotOf(timeMs: number): number {
  return Math.floor(timeMs / slotMs)
}

function dailyAmendment(seed: number, index: IndexDefinition, timeMs: number): Amendment | undefined {
  const day = dayOf(timeMs)
  const { id } = index
  if (isFailedDay(seed, index, timeMs) || chanceOf(seed, id, day, 'amended') >= amendedDays) return undefined
  const delayMs = Math.round(60 + 120 * chanceOf(seed, id, day, 'delay')) * minuteMs
  return { timeMs, amendTimeMs: timeMs + delayMs, shift: shiftOf(seed, id, day) }
}

/** On a second boundary, which every subscriber sees, but never on a full minute: daily indices settle there. */
function slotAmendment(seed: number, id: string, slot: number): Amendment | undefined {
  if (chanceOf(seed, id, slot, 'amended') >= amendedSlots) return undefined
  const minute = Math.floor(slotMinutes * chanceOf(seed, id, slot, 'minute'))
  const second = 1 + Math.floor(59 * chanceOf(seed, id, slot, 'second'))
  const timeMs = slot * slotMs + minute * minuteMs + second * secondMs
  const delayMs = Math.round(4 + 36 * chanceOf(seed, id, slot, 'delay')) * secondMs
  return { timeMs, amendTimeMs: timeMs + delayMs, shift: shiftOf(seed, id, slot) }
}

/** One to four basis points, up or down. */
function shiftOf(seed: number, id: string, period: number): number {
  const size = (1 + 3 * chanceOf(seed, id, period, 'size')) / 10_000
  return chanceOf(seed, id, period, 'direction') < 0.5 ? -size : size
}
