import { SvelteSet } from 'svelte/reactivity'

/** The selected rows of a table, by their ids. */
export class RowSelection {
  readonly #rows: () => readonly string[]
  readonly #ids = new SvelteSet<string>()
  /** The row at which a range with Shift begins. */
  #anchor: string | undefined

  /** `rows` returns all rows in the order of the table. */
  constructor(rows: () => readonly string[]) {
    this.#rows = rows
  }

  /** The selected rows in the order of the table. */
  readonly ids: readonly string[] = $derived.by(() => this.#rows().filter((id) => this.#ids.has(id)))

  has(id: string): boolean {
    return this.#ids.has(id)
  }

  /** The rows that a command on this row applies to: all selected rows if it is one of them. */
  around(id: string): readonly string[] {
    return this.has(id) ? this.ids : [id]
  }

  only(id: string): void {
    this.#anchor = id
    this.#replace([id])
  }

  toggle(id: string): void {
    this.#anchor = id
    if (!this.#ids.delete(id)) this.#ids.add(id)
  }

  /** Selects all rows from the anchor to this one. Keeps the others if `isAdded`. */
  extend(id: string, isAdded = false): void {
    const rows = this.#rows()
    const to = rows.indexOf(id)
    const from = this.#anchor === undefined ? -1 : rows.indexOf(this.#anchor)
    const range = from === -1 ? [id] : rows.slice(Math.min(from, to), Math.max(from, to) + 1)
    if (from === -1) this.#anchor = id
    this.#replace(isAdded ? [...this.#ids, ...range] : range)
  }

  /** Handles a click on a row: Ctrl adds or removes it, Shift selects all rows between. Returns whether only it is selected. */
  click(id: string, { shiftKey, ctrlKey, metaKey }: MouseEvent): boolean {
    const isAdded = ctrlKey || metaKey
    if (shiftKey) this.extend(id, isAdded)
    else if (isAdded) this.toggle(id)
    else this.only(id)
    return !shiftKey && !isAdded
  }

  all(): void {
    this.#replace(this.#rows())
  }

  /** The keys of a table that select rows. `goTo` makes a row the current one. `changed` is called after several changed. */
  keys<Row extends { id: string }>(goTo: (id: string) => void, changed: () => void) {
    return {
      mark: ({ id }: Row) => {
        this.toggle(id)
        changed()
      },
      extend: ({ id }: Row) => {
        this.extend(id)
        goTo(id)
        changed()
      },
      pass: ({ id }: Row) => goTo(id),
      selectAll: () => {
        this.all()
        changed()
      },
      clear: this.ids.length > 1 ? ({ id }: Row) => this.only(id) : undefined,
    }
  }

  #replace(ids: readonly string[]): void {
    this.#ids.clear()
    for (const id of ids) this.#ids.add(id)
  }
}
