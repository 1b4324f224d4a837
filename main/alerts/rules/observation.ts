/** What a rule is shown, in the order it was learned. */
import type {
  ConstituentsPublication,
  CorporateAction,
  DecimalText,
  Publication,
  Resolution,
} from '../../../protocol/model'

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

/** `null`: none is active. */
export interface CorporateActionSeen {
  kind: 'corporateAction'
  action: CorporateAction | null
}

/** No new value for as long as the rule's terms say, counted by the monotonic clock. */
export interface SilenceSeen {
  kind: 'silent'
  /** Publish time of the last value, where there was one. */
  sinceMs?: number
}

/** A value has come after a silence. */
export interface HeardAgain {
  kind: 'heardAgain'
  publication: Publication
}

export type Observation = ValueSeen | ConstituentsSeen | CorporateActionSeen | SilenceSeen | HeardAgain
