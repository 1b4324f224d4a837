/**
 * Counts the firings that rules should have, in a few lines that share no code with the app, and compares them with a
 * record.
 */
import type { BandTerms, LevelTerms, MoveTerms } from '../../core/alerts'
import type { DecimalText } from '../../core/model'

const places = 8

const known = new Map<DecimalText, bigint>()

/**
 * A decimal with at most eight places as an integer of 10^-8. Cached, because every rule asks for the same few texts.
 */
function unitsOf(text: DecimalText): bigint {
  const found = known.get(text)
  if (found !== undefined) return found
  const [whole = '', fraction = ''] = text.split('.')
  const units = BigInt(whole + fraction.padEnd(places, '0'))
  known.set(text, units)
  return units
}

export type SteadyTerms = LevelTerms | BandTerms

/** A rule that the count supports. The first two kinds judge each value, the third a window of values. */
export type CountedRule = { terms: SteadyTerms } | { terms: SteadyTerms; holdMs: number } | { terms: MoveTerms }

interface Seen {
  atMs: number
  value: bigint
}

interface Side {
  direction: 'up' | 'down'
  holds: (value: bigint) => boolean
  rearms: (value: bigint) => boolean
  isArmed?: boolean
  /** How long the condition has been true, without gaps. */
  hold?: { heldMs: number; lastMs: number }
}

function widthAt(edge: bigint, { rearmBand }: SteadyTerms): bigint {
  if (rearmBand === undefined) return 0n
  return rearmBand.unit === 'points' ? unitsOf(rearmBand.size) : (edge * BigInt(rearmBand.size)) / 10_000n
}

function sidesOf(terms: SteadyTerms): Side[] {
  if ('low' in terms) {
    const [low, high] = [unitsOf(terms.low), unitsOf(terms.high)]
    const [lowWidth, highWidth] = [widthAt(low, terms), widthAt(high, terms)]
    const isInside = (value: bigint) => value >= low && value <= high
    const isFarInside = (value: bigint) => value >= low + lowWidth && value <= high - highWidth
    const isFarOutside = (value: bigint) => value < low - lowWidth || value > high + highWidth
    return terms.condition === 'entersBand'
      ? [{ direction: 'up', holds: isInside, rearms: isFarOutside }]
      : [{ direction: 'up', holds: (value) => !isInside(value), rearms: isFarInside }]
  }
  const level = unitsOf(terms.level)
  const width = widthAt(level, terms)
  const isStrict = terms.condition === 'isAbove' || terms.condition === 'isBelow'
  const up: Side = {
    direction: 'up',
    holds: (value) => (isStrict ? value > level : value >= level),
    rearms: (value) => value < level - width,
  }
  const down: Side = {
    direction: 'down',
    holds: (value) => (isStrict ? value < level : value <= level),
    rearms: (value) => value > level + width,
  }
  if (terms.condition === 'crosses') return [up, down]
  return terms.condition === 'risesTo' || terms.condition === 'isAbove' ? [up] : [down]
}

/** Whether a condition has held long enough. False at a gap, whose duration does not count. */
function isHeld(side: Side, atMs: number, { holdMs, maxGapMs }: { holdMs: number; maxGapMs: number }): boolean {
  const { heldMs, lastMs } = side.hold ?? { heldMs: 0, lastMs: atMs }
  const isGap = atMs - lastMs > maxGapMs
  side.hold = { heldMs: isGap ? heldMs : heldMs + atMs - lastMs, lastMs: atMs }
  return !isGap && side.hold.heldMs >= holdMs
}

/**
 * Latches that start armed where the condition is false. Returns the directions that fire at a value. A band has an
 * empty direction.
 */
function latches(terms: SteadyTerms, holdMs: number, maxGapMs: number) {
  const sides = sidesOf(terms)
  return ({ atMs, value }: Seen): string[] =>
    sides.flatMap((side) => {
      const holds = side.holds(value)
      const isMet = side.isArmed === true && holds
      const fires = isMet && isHeld(side, atMs, { holdMs, maxGapMs })
      if (!isMet || fires) delete side.hold
      side.isArmed = side.isArmed === undefined ? !holds : (side.isArmed && !fires) || side.rearms(value)
      return fires ? ['low' in terms ? '' : side.direction] : []
    })
}

const hundredPercent = 100n * unitsOf('1')

/**
 * Compares the newest value with the lowest and highest of a window, in percent of these. The window includes its
 * oldest moment. It fires only after a whole window was seen. After a firing the window restarts at the value that
 * fired.
 */
function moves({ amount, direction, withinMs }: MoveTerms) {
  let window: Seen[] = []
  let coveredFromMs: number | undefined
  return (seen: Seen): string[] => {
    coveredFromMs ??= seen.atMs + withinMs
    window = [...window.filter(({ atMs }) => atMs >= seen.atMs - withinMs), seen]
    if (seen.atMs < coveredFromMs) return []
    const all = window.map(({ value }) => value)
    const low = all.reduce((one, other) => (other < one ? other : one))
    const high = all.reduce((one, other) => (other > one ? other : one))
    const [rise, fall] = [seen.value - low, high - seen.value]
    const isUp = direction === 'up' || (direction === 'either' && rise * high >= fall * low)
    const [by, from] = isUp ? [rise, low] : [fall, high]
    if (by * hundredPercent < unitsOf(amount) * from) return []
    window = [seen]
    return [isUp ? 'up' : 'down']
  }
}

/** One rule over values in order of time. Moves are in percent. */
export class ReferenceRule {
  readonly #judge: (seen: Seen) => string[]

  /** A gap longer than `maxGapMs` pauses a hold. */
  constructor(rule: CountedRule, maxGapMs: number) {
    const { terms } = rule
    this.#judge =
      terms.condition === 'moves' ? moves(terms) : latches(terms, 'holdMs' in rule ? rule.holdMs : 0, maxGapMs)
  }

  /** Returns the directions that fire at this value. A band has an empty direction. */
  see(text: DecimalText, atMs: number): string[] {
    return this.#judge({ atMs, value: unitsOf(text) })
  }
}

/** Identifies a crossing by rule, publication and direction. */
export function crossingKey(
  ruleId: string,
  publishedAtMs: number,
  { value, direction }: { value: DecimalText; direction: string },
): string {
  return [ruleId, publishedAtMs, value, direction].join(' ')
}

export interface Differences {
  missed: number
  doubled: number
  false: number
}

/** The differences between recorded and expected crossings. Each expected crossing must be recorded once. */
export function compareCrossings(expected: readonly string[], recorded: readonly string[]): Differences {
  const wanted = new Set(expected)
  const found = new Set(recorded)
  return {
    missed: [...wanted].filter((key) => !found.has(key)).length,
    doubled: recorded.length - found.size,
    false: [...found].filter((key) => !wanted.has(key)).length,
  }
}
