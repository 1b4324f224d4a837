import type { AlertRule, AlertTerms } from '../protocol/alerts'
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
 * What rules need of the stream. Where an index publishes every 200 ms its rules see every value: a crossing that came and
 * went within a second is one. A rule that is done listens on: an amendment may undo what it told.
 */
export function alertSubscriptions(
  rules: readonly AlertRule[],
  resolutionOf: (id: IndexId) => Resolution | undefined,
): Subscription[] {
  return rules.flatMap(({ indexId: id, terms: { condition } }): Subscription[] => {
    const maxResolution = resolutionOf(id) === 'PER_200MS' ? 'PER_200MS' : 'PER_SECOND'
    const value: Subscription = { stream: 'value', id, maxResolution }
    if (condition === 'corporateAction') return [value, { stream: 'active_corporate_action', id }]
    return structureConditions.has(condition) ? [value, { stream: 'constituents', id }] : [value]
  })
}
