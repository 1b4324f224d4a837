import { levelCondition } from '../evaluation/level'

/** Equality counts as reached. */
export const risesTo = levelCondition({
  sentence: '[rises to] {level}',
  watches: 'up',
  samples: [{ level: '68500.00' }],
  past: 'rose to',
  fired: ({ value, amount }) => `rose to ${value} (level ${amount})`,
  met: 'at or above',
})
