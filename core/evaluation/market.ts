/** Compares market conditions with a threshold. The re-arm band has the unit of the threshold. */
import type { DecimalText, MarketConditions } from '../model'
import { condition, type Condition, type FieldValues, type FieldsSpec, type RearmBand } from './condition'
import type { Reading } from './latch'
import { allowedGapMs, publicationInputs } from './observation'
import { judgeReading, nothing } from './verdict'

type Measured = Pick<Reading, 'up' | 'down' | 'fact' | 'rearm'> & { measure: DecimalText }

export const placeWords = { 0: 'at', 1: 'above', [-1]: 'below' } as const

type MarketDefinition<Fields extends FieldsSpec> = Pick<
  Condition<Fields, 'marketConditions'>,
  'fields' | 'sentence' | 'offered' | 'samples' | 'amount' | 'unpublished' | 'check'
> & {
  /** Name of the measured number. */
  name: string
  unit: string
  place: string
  measured: (terms: FieldValues<Fields>, conditions: MarketConditions) => Measured | string
}

export function marketCondition<const Fields extends FieldsSpec>({
  name,
  place,
  measured,
  ...rest
}: MarketDefinition<Fields>): Condition<Fields, 'marketConditions'> {
  return condition<Fields, 'marketConditions'>({
    ...rest,
    group: 'Market',
    source: 'marketConditions',
    requires: 'marketConditions',
    canHold: true,
    canBeTrueAtStart: true,
    words: () => `${name} ${place}`,
    past: (_, amount) => `${name} was ${place} ${amount}`,
    fired: (_, { value, amount }) => `${name} is ${value}${rest.unit} (threshold ${amount})`,
    met: (_, { indexId, already, amount }) => `The ${name} of ${indexId} ${already} ${place} ${amount}.`,
    judge(rule, state, seen, { newest }) {
      const { publication, cadence } = seen
      const read = measured(rule.terms, publication)
      if (typeof read === 'string') return nothing(state, read)
      const beforeMs = newest.conditions
      const isGap = beforeMs !== undefined && publication.publishedAtMs - beforeMs > allowedGapMs(cadence)
      const reading: Reading = {
        seen,
        ...read,
        atFirst: 'asSaid',
        inputs: () => ({
          ...publicationInputs(publication),
          value: read.measure,
          ...(isGap && { gapSinceMs: beforeMs }),
        }),
      }
      return judgeReading(rule, state, reading)
    },
  })
}

/** The threshold is in basis points itself, so a band in basis points of it would be misread. */
export function checkBandUnit(band: RearmBand | undefined, unit: string) {
  if (band === undefined || band.unit === 'points') return []
  const message = `Set the re-arm band's unit to "points": it has the unit of the threshold${unit}.`
  return [{ field: 'rearmBand' as const, message }]
}
