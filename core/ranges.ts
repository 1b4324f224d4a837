/** Both ends included; epoch milliseconds. */
export interface TimeRange {
  fromMs: number
  toMs: number
}

/** Sorts ranges and joins those that touch or overlap. */
export function merged(ranges: readonly TimeRange[]): TimeRange[] {
  const all: TimeRange[] = []
  for (const { fromMs, toMs } of ranges.toSorted((a, b) => a.fromMs - b.fromMs)) {
    const last = all.at(-1)
    if (last !== undefined && fromMs <= last.toMs + 1) last.toMs = Math.max(last.toMs, toMs)
    else all.push({ fromMs, toMs })
  }
  return all
}
