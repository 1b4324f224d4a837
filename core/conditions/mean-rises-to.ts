import { meanCondition } from '../evaluation/mean'
import { risesTo } from './rises-to'

export const meanRisesTo = meanCondition({
  verb: 'rises to',
  past: 'rose to',
  level: risesTo,
  samples: [{ level: '68500.00', withinMs: 60_000 }],
})
