/** Conditions that say all by their name, and silence: each goes by what it has seen last. */
import { createHash } from 'node:crypto'
import type { AlertRule } from '../alerts'
import type { CorporateAction } from '../model'
import type { Reading } from './latch'
import { allowedGapMs, publicationInputs, valueInputs } from './observation'
import type { Observation, Resumed, SilenceSeen, ValueSeen } from './observation'
import type { RuleState } from './state'
import { armed, fireEvent, nothing, type Verdict } from './verdict'

/** So many amendments are remembered; one that comes again after as many others would fire twice. */
const maxAmendments = 200

export function readCarriedOver(seen: ValueSeen): Reading {
  const { publishedAtMs, isRepeatOfPrevious } = seen.publication
  const isCarriedOver = isRepeatOfPrevious === true
  return {
    up: { holds: isCarriedOver, arms: !isCarriedOver },
    atFirst: 'asSaid',
    publishedAtMs,
    allowedGapMs: allowedGapMs(seen.cadence),
    inputs: () => valueInputs(seen),
    fact: isCarriedOver ? 'Carried forward' : 'A new value',
    rearm: 'a new value arrives',
  }
}

/** Each amendment fires once. One older than the rule is known from the beginning, unless it is to fire at once. */
export function judgeAmended(rule: AlertRule, state: RuleState, seen: ValueSeen): Verdict {
  const { publishedAtMs, amendedAtMs } = seen.publication
  const { whenAlreadyMet, amendments = [] } = state
  const isKnown =
    amendedAtMs === undefined ||
    amendments.some((each) => each.publishedAtMs === publishedAtMs && each.amendedAtMs === amendedAtMs)
  if (isKnown) {
    if (amendedAtMs !== undefined) return nothing(state, 'This amendment has already fired.')
    return { state: armed(state), firings: [], words: 'Not amended: armed.' }
  }
  const latest = [...amendments, { publishedAtMs, amendedAtMs }].slice(-maxAmendments)
  const next = { ...armed(state), amendments: latest }
  if (whenAlreadyMet === 'wait' && amendedAtMs <= rule.createdAtMs) {
    return { state: next, firings: [], words: 'Amended before the alert was created: armed.' }
  }
  return fireEvent(rule, next, { inputs: valueInputs(seen), atMs: publishedAtMs, fact: 'Amended' })
}

/** Each value of its own is a fixing and fires, but for the one that was in force as the rule began. */
export function judgeFixed(rule: AlertRule, state: RuleState, { publication }: ValueSeen): Verdict {
  const { publishedAtMs, isRepeatOfPrevious } = publication
  if (isRepeatOfPrevious === true) {
    return { state: armed(state), firings: [], words: 'Carried forward, not a fixing: armed.' }
  }
  const next = { ...armed(state), fixedMs: publishedAtMs }
  if (state.whenAlreadyMet === 'wait')
    return { state: next, firings: [], words: 'Published before the alert started: armed.' }
  return fireEvent(rule, next, {
    inputs: publicationInputs(publication),
    atMs: publishedAtMs,
    fact: 'Fixing published',
  })
}

/** The action that is first seen is the base; an action that says something else fires, its end does not. */
export function judgeCorporateAction(rule: AlertRule, state: RuleState, action: CorporateAction | null): Verdict {
  const digest = action === null ? null : digestOf(action)
  const isFirst = state.whenAlreadyMet !== undefined
  if (!isFirst && digest === state.action) return nothing(state, 'The corporate action is the same as before.')
  const next = { ...armed(state), action: digest }
  if (action === null) return { state: next, firings: [], words: 'There is no corporate action: armed.' }
  if (state.whenAlreadyMet === 'wait')
    return { state: next, firings: [], words: 'There is already a corporate action. Waiting for a new one.' }
  const { publishedAtMs } = action
  return fireEvent(rule, next, { inputs: { publishedAtMs }, atMs: publishedAtMs, fact: 'New corporate action' })
}

/** What an action says, in any order of its fields; its time of publication is no part of it. */
function digestOf({ facts }: CorporateAction): string {
  const lines = facts.map(({ name, text }) => JSON.stringify([name, text])).sort()
  return createHash('sha256').update(lines.join('\n')).digest('base64')
}

/**
 * A silence fires once; where the rule repeats while true, each time the watch reports it. What comes after it ends it,
 * also of a rule that is done and of a silence that fired before a restart.
 */
export function judgeSilence(rule: AlertRule, state: RuleState, seen: Observation): Verdict {
  switch (seen.kind) {
    case 'silent':
      return judgeSilent(rule, state, seen)
    case 'value':
    case 'resumed':
      return judgeActivity(state, seen)
    default:
      return nothing(state, 'Nothing to compare.')
  }
}

function judgeSilent(rule: AlertRule, state: RuleState, { atMs, sinceMs }: SilenceSeen): Verdict {
  if (state.isDone) return nothing(state, 'It has fired once and is finished.')
  if (state.silence !== undefined && rule.repeat.mode !== 'whileTrue')
    return nothing(state, 'Still silent, already fired.')
  const next = { ...armed(state), isUpArmed: false, silence: sinceMs === undefined ? {} : { sinceMs } }
  const inputs = sinceMs === undefined ? {} : { silentSinceMs: sinceMs }
  const verdict = fireEvent(rule, next, { inputs, atMs, fact: 'Silent' })
  // Nobody waits for the end of a silence that was not notified.
  return verdict.isOutsideHours ? { ...verdict, state: armed(state) } : verdict
}

function judgeActivity(state: RuleState, { publication }: ValueSeen | Resumed): Verdict {
  const { silence } = state
  if (silence === undefined) return { state: armed(state), firings: [], words: 'A value arrived: armed.' }
  // After a restart the value from before the silence comes once more.
  if (silence.sinceMs !== undefined && publication.publishedAtMs <= silence.sinceMs) {
    return nothing(state, 'The value from before the silence: still silent.')
  }
  const next = { ...state, isUpArmed: !state.isDone }
  delete next.silence
  const since = silence.sinceMs === undefined ? {} : { silentSinceMs: silence.sinceMs }
  return {
    state: next,
    firings: [],
    recovered: { ...publicationInputs(publication), ...since },
    words: 'Publishes again.',
  }
}
