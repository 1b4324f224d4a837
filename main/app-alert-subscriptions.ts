import type { AlertTerms, AlertView } from '../protocol/alerts'
import type { IndexId, Resolution, Subscription } from '../protocol/model'

const structureConditions: ReadonlySet<AlertTerms['condition']> = new Set([
  'weightAtOrAbove',
  'weightAtOrBelow',
  'weightDrift',
  'constituentsChanged',
  'divisorChanged',
  'exchangeShareAtOrBelow',
  'continuity',
])

/**
 * What the rules need of the stream. Where an index publishes every 200 ms its rules see every value: a crossing that
 * came and went within a second is one. A rule that is done needs the values alone: an amendment may undo what it told,
 * and a silence it told of has an end. One that has expired needs nothing.
 */
export function alertSubscriptions(
  alerts: readonly AlertView[],
  resolutionOf: (id: IndexId) => Resolution | undefined,
): Subscription[] {
  return alerts
    .filter(({ phase }) => phase !== 'expired')
    .flatMap(({ indexId: id, phase, terms: { condition } }): Subscription[] => {
      const maxResolution = resolutionOf(id) === 'PER_200MS' ? 'PER_200MS' : 'PER_SECOND'
      const value: Subscription = { stream: 'value', id, maxResolution }
      if (phase === 'triggered') return [value]
      if (condition === 'corporateAction') return [value, { stream: 'active_corporate_action', id }]
      return structureConditions.has(condition) ? [value, { stream: 'constituents', id }] : [value]
    })
}
