/** Levels and bands: compares values with one or two numbers (alert engine, 1 to 3). */
import {
  compareDecimals,
  parseDecimal,
  percentChange,
  subtractDecimals,
  sumDecimals,
  type Decimal,
  add,
  exactText,
  isAtLeast,
  multiply,
  order,
  readExact,
  sizeOf,
  subtract,
  type Exact,
} from '../decimal'
import { isNeverNegative } from '../alert-index-checks'
import type { DecimalText, IndexInfo } from '../model'
import { condition, type Condition, type FieldValues, type Fired, type RearmBand } from './condition'
import type { Side } from './latch'
import { valueInputs } from './observation'
import { once } from './once'

/** A level with the numbers beyond which the rule re-arms. */
interface Edge {
  text: DecimalText
  /** The floats nearest to the three numbers. */
  nearest: readonly number[]
  at: Decimal
  below: Decimal
  above: Decimal
  belowText: DecimalText
  aboveText: DecimalText
}

const tenThousandth: Exact = { units: 1n, scale: 4 }

function edgeOf(text: DecimalText, band: RearmBand | undefined): Edge | undefined {
  const level = readExact(text)
  const size = band === undefined ? { units: 0n, scale: 0 } : readExact(band.size)
  if (level === undefined || size === undefined) return undefined
  const points =
    band?.unit === 'basisPoints' ? multiply(multiply(sizeOf(level), sizeOf(size)), tenThousandth) : sizeOf(size)
  const belowText = band === undefined ? text : exactText(subtract(level, points))
  const aboveText = band === undefined ? text : exactText(add(level, points))
  const [at, below, above] = [text, belowText, aboveText].map(parseDecimal)
  // Without a band if a number has more digits than the app reads.
  if (at === undefined || below === undefined || above === undefined) return undefined
  return { text, at, below, above, belowText, aboveText, nearest: [text, belowText, aboveText].map(Number) }
}

/** Whether a value is a zero that the feed sent by mistake. If a level is zero, a zero counts. */
function isBogus({ sign }: Decimal, ...edges: readonly Edge[]): boolean {
  return sign === 0 && edges.every(({ at }) => at.sign !== 0)
}

/** Why there is nothing to compare. */
function incomparable(edges: unknown, value: Decimal | undefined): string {
  if (edges === undefined) return 'The level cannot be compared.'
  return value === undefined ? 'The value is not a number.' : 'A zero is skipped.'
}

const ofValues = { group: 'Value', source: 'values', canHold: true } as const

const levelFields = { level: 'required', rearmBand: 'optional' } as const
type Level = typeof levelFields

const levelEdge = once(({ level, rearmBand }: FieldValues<Level>) => edgeOf(level, rearmBand))

/** The specific parts of a condition with one level. `isStrict`: a value equal to the level does not reach it. */
interface LevelDefinition {
  sentence: string
  watches: 'up' | 'down' | 'both'
  isStrict?: boolean
  past: string
  fired: (said: Fired) => string
  met?: string
  samples: readonly FieldValues<Level>[]
}

