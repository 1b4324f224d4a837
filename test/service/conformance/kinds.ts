/** What kinds of index the suite needs one of. */
export const kinds = [
  'every200ms',
  'everySecond',
  'daily',
  'basket',
  'exchangeFamily',
  'rewardRate',
  'tokenizedEquity',
] as const
export type Kind = (typeof kinds)[number]
