import type { IndexWithoutData } from '../../core/alert-standing'
import type { WindowSnapshot } from '../../protocol/desktop'
import type { IndexId, IndexInfo } from '../../core/model'
import { createRow, type Row } from './row.svelte'

/** Every row that was asked for or received. Not reactive itself: each row is, by its own. */
export class Rows {
  readonly #rows = new Map<IndexId, Row>()

  /** The row of an index; always the same object. */
  row(id: IndexId): Row {
    let row = this.#rows.get(id)
    if (row === undefined) {
      row = createRow(id)
      this.#rows.set(id, row)
    }
    return row
  }

  all(): Iterable<Row> {
    return this.#rows.values()
  }

  /** Empties what a snapshot no longer holds. */
  forgetMissing({ quotes, rows }: WindowSnapshot): void {
    const quoted = new Set(quotes.map(({ id }) => id))
    const listed = new Set(rows.map(({ id }) => id))
    for (const row of this.#rows.values()) {
      if (!quoted.has(row.id)) row.applyQuote(undefined, 0)
      if (!listed.has(row.id)) row.applyFacts(undefined)
    }
  }
}

export function infosById(catalogue: readonly IndexInfo[]): ReadonlyMap<IndexId, IndexInfo> {
  return new Map(catalogue.map((info) => [info.id, info]))
}

export function missingById(indices: readonly IndexWithoutData[]): ReadonlyMap<IndexId, IndexWithoutData> {
  return new Map(indices.map((index) => [index.id, index]))
}
