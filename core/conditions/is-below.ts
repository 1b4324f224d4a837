import { levelCondition } from '../evaluation/level'

/** Equality does not count. */
export const isBelow = levelCondition({
  sentence: '[is below] {level}',
  watches: 'down',
  isStrict: true,
  samples: [{ level: '68500.0000', rearmBand: { size: '0', unit: 'points' } }],
  past: 'was below',
  fired: ({ value, amount }) => `is below ${amount}: ${value}`,
  met: 'below',
})
