/** Observations of a rule, in order of receipt, and which of their fields a firing keeps. */
import type { AlertInputs } from '../alert-inputs'
import { staleAfterMs } from '../freshness'
import type {
  ConstituentsPublication,
  CorporateAction,
  DecimalText,
  MarketConditions,
  Publication,
  Resolution,
} from '../model'

export interface ValueSeen {
  kind: 'value'
  publication: Publication
  /** The previous publication, cached or received, if there was one. */
  previous?: { value: DecimalText; publishedAtMs: number }
  /** How often the index publishes, if known. */
  cadence?: Resolution
}

export interface ConstituentsSeen {
  kind: 'constituents'
  publication: ConstituentsPublication
  cadence?: Resolution
}

export interface ConditionsSeen {
  kind: 'conditions'
  publication: MarketConditions
  cadence?: Resolution
}

/** `action` is null if none is active. */
interface CorporateActionSeen {
  kind: 'corporateAction'
  action: CorporateAction | null
}

/** No new value for as long as the rule's terms say, on the monotonic clock. */
export interface SilenceSeen {
  kind: 'silent'
  /** Wall time of noticing it. */
  atMs: number
  /** Published time of the last value, if there was one. */
  sinceMs?: number
}

/** A value has come after a silence. */
export interface Resumed {
  kind: 'resumed'
  publication: Publication
}

export type Observation = ValueSeen | ConstituentsSeen | ConditionsSeen | CorporateActionSeen | SilenceSeen | Resumed

/** The observations of a condition, by its source. */
export interface SeenBy {
  values: ValueSeen
  /** A value, because it ends a silence. */
  silence: Observation
  corporateActions: CorporateActionSeen
  constituents: ConstituentsSeen
  marketConditions: ConditionsSeen
}

/** The longest gap between two publications that does not count as a pause. Three minutes if the cadence is unknown. */
export function allowedGapMs(cadence: Resolution | undefined): number {
  return staleAfterMs(cadence ?? 'PER_MINUTE')
}

/** The inputs of a firing on a value. A crossing after a gap has both times (alert engine, 10). */
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

/** The inputs of a firing on a calculation. */
export function publicationInputs({ value, publishedAtMs, amendedAtMs }: Publication): AlertInputs {
  return { value, publishedAtMs, ...(amendedAtMs !== undefined && { amendedAtMs }) }
}
