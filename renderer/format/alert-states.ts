/** States of rules and snoozes in words. */
import { nextHoursMs } from '../../core/alert-hours'
import { statusOf, type IndexWithoutData } from '../../core/alert-standing'
import { hoursWords } from '../../core/alert-words'
import { spanText } from '../../core/spans'
import { hasWindow, dependsOn, type AlertSnooze, type AlertView, type SnoozeScope } from '../../core/alerts'
import type { AlertHours } from '../../core/alert-timing'
import type { AlertPhase } from '../../core/evaluation/state'
import { covers } from '../../core/snoozes'
import { conditionText, repeatWords, untilText } from './alert-words'
import type { DisplayStyle } from './value'

/** The state that a badge shows: the phase, or what prevents firing or notifying. */
type RuleStateKind = AlertPhase | 'cannotFire' | 'snoozed' | 'outsideHours' | 'unchecked' | 'noData' | 'coolingDown'

export interface RuleState {
  kind: RuleStateKind
  /** Text of the badge. */
  text: string
  /** A short reason, duration or count. Left out if there is no room. */
  reason?: string
  /** The state in a full sentence. */
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

/** The scope of a snooze, as the subject of a sentence. */
export function scopeWords(scope: SnoozeScope): string {
  switch (scope.of) {
    case 'rule':
      return 'This alert'
    case 'index':
      return `Every alert on ${scope.indexId}`
    case 'group':
      return `The group ${scope.group}`
    case 'all':
      return 'Everything'
  }
}

/** The snooze of a rule that ends last. */
export function snoozeOf(rule: AlertView, snoozes: readonly AlertSnooze[]): AlertSnooze | undefined {
  const end = ({ untilMs }: AlertSnooze) => untilMs ?? Infinity
  return snoozes
    .filter(({ scope }) => covers(scope, rule))
    .reduce<AlertSnooze | undefined>((longest, each) => {
      return longest === undefined || end(each) > end(longest) ? each : longest
    }, undefined)
}

/** What the state of a rule depends on besides the rule. */
export interface RuleContext {
  nowMs: number
  snoozes: readonly AlertSnooze[]
  /** Set while the index has no data. */
  missing?: IndexWithoutData | undefined
}

/** The state of a rule in words. `statusOf` decides which of several states is shown. */
export function ruleState(rule: AlertView, context: RuleContext, style: DisplayStyle): RuleState {
  const { nowMs, snoozes, missing } = context
  const { hours, cooldown, reach, ...always } = rule
  const kind = statusOf(rule, { nowMs, snoozes, hasData: missing === undefined })
  const snooze = snoozeOf(rule, snoozes)
  if (kind === 'cannotFire' && typeof reach === 'object') {
    const reason = reach.cannotFire
    const title = `This alert cannot fire: ${reason}. It resumes once that is fixed. Edit or delete it.`
    return { kind, text: 'cannot fire', reason, title }
  }
  if (kind === 'unchecked') {
    const title = `Can’t tell yet whether ${rule.indexId} publishes what this alert needs. Checking as soon as data arrives.`
    return { kind, text: 'unchecked', title }
  }
  if (kind === 'snoozed' && snooze !== undefined) {
    const awake = ruleState(rule, { ...context, snoozes: [] }, style)
    return { kind, ...snoozeWords(snooze, awake, nowMs, style) }
  }
  if (kind === 'outsideHours' && hours !== undefined) {
    const inside = ruleState({ ...always, ...(reach !== undefined && { reach }) }, context, style)
    return { kind, ...outsideHoursWords(hours, inside, nowMs, style) }
  }
  if (kind === 'noData') return { kind, ...noDataWords(rule, missing?.sinceMs, nowMs, style) }
  const state = phaseState(rule, nowMs, style)
  if (kind !== 'coolingDown' || cooldown === undefined) return state
  const until = untilText(cooldown.untilMs, nowMs, style)
  const { heldBack } = cooldown
  return {
    kind,
    text: `cooling down until ${until}`,
    ...(heldBack > 0 && { reason: `${heldBack} suppressed` }),
    title: `Fired. Further events until ${until} are recorded without a notification, ${heldBack} so far. ${state.title}`,
  }
}

type StateWords = Omit<RuleState, 'kind'>

function snoozeWords(
  { scope, untilMs }: AlertSnooze,
  awake: RuleState,
  nowMs: number,
  style: DisplayStyle,
): StateWords {
  const until = untilMs === null ? '' : ` until ${untilText(untilMs, nowMs, style)}`
  const text = `${scope.of === 'all' ? 'muted' : 'snoozed'}${until}`
  return { text, title: `${scopeWords(scope)} is ${text}: events are recorded without a notification. ${awake.title}` }
}

function outsideHoursWords(hours: AlertHours, inside: RuleState, nowMs: number, style: DisplayStyle): StateWords {
  const nextMs = nextHoursMs(hours, nowMs)
  const until = nextMs === undefined ? undefined : `until ${untilText(nextMs, nowMs, style)}`
  return {
    text: 'outside its hours',
    ...(until !== undefined && { reason: until }),
    title: `Active ${hoursWords(hours)} only${until === undefined ? '' : `, paused ${until}`}. ${inside.title}`,
  }
}

function noDataWords(
  { indexId, terms }: AlertView,
  sinceMs: number | undefined,
  nowMs: number,
  style: DisplayStyle,
): StateWords {
  if (sinceMs === undefined) {
    return {
      text: 'no data yet',
      title: `No value of ${indexId} has arrived yet. The alert starts with the first one.`,
    }
  }
  const since = untilText(sinceMs, nowMs, style)
  const isMadeUpFor = dependsOn(terms, 'values')
  const later = isMadeUpFor ? ' Missed values are then fetched and checked.' : ''
  const title = `No live data of ${indexId} since ${since}. The alert cannot fire until data returns.${later}`
  return { text: `no data since ${since}`, title }
}

function phaseState(rule: AlertView, nowMs: number, style: DisplayStyle): RuleState {
  const waitsFor = `${rule.indexId} ${conditionText(rule, style)}`
  const expiry = rule.expiresAt === undefined ? '' : ` It expires at ${untilText(rule.expiresAt.atMs, nowMs, style)}.`
  const kind = rule.phase
  switch (kind) {
    case 'waiting':
      // A condition over a time window has values, but not yet for the whole window.
      if (hasWindow(rule.terms)) {
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
        title: `No value of ${rule.indexId} since the alert was created. It starts with the first one.`,
      }
    case 'disarmed':
      return {
        kind,
        text: 'waiting to re-arm',
        title: `“${waitsFor}” is already true. The alert waits until it ends.`,
      }
    case 'armed':
      return { kind, text: 'armed', title: `Fires when ${waitsFor}, ${repeatWords(rule)}.${expiry}` }
    case 'holding': {
      const held = clockSpan(rule.heldMs ?? 0)
      const text = rule.holdMs === undefined ? 'holding' : `holding ${held} of ${clockSpan(rule.holdMs)}`
      return { kind, text, title: `“${waitsFor}” is true, but not for long enough yet.` }
    }
    case 'triggered':
      return { kind, text: 'fired', title: 'Fired once and finished. Re-arm it, or create a new alert like this.' }
    case 'suspended':
      return {
        kind,
        text: 'suspended',
        title: rule.suspension ?? 'It fired too often. Re-arm it, or edit it.',
      }
    case 'expired':
      return { kind, text: 'expired', title: 'Its expiry time has passed.' }
  }
}
