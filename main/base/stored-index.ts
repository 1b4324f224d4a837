/** Data of an index as stored in the history: in catalogues, index pages and baselines. */
import * as v from 'valibot'
import { isDecimalText } from '../../core/decimal'
import { resolutions, type ConstituentsPublication } from '../../core/model'
import { indexIdSchema } from '../../core/shapes'
import { parseJson } from './sanitize'

/** The validated content of a JSON text. Undefined if it is not JSON or not valid. */
export function readDocument<S extends v.GenericSchema>(schema: S, text: string): v.InferOutput<S> | undefined {
  const read = v.safeParse(schema, parseJson(text))
  return read.success ? read.output : undefined
}

export const indexInfoEntries = {
  id: indexIdSchema,
  name: v.exactOptional(v.string()),
  maxResolution: v.picklist(resolutions),
  decimals: v.exactOptional(v.number()),
  base: v.exactOptional(v.string()),
  quote: v.exactOptional(v.string()),
  codes: v.exactOptional(v.array(v.string())),
}

export const decimal = v.pipe(v.string(), v.check(isDecimalText))
export const timeMs = v.pipe(v.number(), v.safeInteger(), v.minValue(0))
const text = v.pipe(v.string(), v.minLength(1))

export const publicationEntries = {
  value: decimal,
  publishedAtMs: timeMs,
  amendedAtMs: v.exactOptional(timeMs),
  isRepeatOfPrevious: v.exactOptional(v.literal(true)),
}

export const constituentsSchema: v.GenericSchema<unknown, ConstituentsPublication> = v.object({
  ...publicationEntries,
  divisor: v.exactOptional(decimal),
  constituents: v.array(
    v.object({
      constituent: text,
      value: decimal,
      weightPercent: decimal,
      exchanges: v.exactOptional(v.array(v.object({ exchange: text, weightPercent: decimal }))),
    }),
  ),
})
