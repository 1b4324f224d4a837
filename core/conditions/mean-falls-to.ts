import { meanCondition } from '../evaluation/mean'
import { fallsTo } from './falls-to'

export const meanFallsTo = meanCondition({
  verb: 'falls to',
  past: 'fell to',
  level: fallsTo,
  samples: [{ level: '68000.00', withinMs: 60_000 }],
})
