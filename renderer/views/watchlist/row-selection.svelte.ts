import type { IndexId } from '../../../core/model'

/** The selected rows of a list. One of them is current: it has the focus, or gets it by the Tab key. */
export class RowSelection {
  readonly #rows: () => readonly IndexId[]
  #ids = $state.raw<readonly IndexId[]>([])
  /** The row at which a range with Shift begins. */
  #anchor: IndexId | undefined

  /** `rows` returns all rows in the order of the table. */
  constructor(rows: () => readonly IndexId[]) {
    this.#rows = rows
  }

  /** The selected rows in the order of the table. */
  readonly ids: readonly IndexId[] = $derived.by(() => this.#rows().filter((id) => this.#ids.includes(id)))

  has(id: IndexId): boolean {
    return this.#ids.includes(id)
  }

  /** The rows that a command on this row applies to: all selected rows if it is one of them. */
  around(id: IndexId): readonly IndexId[] {
    return this.has(id) ? this.ids : [id]
  }

  only(id: IndexId): void {
    this.#anchor = id
    this.#ids = [id]
  }

  toggle(id: IndexId): void {
    this.#anchor = id
    this.#ids = this.has(id) ? this.#ids.filter((each) => each !== id) : [...this.#ids, id]
  }

  /** Selects all rows from the anchor to this one. Keeps the others if `isAdded`. */
  extend(id: IndexId, isAdded = false): void {
    const rows = this.#rows()
    const to = rows.indexOf(id)
    const from = this.#anchor === undefined ? -1 : rows.indexOf(this.#anchor)
    const range = from === -1 ? [id] : rows.slice(Math.min(from, to), Math.max(from, to) + 1)
    if (from === -1) this.#anchor = id
    this.#ids = isAdded ? [...this.#ids, ...range] : range
  }

  all(): void {
    this.#ids = this.#rows()
  }
}
