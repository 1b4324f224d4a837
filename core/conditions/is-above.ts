import { levelCondition } from '../evaluation/level'

/** Equality does not count. */
export const isAbove = levelCondition({
  sentence: '[is above] {level}',
  watches: 'up',
  isStrict: true,
  samples: [{ level: '0.000013504', rearmBand: { size: '0.0000001250', unit: 'points' } }],
  past: 'was above',
  fired: ({ value, amount }) => `is above ${amount}: ${value}`,
  met: 'above',
})
