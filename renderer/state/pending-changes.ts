import type {
  ChartTick,
  EntryChanges,
  QuoteUpdate,
  RowFacts,
  WindowLists,
  WindowSnapshot,
  WindowState,
  WindowUpdate,
} from '../../protocol/desktop'
import type { IndexId } from '../../core/model'

/** A quote and when it reached the page, on the page's monotonic clock. */
export interface ReceivedQuote {
  quote: QuoteUpdate
  receivedAtMs: number
}

/** More points than this are asked for again instead of being kept. */
const maxPoints = 20_000

/**
 * What came in since the last frame. Of each index only the newest remains, and of points so many, so it stays small
 * however long no frame is drawn.
 */
export class PendingChanges {
  readonly quotes = new Map<IndexId, ReceivedQuote>()
  readonly rows = new Map<IndexId, RowFacts>()
  state: Partial<WindowState> = {}
  /** Every one, in order; none once there were too many. */
  points: ChartTick[] = []
  /** There were too many points: they are to be asked for again. */
  hasLostPoints = false
  readonly #lists: WindowLists

  /** `lists` is what the page shows now. */
  constructor({ alerts, inbox }: WindowLists = { alerts: [], inbox: [] }) {
    this.#lists = { alerts, inbox }
  }

  add(update: WindowUpdate | WindowSnapshot, receivedAtMs: number): void {
    for (const quote of update.quotes) this.quotes.set(quote.id, { quote, receivedAtMs })
    for (const row of update.rows) this.rows.set(row.id, row)
    this.state = { ...this.state, ...update.state }
    if ('lists' in update && update.lists !== undefined) this.#change(update.lists)
    this.#addPoints(update.points ?? [])
  }

  #change({ alerts, inbox }: NonNullable<WindowUpdate['lists']>): void {
    const now = { ...this.#lists, ...this.state }
    if (alerts !== undefined) this.state.alerts = withChanges(now.alerts, alerts, 'last')
    if (inbox !== undefined) this.state.inbox = withChanges(now.inbox, inbox, 'first')
  }

  #addPoints(points: readonly ChartTick[]): void {
    if (this.hasLostPoints) return
    this.points.push(...points)
    if (this.points.length <= maxPoints) return
    this.points = []
    this.hasLostPoints = true
  }
}

/**
 * A list after a change. What is known keeps its place; what is new goes to the end, or before all others where the
 * list has the newest first. Applied once more, a change makes no difference.
 */
function withChanges<T extends { id: string }>(
  list: readonly T[],
  { put, removed }: EntryChanges<T>,
  newOnes: 'first' | 'last',
): T[] {
  const changed = new Map(put.map((entry) => [entry.id, entry]))
  const gone = new Set(removed)
  const kept = list.flatMap((entry) => {
    const next = changed.get(entry.id) ?? entry
    changed.delete(entry.id)
    return gone.has(entry.id) ? [] : [next]
  })
  return newOnes === 'first' ? [...changed.values(), ...kept] : [...kept, ...changed.values()]
}
