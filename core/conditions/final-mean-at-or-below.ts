import { isAtLeast } from '../decimal'
import { closingMeanCondition } from '../evaluation/mean'

export const finalMeanAtOrBelow = closingMeanCondition({
  words: 'at most',
  isMet: (mean, level) => isAtLeast(level, mean),
  sample: { level: '68500.00', withinMs: 60_000, close: 'quarter' },
})
