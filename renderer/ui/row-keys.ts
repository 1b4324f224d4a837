/** What the keyboard does with the rows of a table. */
export interface RowRuns<Row> {
  open: (row: Row) => void
  edit?: (row: Row) => void
  remove?: (row: Row) => void
  copy?: (row: Row) => void
  /** Ctrl with the space bar: takes the row into what several are chosen for, or out of it. */
  mark?: (row: Row) => void
  /** Alt with an arrow, Home or End: puts the row at a place. */
  move?: (row: Row, key: MoveKey) => void
}

interface Table<Row> {
  rows: () => readonly Row[]
  runs: () => RowRuns<Row>
  /** Goes to a row, 0 the first. */
  goTo: (at: number) => void
  /** How many rows Page Up and Page Down go. */
  rowsOnPage: () => number
}

const moveKeys = ['ArrowUp', 'ArrowDown', 'Home', 'End'] as const
export type MoveKey = (typeof moveKeys)[number]

/** Attachment of a table's body whose rows say their place by `data-at`. */
export function rowKeys<Row>(table: Table<Row>): (body: HTMLElement) => () => void {
  function actionFor(event: KeyboardEvent, at: number, row: Row, isOnRow: boolean): (() => void) | undefined {
    const { move, copy, mark, remove, edit, open } = table.runs()
    const bound = (run: ((row: Row) => void) | undefined) =>
      run &&
      (() => {
        run(row)
      })
    if (event.altKey) {
      const key = moveKeys.find((each) => each === event.key)
      return (
        key &&
        bound(
          move &&
            ((moved) => {
              move(moved, key)
            }),
        )
      )
    }
    if (event.ctrlKey || event.metaKey) {
      if (event.key === ' ') return bound(mark)
      // What was marked is what is to be copied.
      const isCopy = event.key.toLowerCase() === 'c' && getSelection()?.isCollapsed !== false
      return isCopy ? bound(copy) : undefined
    }
    const last = table.rows().length - 1
    const steps: Record<string, number> = {
      ArrowUp: at - 1,
      ArrowDown: at + 1,
      PageUp: at - table.rowsOnPage(),
      PageDown: at + table.rowsOnPage(),
      Home: 0,
      End: last,
    }
    const to = steps[event.key]
    if (to !== undefined)
      return () => {
        table.goTo(Math.min(last, Math.max(0, to)))
      }
    if (event.key === 'Delete') return bound(remove)
    if (event.key === 'F2') return bound(edit)
    // On its button Enter is the button's own.
    return event.key === 'Enter' && isOnRow ? bound(open) : undefined
  }

  return (body) => {
    const act = (event: KeyboardEvent) => {
      const element = event.target instanceof HTMLElement ? event.target.closest<HTMLElement>('tr[data-at]') : null
      const at = Number(element?.dataset['at'])
      const row = table.rows()[at]
      const run = row === undefined ? undefined : actionFor(event, at, row, event.target === element)
      if (run === undefined) return
      event.preventDefault()
      run()
    }
    body.addEventListener('keydown', act)
    return () => {
      body.removeEventListener('keydown', act)
    }
  }
}
