/** Validators of alerts: for commands of a page, for alert files and for stored rules. */
import * as v from 'valibot'
import { repeatSchema } from './alert-timing'
import { draftEntries, type AlertDraft, type AlertRule, type AlertTerms } from './alerts'
import type { FieldSpec } from './conditions/fields'
import { alertConditions, fieldsOf, type AlertCondition } from './conditions/list'
import { isDecimalText } from './decimal'
import { countSchema, indexIdSchema, localIdSchema, nameSchema, timeSchema } from './shapes'

/** The message says what to do if the text is not a number. */
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
      return countSchema
    case 'name':
      return nameSchema
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

// Checks the same as the type. Both follow from the table of conditions, but validators made from a table have no type.
export const termsSchema = v.variant('condition', alertConditions.map(conditionSchema)) as v.GenericSchema<
  unknown,
  AlertTerms
>

const entries = { indexId: indexIdSchema, terms: termsSchema, ...draftEntries }

export const draftSchema: v.GenericSchema<unknown, AlertDraft> = v.strictObject(entries)

/** What an assistant may propose. Without a webhook, because an assistant may not choose where notifications go. */
export const proposalSchema = v.strictObject({
  indexId: indexIdSchema,
  terms: termsSchema,
  repeat: v.optional(repeatSchema, { mode: 'once' }),
  severity: v.optional(draftEntries.severity, 'info'),
  holdMs: draftEntries.holdMs,
  hours: draftEntries.hours,
  note: draftEntries.note,
})

const draftOfRuleSchema: v.GenericSchema<unknown, AlertDraft> = v.object(entries)

/** What the user chose of a rule. */
export function draftOf(rule: AlertDraft): AlertDraft {
  return v.parse(draftOfRuleSchema, rule)
}

/** A stored rule. Drops fields added by a later version. */
export const ruleSchema: v.GenericSchema<unknown, AlertRule> = v.object({
  ...entries,
  id: localIdSchema,
  version: countSchema,
  createdAtMs: timeSchema,
  follows: v.exactOptional(localIdSchema),
})
