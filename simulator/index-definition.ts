import type { DecimalFormat } from './decimal-text'
import type { Underlying } from './market'
import type { Schedule } from './schedule'

/** An index of the catalogue: its reference data (protocol, 2.7) and the source of its values. */
export interface IndexDefinition extends DecimalFormat {
  readonly id: string
  readonly name: string
  /** Undefined where the provider names none. */
  readonly family?: 'CME-CF' | 'CF' | 'NASDAQ'
  /** Undefined for an index without a base or quote asset, such as a reward rate. */
  readonly base?: string
  readonly quote?: string
  readonly schedule: Schedule
  readonly underlying: Underlying
  /** Channel `constituents`: plain, or with divisor and exchanges as in the exchange family (protocol, 2.5). */
  readonly constituents?: 'plain' | 'withExchanges'
  /** Has the channel `active_corporate_action` (protocol, 4.1). */
  readonly isTokenizedEquity?: true
  /** The key may not request the history of this index (protocol, 4.2). */
  readonly isHistoryWithheld?: true
  /** Days on which the calculation always fails. See `amendments.ts` for other failures. */
  readonly failsOn?: 'evenDays' | 'oddDays'
}

/** Whether this is a real-time index of one asset, the provider's type rti. */
export function isRealTimeAsset({ id, base, schedule }: IndexDefinition): boolean {
  return base !== undefined && 'stepMs' in schedule && (id.endsWith('_RTI') || id === 'BRTI')
}
