import type { QuoteUpdate, RowFacts, WindowState, WindowUpdate } from '../../protocol/desktop'
import type { IndexId } from '../../protocol/model'

/** A quote and when it reached the page, on the page's monotonic clock. */
export interface ReceivedQuote {
  quote: QuoteUpdate
  receivedAtMs: number
}

/**
 * What came in since the last frame. Of each index only the newest remains, so it stays small however long no frame is
 * drawn.
 */
export class PendingChanges {
  readonly quotes = new Map<IndexId, ReceivedQuote>()
  readonly rows = new Map<IndexId, RowFacts>()
  state: Partial<WindowState> = {}

  add(update: WindowUpdate, receivedAtMs: number): void {
    for (const quote of update.quotes) this.quotes.set(quote.id, { quote, receivedAtMs })
    for (const row of update.rows) this.rows.set(row.id, row)
    this.state = { ...this.state, ...update.state }
  }
}