export function levelCondition({
  watches,
  isStrict = false,
  met,
  ...words
}: LevelDefinition): Condition<Level, 'values'> {
  const [watchesUp, watchesDown] = [watches !== 'down', watches !== 'up']
  /** `found`: how the value compares with the level. */
  const holdsUp = (found: number) => (isStrict ? found > 0 : found >= 0)
  const holdsDown = (found: number) => (isStrict ? found < 0 : found <= 0)
  const armsUp = (edge: Edge, value: Decimal) => compareDecimals(value, edge.below) < 0
  const armsDown = (edge: Edge, value: Decimal) => compareDecimals(value, edge.above) > 0
  return condition({
    ...ofValues,
    fields: levelFields,
    canBeTrueAtStart: watches !== 'both',
    ...(watches !== 'both' && { levelLies: watches === 'up' ? 'above' : 'below' }),
    sentence: words.sentence,
    samples: words.samples,
    amount: ({ level }, number) => number(level),
    past: (_, amount) => `${words.past} ${amount}`,
    fired: (_, said) => words.fired(said),
    ...(met !== undefined && {
      met: (_, { indexId, already, amount }) => `${indexId} ${already} ${met} ${amount}.`,
    }),
    ...(watches === 'both' && { firedDirection: ({ direction }) => direction }),
    check: checkLevel,
    isMetBy: ({ level }, value) => {
      if (watches === 'both') return false
      const found = order(value, level)
      return found === undefined ? undefined : watches === 'up' ? holdsUp(found) : holdsDown(found)
    },
    leavesLatches: (terms) => {
      const edge = levelEdge(terms)
      if (edge === undefined) return undefined
      return (value, latch) => {
        // A zero may be sent by mistake.
        if (value.sign === 0) return false
        const found = compareDecimals(value, edge.at)
        return (
          (latch.isUpArmed ? !holdsUp(found) : !(watchesUp && armsUp(edge, value))) &&
          (latch.isDownArmed ? !holdsDown(found) : !(watchesDown && armsDown(edge, value)))
        )
      }
    },
    edges: (terms) => levelEdge(terms)?.nearest ?? [],
    read: (terms, seen) => {
      const edge = levelEdge(terms)
      const value = parseDecimal(seen.publication.value)
      if (edge === undefined || value === undefined || isBogus(value, edge)) return incomparable(edge, value)
      const found = compareDecimals(value, edge.at)
      const place = found === 0 ? 'at' : found < 0 ? 'below' : 'above'
      const rearms = [
        ...(watchesUp ? [`below ${edge.belowText}`] : []),
        ...(watchesDown ? [`above ${edge.aboveText}`] : []),
      ]
      return {
        seen,
        ...(watchesUp && { up: { holds: holdsUp(found), arms: armsUp(edge, value) } }),
        ...(watchesDown && { down: { holds: holdsDown(found), arms: armsDown(edge, value) } }),
        atFirst: watches === 'both' ? 'waits' : 'asSaid',
        inputs: (direction) => ({ ...valueInputs(seen), direction }),
        fact: `${seen.publication.value} is ${place} ${edge.text}`,
        rearm: `it is ${rearms.join(' or ')}`,
      }
    },
  })
}

function checkLevel({ level, rearmBand: band }: FieldValues<Level>, index: IndexInfo | undefined) {
  const problem = (message: string) => [{ field: 'rearmBand' as const, message }]
  if (band === undefined) return []
  if (order(level, '0') === 0) {
    if (band.unit === 'points' || order(band.size, '0') === 0) return []
    return problem('Basis points of a level of 0 are 0. Set the re-arm band in points.')
  }
  // Rates are near zero, where a band wider than the level makes sense.
  if (index !== undefined && !isNeverNegative(index)) return []
  const isTooWide = isAtLeast(band.size, band.unit === 'points' ? level.replace(/^-/, '') : '10000')
  return isTooWide ? problem('The re-arm band is as wide as the level itself. Make it narrower.') : []
}

const bandFields = { low: 'required', high: 'required', rearmBand: 'optional' } as const
type Band = typeof bandFields

const bandEdges = once(({ low, high, rearmBand }: FieldValues<Band>) => {
  const [bottom, top] = [edgeOf(low, rearmBand), edgeOf(high, rearmBand)]
  return bottom && top && ([bottom, top] as const)
})

const isWithin = (low: Edge, high: Edge, value: Decimal) => {
  return compareDecimals(value, low.at) >= 0 && compareDecimals(value, high.at) <= 0
}
/** Ignores a re-arm band as wide as the band itself, because no value could be far enough inside. */
const hasInside = (low: Edge, high: Edge) => compareDecimals(low.above, high.below) <= 0

