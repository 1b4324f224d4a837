import { compareDecimals, parseDecimal } from '../../core/decimal'

/**
 * A mark lasts about 400 ms. The end of a mark redraws its row, so marks end together with a change: once the oldest mark
 * is `dueMs` old, all marks older than `minMs` end. Without a change a mark ends after `maxMs`.
 */
const marked = { minMs: 250, dueMs: 380, maxMs: 500 }
const stillMotion = matchMedia('(prefers-reduced-motion: reduce)')

export type Tick = 'rise' | 'fall'

/** The direction of a change of a published decimal. Undefined without a change, and with reduced motion. */
export function tickOf(before: string | undefined, now: string | undefined): Tick | undefined {
  if (before === undefined || now === undefined || before === now || stillMotion.matches) return undefined
  const [from, to] = [parseDecimal(before), parseDecimal(now)]
  if (from === undefined || to === undefined) return undefined
  return { '-1': 'fall' as const, '0': undefined, '1': 'rise' as const }[`${compareDecimals(to, from)}`]
}

/** The position of the first character that changed. 0 if the decimal point moved. */
export function changedFrom(before: string, now: string): number {
  if (before.search(/\.|$/) !== now.search(/\.|$/)) return 0
  let at = 0
  while (at < now.length && before[at] === now[at]) at++
  return at
}

interface Mark {
  sinceMs: number
  end: () => void
}

/** Active marks, the oldest first. One timer serves all. */
const marks = new Set<Mark>()
let timer: ReturnType<typeof setTimeout> | undefined

function endMarks(): void {
  const nowMs = performance.now()
  const [oldest] = marks
  if (oldest !== undefined && nowMs - oldest.sinceMs >= marked.dueMs)
    for (const mark of marks) {
      if (nowMs - mark.sinceMs < marked.minMs) break
      marks.delete(mark)
      mark.end()
    }
  clearTimeout(timer)
  const [next] = marks
  timer = next && setTimeout(endMarks, next.sinceMs + marked.maxMs - nowMs)
}

/** Starts a mark and calls `end` when it is over. Returns a function that drops it without calling `end`. */
export function beginMark(end: () => void): () => void {
  const mark = { sinceMs: performance.now(), end }
  marks.add(mark)
  endMarks()
  return () => marks.delete(mark)
}
