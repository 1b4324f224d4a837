/** Spans of time as people type them: a count and a unit. */
export const spanUnits = ['s', 'min', 'h', 'd'] as const
export type SpanUnit = (typeof spanUnits)[number]

export interface TypedSpan {
  count: string
  unit: SpanUnit
}

const unitMs: Record<SpanUnit, number> = { s: 1_000, min: 60_000, h: 3_600_000, d: 86_400_000 }

/** Milliseconds, or nothing where `count` is no number above zero of at most 9 digits and 3 decimals. */
export function readSpan({ count, unit }: TypedSpan): number | undefined {
  const text = count.trim()
  if (!/^\d{1,9}(\.\d{1,3})?$/.test(text)) return undefined
  const ms = Math.round(Number(text) * unitMs[unit])
  return ms > 0 && Number.isSafeInteger(ms) ? ms : undefined
}

/** The largest unit that says it in whole numbers; seconds with decimals where none does. */
export function typedSpan(ms: number): TypedSpan {
  const unit = spanUnits.findLast((each) => ms % unitMs[each] === 0) ?? 's'
  return { count: String(ms / unitMs[unit]), unit }
}
