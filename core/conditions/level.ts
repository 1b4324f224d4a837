/** Levels and bands: values against one number or two (alerts, 1 to 3). */
import type { BandTerms, LevelTerms, RearmBand } from '../alerts'
import { compareDecimals, parseDecimal, type Decimal } from '../decimal'
import type { DecimalText } from '../model'
import { add, exactText, multiply, readExact, sizeOf, subtract, type Exact } from './exact'
import type { Reading, Side } from './latch'
import { allowedGapMs, valueInputs, type ValueSeen } from './observation'
import { once } from './once'
import type { Latch } from './state'

/** A level with the numbers beyond which a rule is armed again. */
interface Edge {
  text: DecimalText
  at: Decimal
  below: Decimal
  above: Decimal
  belowText: DecimalText
  aboveText: DecimalText
}

const tenThousandth: Exact = { units: 1n, scale: 4 }

const edgesOf = once((terms: LevelTerms | BandTerms): readonly Edge[] | undefined => {
  const levels = 'level' in terms ? [terms.level] : [terms.low, terms.high]
  const edges = levels.flatMap((level) => edgeOf(level, terms.rearmBand) ?? [])
  return edges.length === levels.length ? edges : undefined
})

function edgeOf(text: DecimalText, band: RearmBand | undefined): Edge | undefined {
  const level = readExact(text)
  const size = band === undefined ? { units: 0n, scale: 0 } : readExact(band.size)
  if (level === undefined || size === undefined) return undefined
  const points =
    band?.unit === 'basisPoints' ? multiply(multiply(sizeOf(level), sizeOf(size)), tenThousandth) : sizeOf(size)
  const belowText = band === undefined ? text : exactText(subtract(level, points))
  const aboveText = band === undefined ? text : exactText(add(level, points))
  const [at, below, above] = [text, belowText, aboveText].map(parseDecimal)
  // A number with more digits than the app reads has no band.
  if (at === undefined || below === undefined || above === undefined) return undefined
  return { text, at, below, above, belowText, aboveText }
}

/** Reads a value against a level or a band; a sentence where there is nothing to compare. */
export function readLevels(terms: LevelTerms | BandTerms, seen: ValueSeen): Reading | string {
  const edges = edgesOf(terms)
  const value = parseDecimal(seen.publication.value)
  const [low, high = low] = edges ?? []
  if (low === undefined || high === undefined) return 'The level cannot be compared.'
  if (value === undefined) return 'The value is not a number.'
  // Feeds send bogus zeros; where the level is zero it is a value as any other.
  if (value.sign === 0 && low.at.sign !== 0 && high.at.sign !== 0) return 'A zero is skipped.'
  return 'level' in terms ? readLevel(terms, low, value, seen) : readBand(terms, low, high, value, seen)
}

/**
 * Whether a value leaves latches as they are: none that is armed may fire, none that is not is armed. What nearly every
 * value is asked, and so without words.
 */
export function leavesLatches(terms: LevelTerms | BandTerms, value: Decimal, latch: Latch): boolean {
  const edges = edgesOf(terms)
  const low = edges?.[0]
  if (low === undefined) return false
  const high = edges?.[1] ?? low
  // A zero may be a bogus one.
  if (value.sign === 0) return false
  if (!('level' in terms)) {
    const { holds, arms } = bandSide(terms, low, high, value)
    return latch.isUpArmed ? !holds : !arms
  }
  const order = compareDecimals(value, low.at)
  return (
    (latch.isUpArmed ? !holdsUp(terms, order) : !(watchesUp(terms) && armsUp(low, value))) &&
    (latch.isDownArmed ? !holdsDown(terms, order) : !(watchesDown(terms) && armsDown(low, value)))
  )
}

const watchesUp = ({ condition }: LevelTerms) => condition !== 'fallsTo' && condition !== 'isBelow'
const watchesDown = ({ condition }: LevelTerms) => condition !== 'risesTo' && condition !== 'isAbove'
/** `order`: of the value and the level. */
const holdsUp = ({ condition }: LevelTerms, order: number) => (condition === 'isAbove' ? order > 0 : order >= 0)
const holdsDown = ({ condition }: LevelTerms, order: number) => (condition === 'isBelow' ? order < 0 : order <= 0)
const armsUp = (edge: Edge, value: Decimal) => compareDecimals(value, edge.below) < 0
const armsDown = (edge: Edge, value: Decimal) => compareDecimals(value, edge.above) > 0

function readLevel(terms: LevelTerms, edge: Edge, value: Decimal, seen: ValueSeen): Reading {
  const order = compareDecimals(value, edge.at)
  const [isUpWatched, isDownWatched] = [watchesUp(terms), watchesDown(terms)]
  const place = order === 0 ? 'at' : order < 0 ? 'below' : 'above'
  const rearms = [
    ...(isUpWatched ? [`below ${edge.belowText}`] : []),
    ...(isDownWatched ? [`above ${edge.aboveText}`] : []),
  ]
  return {
    ...(isUpWatched && { up: { holds: holdsUp(terms, order), arms: armsUp(edge, value) } }),
    ...(isDownWatched && { down: { holds: holdsDown(terms, order), arms: armsDown(edge, value) } }),
    atFirst: terms.condition === 'crosses' ? 'waits' : 'asSaid',
    publishedAtMs: seen.publication.publishedAtMs,
    allowedGapMs: allowedGapMs(seen.cadence),
    inputs: (direction) => ({ ...valueInputs(seen), direction }),
    fact: `${seen.publication.value} is ${place} ${edge.text}`,
    rearm: `it is ${rearms.join(' or ')}`,
  }
}

const isWithin = (low: Edge, high: Edge, value: Decimal) => {
  return compareDecimals(value, low.at) >= 0 && compareDecimals(value, high.at) <= 0
}
/** With a re-arm band as wide as the band itself nothing would be far enough inside: there it does not count. */
const hasInside = (low: Edge, high: Edge) => compareDecimals(low.above, high.below) <= 0

/** One latch is enough: a value is inside or it is not. */
function bandSide({ condition }: BandTerms, low: Edge, high: Edge, value: Decimal): Side {
  const isInside = isWithin(low, high, value)
  if (condition === 'entersBand') {
    return { holds: isInside, arms: compareDecimals(value, low.below) < 0 || compareDecimals(value, high.above) > 0 }
  }
  const isFarInside = compareDecimals(value, low.above) >= 0 && compareDecimals(value, high.below) <= 0
  return { holds: !isInside, arms: hasInside(low, high) ? isFarInside : isInside }
}

/** Low and high belong to the band. */
function readBand(terms: BandTerms, low: Edge, high: Edge, value: Decimal, seen: ValueSeen): Reading {
  const isInside = isWithin(low, high, value)
  const direction = compareDecimals(value, high.at) > 0 ? 'up' : 'down'
  const inside = hasInside(low, high) ? `${low.aboveText} to ${high.belowText}` : `${low.text} to ${high.text}`
  return {
    up: bandSide(terms, low, high, value),
    atFirst: 'asSaid',
    publishedAtMs: seen.publication.publishedAtMs,
    allowedGapMs: allowedGapMs(seen.cadence),
    inputs: () => ({ ...valueInputs(seen), ...(!isInside && { direction }) }),
    fact: `${seen.publication.value} is ${isInside ? 'within' : 'outside'} ${low.text} to ${high.text}`,
    rearm:
      terms.condition === 'entersBand'
        ? `it is below ${low.belowText} or above ${high.aboveText}`
        : `it is within ${inside}`,
  }
}
