/** What may be wrong with a draft of a rule, said at its field. */
import type { DraftProblem } from './alert-events'
import { checkTerms } from './alert-terms-checks'
import { spanText } from './alert-words'
import type { AlertCondition, AlertDraft } from './alerts'
import { indexIdPattern } from './shapes'
import type { IndexInfo } from './model'

/** What a draft is checked against, as far as it is known. */
export interface DraftContext {
  nowMs: number
  /** As the catalogue describes it. */
  index?: IndexInfo
  /** Whether the service lists the index; absent while no catalogue is known. */
  isKnown?: boolean
}

const second = 1_000
const minute = 60 * second
const day = 86_400 * second

/** The longest hold, cooldown and pause between repeats. */
export const longestWaitMs = 7 * day
const mostADay = 100
const longestNote = 500
const longestGroup = 60
const longestUrl = 2_048

/** Conditions that are over the moment they come true: nothing of them lasts. */
const pulses: ReadonlySet<AlertCondition> = new Set([
  'moves',
  'noUpdate',
  'amended',
  'corporateAction',
  'constituentsChanged',
  'divisorChanged',
])

/**
 * Every fault of a draft, each in a sentence that says what to do; none when it can be saved. The same for the page
 * while the user types and for the engine before it takes a rule: numbers may be any text.
 */
export function checkDraft(draft: AlertDraft, context: DraftContext): DraftProblem[] {
  return [
    ...checkIndex(draft, context),
    ...checkTerms(draft.terms, context.index),
    ...checkRepeat(draft),
    ...checkHold(draft),
    ...checkSpan('cooldown', draft.cooldownMs),
    ...checkExpiry(draft, context),
    ...checkText('note', draft.note, longestNote),
    ...checkText('group', draft.group, longestGroup),
    ...checkWebhook(draft.webhookUrl),
  ]
}

function checkIndex({ indexId }: AlertDraft, { isKnown }: DraftContext): DraftProblem[] {
  if (!indexIdPattern.test(indexId)) {
    return [{ field: 'index', message: 'Choose an index. An id has letters, digits, "_", "." and "-" only.' }]
  }
  if (isKnown !== false) return []
  const message = `The service does not list ${indexId} with this key. Check the id, or choose another index.`
  return [{ field: 'index', message }]
}

function checkRepeat({ repeat, terms }: AlertDraft): DraftProblem[] {
  const problem = (message: string): DraftProblem[] => [{ field: 'repeat', message }]
  if (repeat.mode === 'daily') {
    const isCount = Number.isSafeInteger(repeat.most) && repeat.most >= 1 && repeat.most <= mostADay
    return isCount ? [] : problem(`Enter how many a day at most, from 1 to ${mostADay}.`)
  }
  if (repeat.mode !== 'whileTrue') return []
  if (pulses.has(terms.condition) || terms.condition === 'crosses')
    return problem('There is nothing here that stays true. Choose every time instead.')
  const most = longestWaitMs / minute
  const { everyMinutes } = repeat
  const isSpan = Number.isSafeInteger(everyMinutes) && everyMinutes >= 1 && everyMinutes <= most
  return isSpan ? [] : problem(`Enter whole minutes from 1 to ${most}, which is ${spanText(longestWaitMs)}.`)
}

function checkHold({ holdMs, terms }: AlertDraft): DraftProblem[] {
  if (holdMs !== undefined && pulses.has(terms.condition)) {
    return [{ field: 'hold', message: 'There is nothing here that could last. Leave the time to hold out.' }]
  }
  return checkSpan('hold', holdMs)
}

function checkSpan(field: 'hold' | 'cooldown', ms: number | undefined): DraftProblem[] {
  if (ms === undefined) return []
  if (!Number.isSafeInteger(ms) || ms < second) return [{ field, message: 'Enter a time of at least 1 s.' }]
  return ms > longestWaitMs ? [{ field, message: `Enter a time of at most ${spanText(longestWaitMs)}.` }] : []
}

function checkExpiry({ expiresAt }: AlertDraft, { nowMs }: DraftContext): DraftProblem[] {
  if (expiresAt === undefined || expiresAt.atMs > nowMs) return []
  return [{ field: 'expiry', message: 'This time has passed. Choose a later one, or none.' }]
}

function checkText(field: 'note' | 'group', text: string | undefined, most: number): DraftProblem[] {
  if (text === undefined) return []
  if (text.trim() === '') return [{ field, message: `The ${field} is empty. Write something or leave it out.` }]
  if (text.length <= most) return []
  return [{ field, message: `The ${field} has ${text.length} characters. Shorten it to ${most}.` }]
}

const loopback = /^(localhost|127(\.\d{1,3}){3}|\[::1\])$/

/** Whether what is told there is read by nobody on the way: by https, or without leaving this machine. */
export function isPrivateWay({ protocol, hostname }: Pick<URL, 'protocol' | 'hostname'>): boolean {
  return protocol === 'https:' || (protocol === 'http:' && loopback.test(hostname))
}

function checkWebhook(text: string | undefined): DraftProblem[] {
  if (text === undefined) return []
  const problem = (message: string): DraftProblem[] => [{ field: 'webhook', message }]
  if (text.length > longestUrl) return problem(`The address has more than ${longestUrl} characters. Choose another.`)
  const url = URL.canParse(text) ? new URL(text) : undefined
  if (url === undefined || !isPrivateWay(url)) {
    return problem('Enter an address that begins with https://, such as https://example.com/hook.')
  }
  if (url.username === '' && url.password === '') return []
  return problem('Leave name and password out of the address: it is kept and shown as it is.')
}
