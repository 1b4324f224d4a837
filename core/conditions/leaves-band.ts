import { bandCondition } from '../evaluation/level'

export const leavesBand = bandCondition({
  sentence: '[leaves the band] {low} to {high}',
  holdsInside: false,
  samples: [{ low: '-1', high: '1', rearmBand: { size: '10', unit: 'basisPoints' } }],
  past: 'left the band',
  met: 'outside the band',
  over: 'back inside',
})