interface BandDefinition {
  sentence: string
  /** Whether the condition is true inside or outside the band. The ends belong to the band. */
  holdsInside: boolean
  past: string
  met: string
  over: string
  samples: readonly FieldValues<Band>[]
}

export function bandCondition({ holdsInside, met, past, ...words }: BandDefinition): Condition<Band, 'values'> {
  /** One latch is enough, because a value is either inside or outside. */
  const sideOf = (low: Edge, high: Edge, value: Decimal): Side => {
    const isInside = isWithin(low, high, value)
    if (holdsInside) {
      return { holds: isInside, arms: compareDecimals(value, low.below) < 0 || compareDecimals(value, high.above) > 0 }
    }
    const isFarInside = compareDecimals(value, low.above) >= 0 && compareDecimals(value, high.below) <= 0
    return { holds: !isInside, arms: hasInside(low, high) ? isFarInside : isInside }
  }
  return condition({
    ...ofValues,
    ...words,
    fields: bandFields,
    canBeTrueAtStart: true,
    amount: ({ low, high }, number) => `${number(low)} to ${number(high)}`,
    past: (_, amount) => `${past} ${amount}`,
    fired: (_, { value, amount }) => `${past} ${amount}: ${value}`,
    met: (_, { indexId, already, amount }) => `${indexId} ${already} ${met} ${amount}.`,
    check: checkBand,
    isMetBy: ({ low, high }, value) => {
      const [fromLow, fromHigh] = [order(value, low), order(value, high)]
      if (fromLow === undefined || fromHigh === undefined) return undefined
      return (fromLow >= 0 && fromHigh <= 0) === holdsInside
    },
    leavesLatches: (terms) => {
      const edges = bandEdges(terms)
      if (edges === undefined) return undefined
      const [low, high] = edges
      return (value, latch) => {
        // A zero may be sent by mistake.
        if (value.sign === 0) return false
        const { holds, arms } = sideOf(low, high, value)
        return latch.isUpArmed ? !holds : !arms
      }
    },
    edges: (terms) => (bandEdges(terms) ?? []).flatMap(({ nearest }) => nearest),
    read: (terms, seen) => {
      const edges = bandEdges(terms)
      const value = parseDecimal(seen.publication.value)
      if (edges === undefined || value === undefined || isBogus(value, ...edges)) return incomparable(edges, value)
      const [low, high] = edges
      const isInside = isWithin(low, high, value)
      const direction = compareDecimals(value, high.at) > 0 ? 'up' : 'down'
      const inside = hasInside(low, high) ? `${low.aboveText} to ${high.belowText}` : `${low.text} to ${high.text}`
      return {
        seen,
        up: sideOf(low, high, value),
        atFirst: 'asSaid',
        inputs: () => ({ ...valueInputs(seen), ...(!isInside && { direction }) }),
        fact: `${seen.publication.value} is ${isInside ? 'within' : 'outside'} ${low.text} to ${high.text}`,
        rearm: holdsInside ? `it is below ${low.belowText} or above ${high.aboveText}` : `it is within ${inside}`,
      }
    },
  })
}

function checkBand({ low, high, rearmBand }: FieldValues<Band>) {
  if (isAtLeast(low, high)) {
    return [{ field: 'high' as const, message: 'The high end must be above the low end. Raise it, or swap the two.' }]
  }
  if (rearmBand === undefined) return []
  // A re-arm band narrows the band at both ends. Something must be left.
  const room = rearmBand.unit === 'points' ? subtractDecimals(high, low) : percentChange(low, high, 6)
  if (room === undefined) return []
  const twice = sumDecimals([rearmBand.size, rearmBand.size])
  const isTooWide = isAtLeast(twice, rearmBand.unit === 'points' ? room : `${room}e2`)
  return isTooWide
    ? [{ field: 'rearmBand' as const, message: 'The re-arm band covers the whole band. Make it narrower.' }]
    : []
}
