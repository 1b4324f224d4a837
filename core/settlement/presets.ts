/** Windows that markets use, as far as their rules are public. The app computes means and settles nothing. */
import type { BoundTerms } from './bound-window'

export interface Preset extends Pick<BoundTerms, 'seconds' | 'method'> {
  name: string
  /** The zone of a typed time without one. */
  zone: string
  /** What the rule says, and what is not sure about it. */
  notes: readonly string[]
  /** What the rule says about missing values. */
  ifIncomplete?: string
  /** Where the rule is published. */
  rule?: string
}

export const presets = {
  kalshi: {
    name: 'Kalshi: 60 s before',
    seconds: 60,
    method: 'mean',
    zone: 'America/New_York',
    notes: [
      'The 60 whole-second values before the time. The value at the time itself is not among them.',
      'This reading was checked against past Bitcoin results only.',
    ],
    ifIncomplete: 'The terms say No for incomplete data.',
    rule: 'https://help.kalshi.com',
  },
  trimmed: {
    name: 'Trimmed minute',
    seconds: 60,
    method: 'trimmed',
    zone: 'America/New_York',
    notes: ['Without the highest and the lowest fifth of the values: of 60 values, 36 count.'],
    rule: 'https://help.kalshi.com',
  },
  kraken: {
    name: 'Kraken: 30 × 1 min',
    seconds: 1_800,
    method: 'minutes',
    zone: 'UTC',
    notes: ['The mean of the means of 30 minutes. The rule uses 07:30 to 08:00 UTC.'],
    rule: 'https://support.kraken.com',
  },
  free: { name: 'Free', seconds: 60, method: 'mean', zone: 'UTC', notes: [] },
} as const satisfies Record<string, Preset>

export type PresetKey = keyof typeof presets
