import type { AlertInputs } from '../../../protocol/alert-events'
import { staleAfterMs } from '../../../protocol/freshness'
import type { Resolution } from '../../../protocol/model'
import type { ValueSeen } from './observation'

/** The longest gap between two publications that is no pause; three minutes where the cadence is unknown. */
export function allowedGapMs(cadence: Resolution | undefined): number {
  return staleAfterMs(cadence ?? 'PER_MINUTE')
}

/** What a firing upon a value was judged by; a crossing after a gap has both times (alerts, 10). */
export function valueInputs({ publication, previous, cadence }: ValueSeen): AlertInputs {
  const { value, publishedAtMs, amendedAtMs } = publication
  const isGap =
    previous !== undefined && cadence !== undefined && publishedAtMs - previous.publishedAtMs > staleAfterMs(cadence)
  return {
    value,
    publishedAtMs,
    ...(amendedAtMs !== undefined && { amendedAtMs }),
    ...(previous !== undefined && { previous }),
    ...(isGap && { gapSinceMs: previous.publishedAtMs }),
  }
}
