/** The latches that all conditions share (alert engine, 1 to 5). They turn readings into firings, holds and repeats. */
import { spanText } from '../spans'
import type { AlertInputs } from '../alert-inputs'
import type { AlertTiming } from '../alert-timing'
import type { DecimalText, Publication, Resolution } from '../model'
import { hoursDay } from '../alert-hours'
import { allowedGapMs } from './observation'
import type { Direction, Hold, Latch } from './state'

/** A condition in one direction. */
export interface Side {
  holds: boolean
  /** True if the value is far enough back to re-arm. */
  arms: boolean
}

/** What a condition reads from an observation. A direction that is not watched is missing. */
export interface Reading {
  up?: Side
  down?: Side
  /**
   * What happens if the condition is true at the first observation. `asSaid`: as the user chose. `waits`: always waits,
   * because a crossing is an event. `fires`: always fires, because it cannot have been true before.
   */
  atFirst: 'asSaid' | 'waits' | 'fires'
  /** The observation, and how often the index publishes. */
  seen: { publication: Pick<Publication, 'publishedAtMs'>; cadence?: Resolution }
  inputs: (direction: Direction) => AlertInputs
  measure?: DecimalText
  /** Words for the result, such as "99.5 is below 100", and for what is awaited, such as "it is below 99.95". */
  fact: string
  rearm: string
}

export interface LatchVerdict {
  /** The same object if nothing changed. */
  latch: Latch
  firing?: AlertInputs
  /** It would have fired, but is outside the rule's hours. */
  isOutsideHours?: true
  words: string
}

/** Evaluates a reading. */
export function judgeLatch(timing: AlertTiming, latch: Latch, reading: Reading): LatchVerdict {
  const { publishedAtMs } = reading.seen.publication
  const { holdMs = 0, hours } = timing
  const day = hours && hoursDay(hours, publishedAtMs)
  const isOutside = hours !== undefined && day === undefined
  const isStart = hours?.alsoIfTrue === true && day !== undefined && day !== latch.hoursDay
  const armed = armedBefore(latch, reading, isStart)
  const holds = (direction: Direction) => armed[direction] && reading[direction]?.holds === true
  // At exactly the level both directions are true. The one that already holds continues.
  const going = latch.hold?.direction
  const holding = going !== undefined && holds(going) ? going : (['up', 'down'] as const).find(holds)
  const hold = holding === undefined || holdMs === 0 ? undefined : advance(latch.hold, holding, reading)
  const isPaused = hold?.isPaused === true
  const isHeld = holding !== undefined && (hold === undefined || (!isPaused && hold.heldMs >= holdMs))
  const fires = isHeld ? holding : holding === undefined ? repeatDue(timing, latch, reading) : undefined
  const next: Latch = {
    isUpArmed: reading.up !== undefined && (reading.up.arms || (armed.up && fires !== 'up')),
    isDownArmed: reading.down !== undefined && (reading.down.arms || (armed.down && fires !== 'down')),
    ...(hold !== undefined && !isHeld && { hold: plainHold(hold) }),
    // A condition that is true outside the hours is not repeated when they start.
    ...(!isOutside && repeatingAfter(timing, latch, reading, fires)),
    ...(isStart ? { hoursDay: day } : latch.hoursDay !== undefined && { hoursDay: latch.hoursDay }),
  }
  const words = wordsOf(latch, next, reading, { fires, isOutside, holdMs, isPaused })
  const kept = isSameLatch(latch, next) ? latch : next
  if (fires === undefined) return { latch: kept, words }
  if (isOutside) return { latch: kept, isOutsideHours: true, words }
  const sinceMs = isHeld && hold !== undefined ? { heldSinceMs: hold.sinceMs } : {}
  return { latch: kept, firing: { publishedAtMs, ...reading.inputs(fires), ...sinceMs }, words }
}

/**
 * Evaluates a value carried forward, if the user lets it count. It confirms or breaks a hold. It neither fires nor arms
 * (alert engine, 11).
 */
