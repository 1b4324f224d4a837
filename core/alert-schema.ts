/** Validators of the words of alerts: for what a page sends, for a file of rules and for what was kept on the disk. */
import * as v from 'valibot'
import { alertConditions, fieldsOf, type AlertCondition, type FieldSpec } from './alert-conditions'
import { alertEventKinds, deliveries, type AlertEvent, type AlertInputs, type InboxQuery } from './alert-events'
import {
  holdBackReasons,
  weekdays,
  type AlertDraft,
  type AlertHours,
  type AlertRepeat,
  type AlertRule,
  type AlertSnooze,
  type AlertTerms,
  type SnoozeScope,
} from './alerts'
import { isDecimalText } from './decimal'
import { severities } from './severity'
import { clockPattern, indexIdSchema, isNamedZone, isTimeZone } from './shapes'

const localId = v.pipe(v.string(), v.minLength(1), v.maxLength(64))
const name = v.pipe(v.string(), v.minLength(1), v.maxLength(120))
/** The last moment a `Date` can name. */
export const maxTimeMs = 8.64e15
export const timeSchema = v.pipe(v.number(), v.safeInteger(), v.minValue(0), v.maxValue(maxTimeMs))
const timeMs = timeSchema
const spanMs = v.pipe(v.number(), v.safeInteger(), v.minValue(1))
const count = v.pipe(v.number(), v.safeInteger(), v.minValue(1))

/** A sentence of our own says what to do where the text is no number. */
function decimal(noun: string, example: string) {
  const article = /^[aeiou]/.test(noun) ? 'An' : 'A'
  const message = `${article} ${noun} is a number such as ${example}.`
  return v.pipe(v.string(), v.maxLength(64), v.check(isDecimalText, message))
}

function fieldSchema(spec: FieldSpec): v.GenericSchema {
  switch (spec.kind) {
    case 'level':
    case 'number':
      return decimal(spec.noun, spec.example)
    case 'span':
      return spanMs
    case 'name':
      return name
    case 'choice':
      return v.picklist(Object.keys(spec.options))
    case 'rearmBand':
      return v.strictObject({ size: decimal(spec.noun, spec.example), unit: v.picklist(['points', 'basisPoints']) })
  }
}

function conditionSchema(condition: AlertCondition) {
  const entries = fieldsOf(condition).map(({ name, spec, isOptional }) => {
    const schema = fieldSchema(spec)
    return [name, isOptional ? v.exactOptional(schema) : schema] as const
  })
  return v.strictObject({ condition: v.literal(condition), ...Object.fromEntries(entries) })
}

// Checks what the type says, since both follow from the table of conditions; validators made from a table have no type.
export const termsSchema = v.variant('condition', alertConditions.map(conditionSchema)) as v.GenericSchema<
  unknown,
  AlertTerms
>

const repeatSchema: v.GenericSchema<unknown, AlertRepeat> = v.variant('mode', [
  v.strictObject({ mode: v.picklist(['once', 'everyCrossing']) }),
  v.strictObject({ mode: v.literal('whileTrue'), everyMinutes: count }),
  v.strictObject({ mode: v.literal('daily'), max: count }),
])

const clockTime = v.pipe(v.string(), v.regex(clockPattern, 'Write the time as HH:MM, such as 15:30.'))
const hoursSchema: v.GenericSchema<unknown, AlertHours> = v.strictObject({
  days: v.pipe(v.array(v.picklist(weekdays)), v.minLength(1, 'Name at least one day, such as "mon".')),
  from: clockTime,
  to: clockTime,
  timeZone: v.pipe(v.string(), v.maxLength(64), v.check(isNamedZone, 'Name a time zone such as Europe/London.')),
  alsoIfTrue: v.exactOptional(v.literal(true)),
})

const draftEntries = {
  indexId: indexIdSchema,
  terms: termsSchema,
  repeat: repeatSchema,
  severity: v.picklist(severities),
  holdMs: v.exactOptional(spanMs),
  countsRepeats: v.exactOptional(v.literal(true)),
  hours: v.exactOptional(hoursSchema),
  cooldownMs: v.exactOptional(spanMs),
  expiresAt: v.exactOptional(
    v.strictObject({
      atMs: timeMs,
      timeZone: v.pipe(v.string(), v.maxLength(64), v.check(isTimeZone, 'Choose a time zone such as Europe/London.')),
    }),
  ),
  note: v.exactOptional(v.pipe(v.string(), v.minLength(1), v.maxLength(500))),
  group: v.exactOptional(v.pipe(v.string(), v.minLength(1), v.maxLength(60))),
  webhookUrl: v.exactOptional(v.pipe(v.string(), v.maxLength(2048))),
}

