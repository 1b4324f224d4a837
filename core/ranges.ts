/** In milliseconds since 1970. Both ends are included. */
export interface TimeRange {
  fromMs: number
  toMs: number
}

/** Sorts ranges and joins those that overlap or are at most `nearMs` apart. The default joins adjacent ones. */
export function merged(ranges: readonly TimeRange[], nearMs = 1): TimeRange[] {
  const all: TimeRange[] = []
  for (const { fromMs, toMs } of ranges.toSorted((a, b) => a.fromMs - b.fromMs)) {
    const last = all.at(-1)
    if (last !== undefined && fromMs <= last.toMs + nearMs) last.toMs = Math.max(last.toMs, toMs)
    else all.push({ fromMs, toMs })
  }
  return all
}
