/** Levels and bands: values against one number or two (alerts, 1 to 3). */
import type { BandTerms, LevelTerms, RearmBand } from '../../../protocol/alerts'
import { compareDecimals, parseDecimal, type Decimal } from '../../../protocol/decimal'
import type { DecimalText } from '../../../protocol/model'
import { add, exactText, multiply, readExact, sizeOf, subtract, type Exact } from './exact'
import type { Reading } from './latch'
import { allowedGapMs, valueInputs, type ValueSeen } from './observation'
import { once } from './once'

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

function readLevel({ condition }: LevelTerms, edge: Edge, value: Decimal, seen: ValueSeen): Reading {
  const order = compareDecimals(value, edge.at)
  const isStrict = condition === 'isAbove' || condition === 'isBelow'
  const watchesUp = condition !== 'fallsTo' && condition !== 'isBelow'
  const watchesDown = condition !== 'risesTo' && condition !== 'isAbove'
  const place = order === 0 ? 'at' : order < 0 ? 'below' : 'above'
  const rearms = [
    ...(watchesUp ? [`below ${edge.belowText}`] : []),
    ...(watchesDown ? [`above ${edge.aboveText}`] : []),
  ]
  return {
    ...(watchesUp && {
      up: { holds: isStrict ? order > 0 : order >= 0, arms: compareDecimals(value, edge.below) < 0 },
    }),
    ...(watchesDown && {
      down: { holds: isStrict ? order < 0 : order <= 0, arms: compareDecimals(value, edge.above) > 0 },
    }),
    atFirst: condition === 'crosses' ? 'waits' : 'asSaid',
    publishedAtMs: seen.publication.publishedAtMs,
    allowedGapMs: allowedGapMs(seen.cadence),
    inputs: (direction) => ({ ...valueInputs(seen), direction }),
    fact: `${seen.publication.value} is ${place} ${edge.text}`,
    rearm: `it is ${rearms.join(' or ')}`,
  }
}

/** Low and high belong to the band. One latch is enough: a value is inside or it is not. */
function readBand({ condition }: BandTerms, low: Edge, high: Edge, value: Decimal, seen: ValueSeen): Reading {
  const isBelow = compareDecimals(value, low.at) < 0
  const isAbove = compareDecimals(value, high.at) > 0
  const isInside = !isBelow && !isAbove
  const isFarOutside = compareDecimals(value, low.below) < 0 || compareDecimals(value, high.above) > 0
  // With a re-arm band as wide as the band itself nothing would be far enough inside: there it does not count.
  const hasInside = compareDecimals(low.above, high.below) <= 0
  const isFarInside = hasInside
    ? compareDecimals(value, low.above) >= 0 && compareDecimals(value, high.below) <= 0
    : isInside
  const enters = condition === 'entersBand'
  return {
    up: enters ? { holds: isInside, arms: isFarOutside } : { holds: !isInside, arms: isFarInside },
    atFirst: 'asSaid',
    publishedAtMs: seen.publication.publishedAtMs,
    allowedGapMs: allowedGapMs(seen.cadence),
    inputs: () => ({ ...valueInputs(seen), ...(!isInside && { direction: isAbove ? 'up' : 'down' }) }),
    fact: `${seen.publication.value} is ${isInside ? 'within' : 'outside'} ${low.text} to ${high.text}`,
    rearm: enters
      ? `it is below ${low.belowText} or above ${high.aboveText}`
      : `it is within ${hasInside ? `${low.aboveText} to ${high.belowText}` : `${low.text} to ${high.text}`}`,
  }
}