export const draftSchema: v.GenericSchema<unknown, AlertDraft> = v.strictObject(draftEntries)

/** What an assistant may propose: it names no address that notifications would be sent to. */
export const proposalSchema = v.strictObject({
  indexId: indexIdSchema,
  terms: termsSchema,
  repeat: v.optional(repeatSchema, { mode: 'once' }),
  severity: v.optional(draftEntries.severity, 'info'),
  holdMs: draftEntries.holdMs,
  hours: draftEntries.hours,
  note: draftEntries.note,
})

/** What a rule has beyond its draft is dropped. */
export const draftOfRuleSchema: v.GenericSchema<unknown, AlertDraft> = v.object(draftEntries)

/** Of a rule kept on the disk: what a later version adds is dropped. */
export const ruleSchema: v.GenericSchema<unknown, AlertRule> = v.object({
  ...draftEntries,
  id: localId,
  version: count,
  createdAtMs: timeMs,
})

export const scopeSchema: v.GenericSchema<unknown, SnoozeScope> = v.variant('of', [
  v.strictObject({ of: v.literal('rule'), ruleId: localId }),
  v.strictObject({ of: v.literal('index'), indexId: indexIdSchema }),
  v.strictObject({ of: v.literal('group'), group: name }),
  v.strictObject({ of: v.literal('all') }),
])

export const snoozeSchema: v.GenericSchema<unknown, AlertSnooze> = v.strictObject({
  scope: scopeSchema,
  untilMs: v.nullable(timeMs),
})

/** As published, which may be longer than anything that is typed. */
const number = v.pipe(v.string(), v.check(isDecimalText))
const published = v.object({ value: number, publishedAtMs: timeMs })
export const inputsSchema: v.GenericSchema<unknown, AlertInputs> = v.object({
  value: v.exactOptional(number),
  publishedAtMs: v.exactOptional(timeMs),
  amendedAtMs: v.exactOptional(timeMs),
  previous: v.exactOptional(published),
  reference: v.exactOptional(v.object({ ...published.entries, kind: v.picklist(['oldest', 'min', 'max']) })),
  change: v.exactOptional(number),
  constituent: v.exactOptional(v.string()),
  joined: v.exactOptional(v.array(v.string())),
  left: v.exactOptional(v.array(v.string())),
  before: v.exactOptional(number),
  direction: v.exactOptional(v.picklist(['up', 'down'])),
  heldSinceMs: v.exactOptional(timeMs),
  dueMs: v.exactOptional(timeMs),
  silentSinceMs: v.exactOptional(timeMs),
  gapSinceMs: v.exactOptional(timeMs),
  missedSinceMs: v.exactOptional(timeMs),
  over: v.exactOptional(published),
  latest: v.exactOptional(published),
})

export const eventSchema: v.GenericSchema<unknown, AlertEvent> = v.object({
  id: localId,
  number: count,
  kind: v.picklist(alertEventKinds),
  ruleId: localId,
  ruleVersion: count,
  indexId: indexIdSchema,
  connection: v.exactOptional(v.string()),
  isDemo: v.exactOptional(v.boolean()),
  terms: termsSchema,
  hours: draftEntries.hours,
  severity: v.picklist(severities),
  note: draftEntries.note,
  recordedAtMs: timeMs,
  inputs: inputsSchema,
  aboutEventId: v.exactOptional(localId),
  heldBackBy: v.exactOptional(v.picklist(holdBackReasons)),
  heldBackCount: v.exactOptional(count),
  untilMs: v.exactOptional(v.nullable(timeMs)),
  isMute: v.exactOptional(v.literal(true)),
  unknown: v.exactOptional(v.object({ fromMs: timeMs, toMs: timeMs, indexIds: v.array(indexIdSchema) })),
  sources: v.exactOptional(v.object({ from: v.string(), to: v.string() })),
  reason: v.exactOptional(v.string()),
  delivery: v.picklist(deliveries),
  webhookResult: v.exactOptional(v.string()),
  secondChannel: v.exactOptional(v.string()),
  isRead: v.boolean(),
})

export const inboxQuerySchema: v.GenericSchema<unknown, InboxQuery> = v.strictObject({
  search: v.exactOptional(v.pipe(v.string(), v.maxLength(120))),
  kinds: v.exactOptional(v.array(v.picklist(alertEventKinds))),
  ruleId: v.exactOptional(localId),
  before: v.exactOptional(count),
  after: v.exactOptional(count),
})
