import { compareDecimals, parseDecimal } from '../../core/decimal'

/**
 * A mark lasts some 400 ms. Each end has its row drawn again, so where much changes several end at once, with a change: when
 * the oldest is of `dueMs`, all that are of `minMs`. When no change comes, it ends by itself at `maxMs`.
 */
const marked = { minMs: 250, dueMs: 380, maxMs: 500 }
const stillMotion = matchMedia('(prefers-reduced-motion: reduce)')

export type Tick = 'rise' | 'fall'

/** The direction of a change of a published decimal; absent where nothing is to be marked, as with reduced motion. */
export function tickOf(before: string | undefined, now: string | undefined): Tick | undefined {
  if (before === undefined || now === undefined || before === now || stillMotion.matches) return undefined
  const [from, to] = [parseDecimal(before), parseDecimal(now)]
  if (from === undefined || to === undefined) return undefined
  return { '-1': 'fall' as const, '0': undefined, '1': 'rise' as const }[`${compareDecimals(to, from)}`]
}

/** Where the characters begin that changed: what stands before them is the same in both, place for place. */
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

/** In the order in which they began. One timer is enough for all. */
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

/** Calls `end` when a mark that begins now is over. The answer forgets it, as another one takes its place. */
export function beginMark(end: () => void): () => void {
  const mark = { sinceMs: performance.now(), end }
  marks.add(mark)
  endMarks()
  return () => marks.delete(mark)
}
