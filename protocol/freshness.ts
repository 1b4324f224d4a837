import type { Resolution } from './model'

const second = 1_000
const hour = 3_600 * second

/**
 * Age in milliseconds from which a value counts as stale: several missed publications, with room for a weekend where
 * the index keeps business days.
 */
export function staleAfterMs(resolution: Resolution): number {
  switch (resolution) {
    case 'PER_200MS':
    case 'PER_SECOND':
      return 10 * second
    case 'PER_MINUTE':
      return 180 * second
    case 'PER_HOUR':
      return 3 * hour
    case 'DAILY':
      return 26 * hour
    case 'BUSINESS_DAYS':
      return 98 * hour
  }
}