export function confirmHold(latch: Latch, reading: Reading): LatchVerdict {
  const { hold, ...rest } = latch
  if (hold === undefined) return { latch, words: 'Carried forward: skipped.' }
  if (reading[hold.direction]?.holds !== true)
    return { latch: rest, words: `Carried forward, ${reading.fact}: no hold.` }
  const longer = plainHold(advance(hold, hold.direction, reading))
  return {
    latch: { ...rest, hold: longer },
    words: `Carried forward, ${reading.fact}: held ${spanText(longer.heldMs)}.`,
  }
}

function armedBefore(latch: Latch, { up, down, atFirst }: Reading, isStart: boolean) {
  if (latch.whenAlreadyMet === undefined) {
    const fires = (side: Side | undefined) => isStart && side?.holds === true
    return { up: latch.isUpArmed || fires(up), down: latch.isDownArmed || fires(down) }
  }
  const mayFire = atFirst === 'fires' || (atFirst === 'asSaid' && latch.whenAlreadyMet === 'fire')
  return { up: up !== undefined && (mayFire || !up.holds), down: down !== undefined && (mayFire || !down.holds) }
}

function advance(before: Hold | undefined, direction: Direction, { seen }: Reading) {
  const { publishedAtMs } = seen.publication
  if (before?.direction !== direction) {
    return { direction, sinceMs: publishedAtMs, heldMs: 0, lastMs: publishedAtMs, isPaused: false }
  }
  const gapMs = publishedAtMs - before.lastMs
  const isPaused = gapMs > allowedGapMs(seen.cadence)
  return { ...before, heldMs: before.heldMs + (isPaused ? 0 : gapMs), lastMs: publishedAtMs, isPaused }
}

function plainHold({ direction, sinceMs, heldMs, lastMs }: Hold): Hold {
  return { direction, sinceMs, heldMs, lastMs }
}

function repeatDue({ repeat }: AlertTiming, { repeating }: Latch, reading: Reading): Direction | undefined {
  if (repeat.mode !== 'whileTrue' || repeating === undefined) return undefined
  const isDue = reading.seen.publication.publishedAtMs - repeating.firedAtMs >= repeat.everyMinutes * 60_000
  return isDue && reading[repeating.direction]?.holds === true ? repeating.direction : undefined
}

/**
 * A condition that ends for a moment and not beyond the band counts as continuing. Otherwise it could be true for hours
 * without a notification.
 */
function repeatingAfter(
  { repeat }: AlertTiming,
  { repeating }: Latch,
  reading: Reading,
  fires: Direction | undefined,
): Pick<Latch, 'repeating'> {
  if (repeat.mode !== 'whileTrue') return {}
  if (fires !== undefined) return { repeating: { direction: fires, firedAtMs: reading.seen.publication.publishedAtMs } }
  const side = repeating && reading[repeating.direction]
  return repeating !== undefined && side !== undefined && (side.holds || !side.arms) ? { repeating } : {}
}

function isSameLatch(a: Latch, b: Latch): boolean {
  return (
    a.whenAlreadyMet === undefined &&
    a.isUpArmed === b.isUpArmed &&
    a.isDownArmed === b.isDownArmed &&
    a.hold === undefined &&
    b.hold === undefined &&
    a.repeating?.firedAtMs === b.repeating?.firedAtMs &&
    a.hoursDay === b.hoursDay
  )
}

function wordsOf(
  before: Latch,
  after: Latch,
  { fact, rearm }: Reading,
  {
    fires,
    isOutside,
    holdMs,
    isPaused,
  }: { fires: Direction | undefined; isOutside: boolean; holdMs: number; isPaused: boolean },
): string {
  if (fires !== undefined) return `${fact}: ${isOutside ? 'outside its hours' : 'fired'}.`
  if (after.hold !== undefined) {
    const held = `held ${spanText(after.hold.heldMs)} of ${spanText(holdMs)}`
    return isPaused ? `${fact}: ${held}, time without values does not count.` : `${fact}: ${held}.`
  }
  if (after.isUpArmed || after.isDownArmed) {
    if (before.hold !== undefined) return `${fact}: did not hold long enough.`
    const wasArmed = before.isUpArmed || before.isDownArmed || before.whenAlreadyMet !== undefined
    return wasArmed ? `${fact}: armed.` : `${fact}: re-armed.`
  }
  const already = before.whenAlreadyMet === undefined ? '' : ' already'
  return `${fact}${already}. Waits until ${rearm}.`
}
