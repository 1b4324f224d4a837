/** What a rule is shown, in the order it was learned, and what of it goes into a firing. */
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
  /** The publication before, cached or received, where there was one. */
  previous?: { value: DecimalText; publishedAtMs: number }
  /** How often the index publishes, where known. */
  cadence?: Resolution
}

export interface ConstituentsSeen {
  kind: 'constituents'
  publication: ConstituentsPublication
  /** How often the index publishes, where known. */
  cadence?: Resolution
}

export interface ConditionsSeen {
  kind: 'conditions'
  publication: MarketConditions
  /** How often the index publishes, where known. */
  cadence?: Resolution
}

/** `null`: none is active. */
interface CorporateActionSeen {
  kind: 'corporateAction'
  action: CorporateAction | null
}

/** No new value for as long as the rule's terms say, counted by the monotonic clock. */
export interface SilenceSeen {
  kind: 'silent'
  /** When it was noticed, by the wall clock. */
  atMs: number
  /** Publish time of the last value, where there was one. */
  sinceMs?: number
}

/** A value has come after a silence. */
export interface Resumed {
  kind: 'resumed'
  publication: Publication
}

export type Observation = ValueSeen | ConstituentsSeen | ConditionsSeen | CorporateActionSeen | SilenceSeen | Resumed

/** What a condition is shown, by its source. */
export interface SeenBy {
  values: ValueSeen
  /** A value, which also ends a silence. */
  silence: Observation
  corporateActions: CorporateActionSeen
  constituents: ConstituentsSeen
  marketConditions: ConditionsSeen
}

/** The longest gap between two publications that is no pause; three minutes where the cadence is unknown. */
export function allowedGapMs(cadence: Resolution | undefined): number {
  return staleAfterMs(cadence ?? 'PER_MINUTE')
}

/** What a firing upon a value was judged by; a crossing after a gap has both times (alert engine, 10). */
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

/** What a firing upon a calculation was judged by. */
export function publicationInputs({ value, publishedAtMs, amendedAtMs }: Publication): AlertInputs {
  return { value, publishedAtMs, ...(amendedAtMs !== undefined && { amendedAtMs }) }
}
