import { isAtLeast } from '../decimal'
import { closingMeanCondition } from '../evaluation/mean'

export const finalMeanAtOrAbove = closingMeanCondition({
  words: 'at least',
  isMet: isAtLeast,
  sample: { level: '68500.00', withinMs: 60_000, close: 'quarter' },
})
