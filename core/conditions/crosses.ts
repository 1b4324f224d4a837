import { levelCondition } from '../evaluation/level'

/** Equality counts as reached. */
export const crosses = levelCondition({
  sentence: '[crosses] {level}',
  watches: 'both',
  samples: [{ level: '-1.50', rearmBand: { size: '7.5', unit: 'basisPoints' } }],
  past: 'crossed',
  fired: ({ inputs, value, amount }) =>
    `${inputs.direction === 'down' ? 'fell' : 'rose'} to ${value} (level ${amount})`,
})
