import { bandCondition } from '../evaluation/level'

export const entersBand = bandCondition({
  sentence: '[enters the band] {low} to {high}',
  holdsInside: true,
  samples: [{ low: '67000', high: '68000.0' }],
  past: 'entered the band',
  met: 'in the band',
  over: 'back outside',
})
