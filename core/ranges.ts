/** Both ends included; epoch milliseconds. */
export interface TimeRange {
  fromMs: number
  toMs: number
}

/** Sorts ranges and joins those that overlap, or are no further apart than `nearMs`; by default those that touch. */
export function merged(ranges: readonly TimeRange[], nearMs = 1): TimeRange[] {
  const all: TimeRange[] = []
  for (const { fromMs, toMs } of ranges.toSorted((a, b) => a.fromMs - b.fromMs)) {
    const last = all.at(-1)
    if (last !== undefined && fromMs <= last.toMs + nearMs) last.toMs = Math.max(last.toMs, toMs)
    else all.push({ fromMs, toMs })
  }
  return all
}
