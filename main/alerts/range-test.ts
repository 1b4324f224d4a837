/**
 * Tests a draft on a range of the history, in a thread of its own. Ninety days of one-second values are eight million
 * values.
 */
import type { TimeRange } from '../../core/ranges'
import { setImmediate as nextTurn } from 'node:timers/promises'
import type { RangeTest, RangeTestProgress } from '../../core/alert-events'
import type { AlertDraft } from '../../core/alerts'
import { staleAfterMs } from '../../core/freshness'
import type { Outcome, Publication, Resolution } from '../../core/model'
import { publicationOf, sourceOf } from '../../core/publication'
import type { JobTools } from '../base/thread-job'
import type { Queries, ValueCursor } from '../history-store/contract'
import { readHistory } from '../history-store/history-file'
import { DraftTest } from './back-test'

export interface RangeTestTask {
  historyPath: string
  draft: AlertDraft
  cadence: Resolution | undefined
  fromMs: number
  /** Exclusive. */
  toMs: number
}

/** Synchronous access, because nothing else runs in this thread. */
export interface HistoryReader {
  query<Q extends 'values' | 'gaps'>(name: Q, params: Queries[Q]['params']): Queries[Q]['result']
}

const maxNotKnown = 100
const chartParts = 240

/** Reads the history page by page, so memory does not grow with the range. The signal cancels between two pages. */
export function testRange(task: RangeTestTask, tools: JobTools<RangeTestProgress>): Promise<Outcome<RangeTest | null>> {
  return readHistory(task.historyPath, (history) => testOn(history, task, tools))
}

/** As `testRange`, on an open history. Null if cancelled. */
export async function testOn(
  history: HistoryReader,
  { draft, cadence, fromMs, toMs }: RangeTestTask,
  { signal, onProgress }: JobTools<RangeTestProgress>,
): Promise<RangeTest | null> {
  const id = draft.indexId
  const test = new DraftTest(draft, cadence)
  const series = new Series(fromMs, toMs)
  const maxGapMs = staleAfterMs(cadence ?? 'PER_SECOND')
  const notKnown: TimeRange[] = []
  const noteGap = (range: TimeRange) => {
    if (range.toMs - range.fromMs <= maxGapMs || notKnown.length >= maxNotKnown) return
    const gaps = history.query('gaps', { id, ...range, maxGapMs }).filter(({ state }) => state !== 'answered')
    for (const gap of gaps) {
      const last = notKnown.at(-1)
      // The reader does not need to tell apart unasked from unknown.
      if (last?.toMs === gap.fromMs) last.toMs = gap.toMs
      else notKnown.push({ fromMs: gap.fromMs, toMs: gap.toMs })
    }
  }
  let valueCount = 0
  let knownMs = fromMs
  let after: ValueCursor | undefined
  do {
    const params = { id, revisions: 'latest', fromMs, toMs: toMs - 1, after } as const
    const page = history.query('values', params)
    for (const each of page.values) {
      const publication = publicationOf(each)
      if (test.isFull) break
      noteGap({ fromMs: knownMs, toMs: publication.publishedAtMs })
      knownMs = publication.publishedAtMs
      test.see(publication, sourceOf(each))
      series.see(publication)
      valueCount++
    }
    after = test.isFull ? undefined : page.next
    onProgress({ valueCount, fraction: after === undefined ? 1 : (knownMs - fromMs) / (toMs - fromMs) })
    // A cancellation arrives only between turns.
    await nextTurn()
    if (signal.aborted) return null
  } while (after !== undefined)
  if (!test.isFull) noteGap({ fromMs: knownMs, toMs })
  return {
    fromMs,
    toMs: test.isFull ? knownMs : toMs,
    valueCount,
    ...test.result,
    notKnown: notKnown.slice(0, maxNotKnown),
    series: series.points(),
  }
}

/** The lowest and highest value of each part of a range, for a chart of that many pixels. */
class Series {
  readonly #fromMs: number
  readonly #partMs: number
  readonly #parts = new Map<number, { low: Publication; high: Publication }>()

  constructor(fromMs: number, toMs: number) {
    this.#fromMs = fromMs
    this.#partMs = Math.max(1, (toMs - fromMs) / chartParts)
  }

  see(publication: Publication): void {
    const part = Math.floor((publication.publishedAtMs - this.#fromMs) / this.#partMs)
    const known = this.#parts.get(part)
    if (known === undefined) this.#parts.set(part, { low: publication, high: publication })
    // A float is exact enough for drawing.
    else if (Number(publication.value) < Number(known.low.value)) known.low = publication
    else if (Number(publication.value) > Number(known.high.value)) known.high = publication
  }

  points(): RangeTest['series'] {
    return [...this.#parts.values()].flatMap(({ low, high }) => {
      const ends = low === high ? [low] : low.publishedAtMs < high.publishedAtMs ? [low, high] : [high, low]
      return ends.map(({ publishedAtMs, value }) => ({ publishedAtMs, value }))
    })
  }
}
