/** Sorts rules by a column. */
import { ruleSubject, ruleWords } from '../../../core/alert-words'
import type { AlertTerms, AlertView } from '../../../core/alerts'
import { parseDecimal, type Decimal } from '../../../core/decimal'
import type { DecimalText } from '../../../core/model'
import type { TableSort } from '../../ui/table-column'
import type { RuleState } from '../../format/alert-states'
import { repeatWords } from '../../format/alert-words'
import { sortedBy, type SortKey } from '../../format/row-order'
import { comparedOf, percentAway } from '../../format/rule-distance'

export type RuleSortColumn = 'index' | 'condition' | 'repeat' | 'state' | 'distance'

/** The values by which a rule can be sorted. */
export interface RuleFacts {
  rule: AlertView
  state: RuleState['kind']
  /** The latest value of its index. */
  value: DecimalText | undefined
}

/** States that need the user come first, finished ones last. */
export const stateRanks: Record<RuleState['kind'], number> = {
  cannotFire: 0,
  suspended: 1,
  noData: 2,
  unchecked: 3,
  triggered: 4,
  holding: 5,
  coolingDown: 6,
  armed: 7,
  disarmed: 8,
  waiting: 9,
  snoozed: 10,
  outsideHours: 11,
  expired: 12,
}

// Percentages on screen have two places. Sorting needs more, so that distances that differ are not equal.
const percentPlaces = 16

/** Distance of the nearest level or edge from the value, in percent of the value. Undefined if there is none. */
export function distanceOf(terms: AlertTerms, value: DecimalText | undefined): Decimal | undefined {
  const away = value && percentAway(terms, value, percentPlaces)
  return away ? parseDecimal(away) : undefined
}

function keyOf({ rule, state, value }: RuleFacts, column: RuleSortColumn): SortKey | undefined {
  switch (column) {
    case 'index':
      return ruleSubject(rule)
    case 'condition':
      return ruleWords({ ...rule, indexId: '', anyOf: undefined }, (text) => text).trim()
    case 'repeat':
      return repeatWords(rule)
    case 'state':
      return stateRanks[state]
    case 'distance':
      return rule.phase === 'triggered' || rule.phase === 'expired'
        ? undefined
        : distanceOf(rule.terms, comparedOf(rule, value))
  }
}

/** The ids of the sorted rules. Without a `sort` they keep their order. */
export function sortedRuleIds(rows: readonly RuleFacts[], sort: TableSort<RuleSortColumn> | null): string[] {
  return sortedBy(rows, sort, keyOf).map(({ rule }) => rule.id)
}
