/** Schemas for the messages of docs/reference/protocol.md. The numbers are its sections. Other fields are allowed. */
import * as v from 'valibot'

/** 2.4: "a decimal string. It may use scientific notation when an exponent is needed". */
export const decimal = v.pipe(v.string(), v.regex(/^-?\d+(\.\d+)?([eE][+-]?\d+)?$/))
/** Milliseconds since the Unix epoch. A number in the samples of the provider, a string in its table of fields. */
export const time = v.union([v.pipe(v.number(), v.safeInteger()), v.pipe(v.string(), v.regex(/^\d+$/))])
const text = v.pipe(v.string(), v.minLength(1))

/** A row of REST: 2.4 without `type` and `id`. */
export const row = v.object({
  time,
  value: decimal,
  amendTime: v.optional(v.pipe(v.number(), v.safeInteger())),
  repeatOfPreviousValue: v.optional(v.literal(true)),
})
export type Row = v.InferOutput<typeof row>
export const rows = v.array(row)

/** 2.4. */
export const valueMessage = v.object({ type: v.literal('value'), id: text, ...row.entries })

const exchangeWeight = v.object({ exchange: text, weightPercent: decimal })
const constituent = v.object({ constituent: text, value: decimal, weightPercent: decimal })
const constituentsMessage = v.object({ type: v.literal('constituents'), id: text, ...row.entries })

/** 2.5 for an exchange-family index. */
export const familyMessage = v.object({
  ...constituentsMessage.entries,
  divisor: decimal,
  constituents: v.pipe(
    v.array(v.object({ ...constituent.entries, exchanges: v.pipe(v.array(exchangeWeight), v.minLength(1)) })),
    v.minLength(1),
  ),
})

/** 2.5 for a basket. The tests check which fields it must not have. */
export const basketMessage = v.object({
  ...constituentsMessage.entries,
  constituents: v.pipe(v.array(constituent), v.minLength(1)),
})

/** 2.6. */
export function failedSubscribe(stream: string, id: string) {
  return v.strictObject({
    type: v.literal('subscribe'),
    id: v.literal(id),
    stream: v.literal(stream),
    success: v.literal(false),
    reason: text,
  })
}

/** 2.7: the six values that are publicly documented. */
export const maxResolution = v.picklist(['PER_200MS', 'PER_SECOND', 'PER_MINUTE', 'PER_HOUR', 'DAILY', 'BUSINESS_DAYS'])

/** 2.7. */
export const reference = v.object({
  id: text,
  name: text,
  decimals: v.pipe(v.number(), v.safeInteger(), v.minValue(0)),
  base: v.optional(text),
  quote: v.optional(text),
  maxResolution,
})
export type Reference = v.InferOutput<typeof reference>

/** 4.2. */
export const summary = v.object({ ...row.entries, last24Hours: rows })

/** The time of a row or message as a number. */
export function timeOf({ time: given }: { readonly time: string | number }): number {
  return Number(given)
}
