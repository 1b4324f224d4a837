import { levelCondition } from '../evaluation/level'

/** Equality counts as reached. */
export const fallsTo = levelCondition({
  sentence: '[falls to] {level}',
  watches: 'down',
  samples: [{ level: '0' }],
  past: 'fell to',
  fired: ({ value, amount }) => `fell to ${value} (level ${amount})`,
  met: 'at or below',
})
