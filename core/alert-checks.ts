/** Checks a draft of a rule. Each problem names its field. */
import type { DraftProblem } from './alert-events'
import { checkTerms } from './alert-terms-checks'
import { isOutsideHours, nextHoursMs } from './alert-hours'
import { checkConditions, checkMembers, nearIndex, type Offered } from './alert-reach'
import type { AlertHours } from './alert-timing'
import type { AlertDraft } from './alerts'
import { specOf, type AlertCondition } from './conditions/list'
import { spanText } from './spans'
import { misfit } from './formula'
import { clockPattern, idProblem, isIndexId, isNamedZone } from './shapes'
import { webhookChoiceProblem } from './webhook-services'

/** What a draft is checked against, as far as it is known. */
export interface DraftContext extends Offered {
  nowMs: number
}

const second = 1_000
const minute = 60 * second
const day = 86_400 * second

/** Maximum of a hold, a cooldown and a repeat interval. */
const maxWaitMs = 7 * day
const maxPerDay = 100
const maxNote = 500
const maxGroup = 60

/**
 * Returns every problem of a draft, each as a sentence that says what to do. Empty if the draft can be saved. The page
 * checks while the user types, so number fields may hold any text. The engine checks before it creates a rule.
 */
export function checkDraft(draft: AlertDraft, context: DraftContext): DraftProblem[] {
  return [
    ...checkIndex(draft, context),
    ...checkTerms(draft.terms, context.index),
    ...checkMembers(draft, context.constituents),
    ...checkConditions(draft, context.conditions),
    ...checkRepeat(draft),
    ...checkHold(draft),
    ...checkHours(draft),
    ...checkSpan('cooldownMs', draft.cooldownMs),
    ...checkExpiry(draft, context),
    ...checkText('note', draft.note, maxNote),
    ...checkText('group', draft.group, maxGroup),
    ...checkWebhook(draft.webhookUrl),
  ]
}

function checkIndex({ indexId }: AlertDraft, { index, isKnown, refusal, listedIds }: DraftContext): DraftProblem[] {
  const problem = (message: string): DraftProblem[] => [{ field: 'indexId', message }]
  if (!isIndexId(indexId)) {
    return problem(`Choose an index. ${idProblem(indexId)}`)
  }
  if (isKnown === false) {
    return problem(`The provider does not list ${indexId} for this key. ${nearIndex(indexId, listedIds)}`)
  }
  const unfit = index && misfit(indexId, () => index.maxResolution)
  if (unfit !== undefined) return problem(unfit)
  if (refusal === undefined) return []
  return problem(`The provider refuses ${indexId}: ${refusal.replace(/\.$/, '')}. Choose another index.`)
}

function checkRepeat({ repeat, terms }: AlertDraft): DraftProblem[] {
  const problem = (message: string): DraftProblem[] => [{ field: 'repeat', message }]
  if (repeat.mode === 'daily') {
    const isCount = Number.isSafeInteger(repeat.max) && repeat.max >= 1 && repeat.max <= maxPerDay
    return isCount ? [] : problem(`Enter how many a day at most, from 1 to ${maxPerDay}.`)
  }
  if (repeat.mode !== 'whileTrue') return []
  const { canHold, canBeTrueAtStart } = specOf(terms.condition)
  if (!canHold || !canBeTrueAtStart)
    return problem('This condition is momentary. Choose “every time” instead of “while it is true”.')
  const maxMinutes = maxWaitMs / minute
  const { everyMinutes } = repeat
  const isSpan = Number.isSafeInteger(everyMinutes) && everyMinutes >= 1 && everyMinutes <= maxMinutes
  return isSpan ? [] : problem(`Enter whole minutes from 1 to ${maxMinutes}, which is ${spanText(maxWaitMs)}.`)
}

function checkHold({ holdMs, terms }: AlertDraft): DraftProblem[] {
  if (holdMs !== undefined && !specOf(terms.condition).canHold) {
    return [{ field: 'holdMs', message: 'This condition is momentary. Turn the hold off.' }]
  }
  return checkSpan('holdMs', holdMs)
}

/** Whether a rule may fire when its hours start because its condition is already true. */
export function canFireAtStart(condition: AlertCondition): boolean {
  const { canBeTrueAtStart, source } = specOf(condition)
  return canBeTrueAtStart && source !== 'silence'
}

function checkHours({ hours, terms }: AlertDraft): DraftProblem[] {
  if (hours === undefined) return []
  const problem = (message: string): DraftProblem[] => [{ field: 'hours', message }]
  const fault = checkClock(hours)
  if (fault !== undefined) return problem(fault)
  if (hours.alsoIfTrue !== true || canFireAtStart(terms.condition)) return []
  return problem('This condition is momentary. It cannot already be true when the hours begin. Turn that option off.')
}

/** What is wrong with the days, the times or the zone. */
function checkClock({ days, from, to, timeZone }: AlertHours): string | undefined {
  if (days.length === 0) return 'Choose at least one day.'
  if (new Set(days).size < days.length) return 'A day is listed twice. Remove one of them.'
  if (!clockPattern.test(from) || !clockPattern.test(to)) return 'Enter both times, such as 15:30 and 16:15.'
  return isNamedZone(timeZone) ? undefined : 'Choose a time zone such as Europe/London.'
}

function checkSpan(field: 'holdMs' | 'cooldownMs', ms: number | undefined): DraftProblem[] {
  if (ms === undefined) return []
  if (!Number.isSafeInteger(ms) || ms < second) return [{ field, message: 'Enter a time of at least 1 s.' }]
  return ms > maxWaitMs ? [{ field, message: `Enter a time of at most ${spanText(maxWaitMs)}.` }] : []
}

function checkExpiry({ expiresAt, hours }: AlertDraft, { nowMs }: DraftContext): DraftProblem[] {
  if (expiresAt === undefined) return []
  const problem = (message: string): DraftProblem[] => [{ field: 'expiresAt', message }]
  if (expiresAt.atMs <= nowMs) return problem('This time has passed. Choose a later one, or none.')
  if (hours === undefined || checkClock(hours) !== undefined || !isOutsideHours({ hours }, nowMs)) return []
  const beginsMs = nextHoursMs(hours, nowMs)
  if (beginsMs !== undefined && beginsMs < expiresAt.atMs) return []
  return problem('The alert expires before its hours begin, so it can never fire. Choose a later time, or none.')
}

function checkText(field: 'note' | 'group', text: string | undefined, max: number): DraftProblem[] {
  if (text === undefined) return []
  if (text.trim() === '') return [{ field, message: `The ${field} is empty. Write something or leave it out.` }]
  if (text.length <= max) return []
  return [{ field, message: `The ${field} has ${text.length} characters. Shorten it to ${max}.` }]
}

function checkWebhook(text: string | undefined): DraftProblem[] {
  const message = text === undefined ? undefined : webhookChoiceProblem(text)
  return message === undefined ? [] : [{ field: 'webhookUrl', message }]
}
