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
export function rowKeys<Row>({ rows, runs, goTo, rowsOnPage }: Table<Row>): (body: HTMLElement) => () => void {
  /** What a key does with a row, in the order of the modifiers; nothing where the key means something else. */
  function runFor(event: KeyboardEvent, at: number, isOnRow: boolean): ((row: Row) => void) | undefined {
    const { move, copy, mark, remove, edit, open } = runs()
    const { key } = event
    if (event.altKey) {
      const moveKey = moveKeys.find((each) => each === key)
      if (moveKey === undefined || move === undefined) return undefined
      return (row) => move(row, moveKey)
    }
    if (event.ctrlKey || event.metaKey) {
      if (key === ' ') return mark
      // What was marked is what is to be copied.
      return key.toLowerCase() === 'c' && getSelection()?.isCollapsed !== false ? copy : undefined
    }
    const last = rows().length - 1
    const steps: Record<string, number> = {
      ArrowUp: at - 1,
      ArrowDown: at + 1,
      PageUp: at - rowsOnPage(),
      PageDown: at + rowsOnPage(),
      Home: 0,
      End: last,
    }
    const to = steps[key]
    if (to !== undefined) return () => goTo(Math.min(last, Math.max(0, to)))
    // On its button Enter is the button's own.
    return { Delete: remove, F2: edit, Enter: isOnRow ? open : undefined }[key]
  }

  return (body) => {
    const act = (event: KeyboardEvent) => {
      const element = event.target instanceof HTMLElement ? event.target.closest<HTMLElement>('tr[data-at]') : null
      const at = Number(element?.dataset['at'])
      const row = rows()[at]
      const run = runFor(event, at, event.target === element)
      if (row === undefined || run === undefined) return
      event.preventDefault()
      run(row)
    }
    body.addEventListener('keydown', act)
    return () => body.removeEventListener('keydown', act)
  }
}
