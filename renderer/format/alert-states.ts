/** The state of a rule in words, and what silences it. */
import { spanText } from '../../protocol/alert-words'
import type { AlertPhase, AlertSnooze, AlertView, SnoozeScope } from '../../protocol/alerts'
import { covers } from '../../protocol/snoozes'
import { conditionText, repeatWords, untilText } from './alert-words'
import type { DisplayStyle } from './value'

/** What a badge shows: the phase, or what keeps the rule from notifying. */
type RuleStateKind = AlertPhase | 'snoozed' | 'coolingDown' | 'refused'

export interface RuleState {
  kind: RuleStateKind
  /** A few words for the badge. */
  text: string
  /** The sentence behind it. */
  title: string
}

/** `0:42`, `12:05`, `1:00:00`; seconds are rounded down. */
export function clockSpan(ms: number): string {
  const seconds = Math.floor(Math.max(0, ms) / 1_000)
  const two = (number: number) => String(number).padStart(2, '0')
  const hours = Math.floor(seconds / 3_600)
  const minutes = Math.floor(seconds / 60) % 60
  const rest = two(seconds % 60)
  return hours > 0 ? `${hours}:${two(minutes)}:${rest}` : `${minutes}:${rest}`
}

/** What a snooze is about, at the start of a sentence. */
export function scopeWords(scope: SnoozeScope): string {
  switch (scope.of) {
    case 'rule':
      return 'This rule'
    case 'index':
      return `Every rule of ${scope.indexId}`
    case 'group':
      return `The group ${scope.group}`
    case 'all':
      return 'Everything'
  }
}

/** The snooze that keeps a rule silent the longest. */
export function snoozeOf(rule: AlertView, snoozes: readonly AlertSnooze[]): AlertSnooze | undefined {
  const end = ({ untilMs }: AlertSnooze) => untilMs ?? Infinity
  return snoozes
    .filter(({ scope }) => covers(scope, rule))
    .reduce<AlertSnooze | undefined>((longest, each) => {
      return longest === undefined || end(each) > end(longest) ? each : longest
    }, undefined)
}

/**
 * How a rule stands: what ended it first, then that its service refuses the index and in which words, then what silences
 * it, then what it waits for.
 */
export function ruleState(
  rule: AlertView,
  snoozes: readonly AlertSnooze[],
  nowMs: number,
  style: DisplayStyle,
  refusal?: string,
): RuleState {
  const state = phaseState(rule, nowMs, style)
  if (rule.phase === 'triggered' || rule.phase === 'suspended' || rule.phase === 'expired') return state
  if (refusal !== undefined) {
    const title = `The service refuses ${rule.indexId}: ${refusal}. The rule waits and cannot fire until the service offers it.`
    return { kind: 'refused', text: 'index refused', title: title.replace('..', '.') }
  }
  const snooze = snoozeOf(rule, snoozes)
  if (snooze !== undefined) {
    const until = snooze.untilMs === null ? '' : ` until ${untilText(snooze.untilMs, nowMs, style)}`
    const isMuted = snooze.scope.of === 'all'
    const title = `${scopeWords(snooze.scope)} is ${isMuted ? 'muted' : 'snoozed'}${until}: recorded, without a notification.`
    return { kind: 'snoozed', text: `${isMuted ? 'muted' : 'snoozed'}${until}`, title: `${title} ${state.title}` }
  }
  if (rule.cooldown === undefined) return state
  const { untilMs, heldBack } = rule.cooldown
  const until = untilText(untilMs, nowMs, style)
  return {
    kind: 'coolingDown',
    text: `cooling down until ${until}${heldBack === 0 ? '' : ` · ${heldBack} held back`}`,
    title: `Fired; further events until ${until} are recorded and counted, ${heldBack} so far. ${state.title}`,
  }
}

function phaseState(rule: AlertView, nowMs: number, style: DisplayStyle): RuleState {
  const waitsFor = `${rule.indexId} ${conditionText(rule, style)}`
  const expiry = rule.expiresAt === undefined ? '' : ` It expires at ${untilText(rule.expiresAt.atMs, nowMs, style)}.`
  const kind = rule.phase
  switch (kind) {
    case 'waiting':
      // There are values for a move; what is missing is the time it looks back over.
      if (rule.terms.condition === 'moves') {
        const span = spanText(rule.terms.withinMs)
        return {
          kind,
          text: 'gathering values',
          title: `Needs ${span} of values first.`,
        }
      }
      return {
        kind,
        text: 'waiting for a value',
        title: `No value of ${rule.indexId} since the rule was created; it starts with the first one.`,
      }
    case 'disarmed':
      return {
        kind,
        text: 'waiting to re-arm',
        title: `“${waitsFor}” is already true: the rule waits until that ends.`,
      }
    case 'armed':
      return { kind, text: 'armed', title: `Fires when ${waitsFor}, ${repeatWords(rule)}.${expiry}` }
    case 'holding': {
      const held = clockSpan(rule.heldMs ?? 0)
      const text = rule.holdMs === undefined ? 'holding' : `holding ${held} of ${clockSpan(rule.holdMs)}`
      return { kind, text, title: `“${waitsFor}” is true, but not for long enough yet.` }
    }
    case 'triggered':
      return { kind, text: 'triggered', title: 'Fired once and finished. Arm it again, or set the next one.' }
    case 'suspended':
      return {
        kind,
        text: 'suspended',
        title: `${(rule.suspension ?? 'It fired too often').replace(/\.$/, '')}. Arm it again, or edit it.`,
      }
    case 'expired':
      return { kind, text: 'expired', title: 'It has reached its expiry.' }
  }
}
