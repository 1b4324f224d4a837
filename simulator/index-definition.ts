import type { DecimalFormat } from './decimal-text'
import type { Underlying } from './market'
import type { Schedule } from './schedule'

/** An index of the catalogue: its reference data (protocol, 2.7) and the source of its values. */
export interface IndexDefinition extends DecimalFormat {
  readonly id: string
  readonly name: string
  /** Absent where the provider names none. */
  readonly family?: 'CME-CF' | 'CF' | 'NASDAQ'
  /** Absent when the index has no base or quote asset, as reward rates have none. */
  readonly base?: string
  readonly quote?: string
  readonly schedule: Schedule
  readonly underlying: Underlying
  /** Has the channel `constituents`: plain, or with divisor and exchanges as the exchange family has (protocol, 2.5). */
  readonly constituents?: 'plain' | 'withExchanges'
  /** Has the channel `active_corporate_action` (protocol, 4.1). */
  readonly isTokenizedEquity?: true
  /** The key may not ask for the history of this index (protocol, 4.2). */
  readonly isHistoryWithheld?: true
  /** Days on which the calculation always fails; for the others see `amendments.ts`. */
  readonly failsOn?: 'evenDays' | 'oddDays'
}

/** Whether this is a real-time index of one asset, the provider's type rti. */
export function isRealTimeAsset({ id, base, schedule }: IndexDefinition): boolean {
  return base !== undefined && 'stepMs' in schedule && (id.endsWith('_RTI') || id === 'BRTI')
}
