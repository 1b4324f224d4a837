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

/** Beyond this number, points are dropped and fetched again. */
const maxPoints = 20_000

/**
 * Changes received since the last frame. It keeps the newest quote of each index and at most `maxPoints` points, so it
 * stays small however long no frame is drawn.
 */
export class PendingChanges {
  readonly quotes = new Map<IndexId, ReceivedQuote>()
  readonly rows = new Map<IndexId, RowFacts>()
  state: Partial<WindowState> = {}
  /** All points in order. Empty once there were too many. */
  points: ChartTick[] = []
  /** There were too many points. They must be fetched again. */
  hasLostPoints = false
  readonly #lists: WindowLists

  /** `lists` is the page's present state, to which changes of lists apply. */
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
 * Applies a change to a list. Known entries keep their place. New entries go to the end, or to the front if `newOnes` is
 * `first`. Applying the change again has no effect.
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
