/**
 * When a rule fires. Pure. A rule is a latch: it is armed by a value on the near side of its level and fires at the
 * first one that reaches it, so that what was passed long ago, or reached already when the rule was made, fires nothing.
 */
import { compareDecimals } from '../../protocol/decimal'
import type { Decimal } from '../../protocol/decimal'
import { staleAfterMs } from '../../protocol/freshness'
import type { AlertCondition, AlertPhase, AlertRule, Publication, Resolution } from '../../protocol/model'

/** What to do when the condition holds at the first value the rule sees. */
export type WhenAlreadyMet = 'wait' | 'fire'

/** A rule's stored state. */
export type RuleState = { phase: 'waiting'; whenAlreadyMet: WhenAlreadyMet } | { phase: Exclude<AlertPhase, 'waiting'> }

/** What a rule is judged by besides the publication itself; decimals parsed once for all rules. */
export interface Circumstances {
  level: Decimal
  value: Decimal
  /** Publish time of the value before, where there was one. */
  previousAtMs?: number
  /** How often the index publishes, where known. */
  cadence?: Resolution
}

export interface Firing {
  /** Publish time of the value before, when more than one publication is missing in between: crossed in a gap. */
  gapSinceMs?: number
}

export interface Verdict {
  /** The very same object where nothing changed. */
  state: RuleState
  firing?: Firing
}

const armed: RuleState = { phase: 'armed' }
const disarmed: RuleState = { phase: 'disarmed' }
const triggered: RuleState = { phase: 'triggered' }

/**
 * Judges a value received from the service that has become the latest of its index. A value carried over from the day
 * before is no evidence and is passed over; so is a zero where the level is another number, since feeds send bogus ones.
 */
export function evaluate(
  rule: AlertRule,
  state: RuleState,
  publication: Publication,
  circumstances: Circumstances,
): Verdict {
  const { level, value } = circumstances
  if (publication.isRepeatOfPrevious === true) return { state }
  if (value.sign === 0 && level.sign !== 0) return { state }
  const isMet = holds(rule.condition, compareDecimals(value, level))
  switch (state.phase) {
    case 'waiting':
      if (!isMet) return { state: armed }
      return state.whenAlreadyMet === 'fire' ? { state: triggered, firing: {} } : { state: disarmed }
    case 'disarmed':
      return { state: isMet ? state : armed }
    case 'armed':
      return isMet ? { state: triggered, firing: firingAfter(publication, circumstances) } : { state }
    case 'triggered':
      return { state }
  }
}

function holds(condition: AlertCondition, valueAgainstLevel: -1 | 0 | 1): boolean {
  return condition === 'atOrAbove' ? valueAgainstLevel >= 0 : valueAgainstLevel <= 0
}

function firingAfter(publication: Publication, { previousAtMs, cadence }: Circumstances): Firing {
  if (previousAtMs === undefined || cadence === undefined) return {}
  const isGap = publication.publishedAtMs - previousAtMs > staleAfterMs(cadence)
  return isGap ? { gapSinceMs: previousAtMs } : {}
}
