/** What rules should have fired, counted in a few lines that share nothing with the app's, and how a record differs. */
import type { BandTerms, LevelTerms } from '../../protocol/alerts'
import type { DecimalText } from '../../protocol/model'

const places = 8

/** A decimal with at most eight places as an integer of 10^-8. */
function unitsOf(text: DecimalText): bigint {
  const [whole = '', fraction = ''] = text.split('.')
  return BigInt(whole + fraction.padEnd(places, '0'))
}

export type SteadyTerms = LevelTerms | BandTerms

interface Side {
  direction: 'up' | 'down'
  holds: (value: bigint) => boolean
  rearms: (value: bigint) => boolean
  isArmed?: boolean
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

/** One rule, as the definitions have it: two latches, armed at first where the condition does not hold. */
export class ReferenceRule {
  readonly #sides: Side[]
  readonly #isBand: boolean

  constructor(terms: SteadyTerms) {
    this.#sides = sidesOf(terms)
    this.#isBand = 'low' in terms
  }

  /** The directions that fire at this value; a band's firing has none. */
  see(text: DecimalText): string[] {
    const value = unitsOf(text)
    return this.#sides.flatMap((side) => {
      const holds = side.holds(value)
      const fires = side.isArmed === true && holds
      side.isArmed = side.isArmed === undefined ? !holds : (side.isArmed && !holds) || side.rearms(value)
      return fires ? [this.#isBand ? '' : side.direction] : []
    })
  }
}

/** What identifies a crossing: the rule, the publication and the direction. */
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

/** How the crossings that were recorded differ from those expected; each of the latter happens once. */
export function compareCrossings(expected: readonly string[], recorded: readonly string[]): Differences {
  const wanted = new Set(expected)
  const found = new Set(recorded)
  return {
    missed: [...wanted].filter((key) => !found.has(key)).length,
    doubled: recorded.length - found.size,
    false: [...found].filter((key) => !wanted.has(key)).length,
  }
}
