import type { Fixing } from './catalogue'

const dayMs = 86_400_000
const formats = new Map<string, Intl.DateTimeFormat>()

function formatOf(zone: string): Intl.DateTimeFormat {
  const known = formats.get(zone)
  if (known !== undefined) return known
  const format = new Intl.DateTimeFormat('en-GB', {
    timeZone: zone,
    hourCycle: 'h23',
    year: 'numeric',
    month: 'numeric',
    day: 'numeric',
    hour: 'numeric',
    minute: 'numeric',
  })
  formats.set(zone, format)
  return format
}

/** How far a zone's clocks are ahead of UTC at a moment. */
function aheadMs(zone: string, timeMs: number): number {
  const part: Record<string, number> = {}
  for (const { type, value } of formatOf(zone).formatToParts(timeMs)) part[type] = Number(value)
  const local = Date.UTC(
    part['year'] ?? 0,
    (part['month'] ?? 1) - 1,
    part['day'] ?? 1,
    part['hour'] ?? 0,
    part['minute'] ?? 0,
  )
  return local - Math.floor(timeMs / 60_000) * 60_000
}

/** The publication time of one calendar day, given as days since the epoch. No zone shifts its clocks at a fixing. */
function fixingOn({ hour, zone }: Fixing, day: number): number {
  const local = day * dayMs + hour * 3_600_000
  return local - aheadMs(zone, local - aheadMs(zone, local))
}

/** Publication times of a daily index after `fromMs` and up to `toMs`, ascending, each on the hour in its own zone. */
export function fixingsBetween(fixing: Fixing, fromMs: number, toMs: number): number[] {
  const times: number[] = []
  for (let day = Math.floor(fromMs / dayMs) - 1; day <= Math.floor(toMs / dayMs) + 1; day++) {
    const timeMs = fixingOn(fixing, day)
    if (timeMs > fromMs && timeMs <= toMs) times.push(timeMs)
  }
  return times
}

/** The last publication time at or before `timeMs`. */
export function lastFixing(fixing: Fixing, timeMs: number): number {
  return fixingsBetween(fixing, timeMs - 2 * dayMs, timeMs).at(-1) ?? timeMs
}
