import { conditionWords } from '../../../protocol/alert-words'
import {
  bandConditions,
  levelConditions,
  type AlertCondition,
  type BandTerms,
  type LevelTerms,
} from '../../../protocol/alerts'

/** The conditions as they are offered, in groups. */
export const conditionGroups: readonly { name: string; conditions: readonly AlertCondition[] }[] = [
  { name: 'Value', conditions: [...levelConditions, ...bandConditions, 'moves'] },
  { name: 'Publication', conditions: ['noUpdate', 'carriedOver', 'amended', 'corporateAction'] },
  {
    name: 'Constituents',
    conditions: [
      'weightAtOrAbove',
      'weightAtOrBelow',
      'weightDrift',
      'constituentsChanged',
      'divisorChanged',
      'exchangeShareAtOrBelow',
      'continuity',
    ],
  },
]

/** A condition as the middle of the sentence "Tell me when BRTI ...". */
export const sentenceWords: Record<AlertCondition, string> = {
  ...conditionWords,
  weightAtOrAbove: 'has a weight at or above',
  weightAtOrBelow: 'has a weight at or below',
  weightDrift: 'has a weight drift of',
  constituentsChanged: 'gains or loses a constituent',
  divisorChanged: 'changes its divisor',
  exchangeShareAtOrBelow: 'has an exchange share at or below',
  continuity: 'is off its constituents by',
}

export function isLevelCondition(condition: AlertCondition): condition is LevelTerms['condition'] {
  return levelConditions.some((each) => each === condition)
}

export function isBandCondition(condition: AlertCondition): condition is BandTerms['condition'] {
  return bandConditions.some((each) => each === condition)
}

/** Whether the condition is about what the index is made of, not about its value. */
export function isOfConstituents(condition: AlertCondition): boolean {
  return conditionGroups.some(({ name, conditions }) => name === 'Constituents' && conditions.includes(condition))
}

/** Whether a value has to come back before the rule may fire anew. */
export function hasRearmBand(condition: AlertCondition): boolean {
  return isLevelCondition(condition) || isBandCondition(condition)
}

const momentary: readonly AlertCondition[] = ['amended', 'corporateAction', 'constituentsChanged', 'divisorChanged']

/** Whether the condition can last, and so be asked to hold. Times of their own have a move and a silence. */
export function canHold(condition: AlertCondition): boolean {
  return condition !== 'noUpdate' && condition !== 'moves' && !momentary.includes(condition)
}

/** Whether the condition may hold already when the rule is made. */
export function canBeMet(condition: AlertCondition): boolean {
  return condition !== 'crosses' && !momentary.includes(condition)
}
