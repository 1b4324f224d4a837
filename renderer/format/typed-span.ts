/** Typed spans of time: a count and a unit. */
import { readTypedNumber, type TypedNumber } from './typed-number'

export const spanUnits = ['s', 'min', 'h', 'd'] as const
export type SpanUnit = (typeof spanUnits)[number]

export interface TypedSpan {
  count: string
  unit: SpanUnit
}

const unitMs: Record<SpanUnit, number> = { s: 1_000, min: 60_000, h: 3_600_000, d: 86_400_000 }

/** A span in milliseconds, or what is wrong with it. */
export type ReadSpan = { ok: true; ms: number } | Extract<TypedNumber, { ok: false }>

/** Reads a span. Its count is above zero, with at most 9 digits and 3 decimals. */
export function readSpan({ count, unit }: TypedSpan): ReadSpan {
  const read = readTypedNumber(count, { what: 'time', example: '15' })
  if (!read.ok && read.choices !== undefined) return read
  const text = read.ok ? read.value : ''
  const ms = Math.round(Number(text) * unitMs[unit])
  const isSpan = /^\d{1,9}(\.\d{1,3})?$/.test(text) && ms > 0 && Number.isSafeInteger(ms)
  return isSpan ? { ok: true, ms } : { ok: false, message: 'Enter a time above 0, such as 15 min.' }
}

/** A span in the largest unit that gives a whole number, otherwise in seconds with decimals. */
export function typedSpan(ms: number): TypedSpan {
  const unit = spanUnits.findLast((each) => ms % unitMs[each] === 0) ?? 's'
  return { count: String(ms / unitMs[unit]), unit }
}
