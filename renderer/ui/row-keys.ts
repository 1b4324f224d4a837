import { pressedKey } from './pressed-key'

/** What the keyboard can do with a row of a table. */
export interface RowRuns<Row> {
  open: (row: Row) => void
  /** Shift+Enter: opens the row elsewhere. By default the same as Enter. */
  openApart?: (row: Row) => void
  edit?: (row: Row) => void
  remove?: (row: Row) => void
  copy?: (row: Row) => void
  /** Space: shows what matters of the row. */
  look?: (row: Row) => void
  /** Ctrl+Space: adds the row to the selected rows, or removes it. */
  mark?: (row: Row) => void
  /** Shift with a key that moves the focus: selects the rows up to this one. Called before the focus moves there. */
  extend?: (row: Row) => void
  /** Ctrl with an arrow: leaves the selected rows as they are. Called before the focus moves to this row. */
  pass?: (row: Row) => void
  /** Ctrl+A: selects all rows. */
  selectAll?: () => void
  /** Escape: leaves only this row selected. Undefined if there is nothing to clear. */
  clear?: ((row: Row) => void) | undefined
  /** Alt with an arrow, Home or End: moves the row. */
  move?: (row: Row, key: MoveKey) => void
}

interface Table<Row> {
  rows: () => readonly Row[]
  runs: () => RowRuns<Row>
  /** Focuses a row. The first row is 0. */
  goTo: (at: number) => void
  /** Number of rows that Page Up and Page Down move by. */
  rowsOnPage: () => number
}

const moveKeys = ['ArrowUp', 'ArrowDown', 'Home', 'End'] as const
export type MoveKey = (typeof moveKeys)[number]

/** Attachment for the body of a table. Its rows have their number in `data-at`. */
export function rowKeys<Row>({ rows, runs, goTo, rowsOnPage }: Table<Row>): (body: HTMLElement) => () => void {
  /** The action of a key on a row. Undefined if the key has another meaning there. */
  function runFor(event: KeyboardEvent, at: number, isOnRow: boolean): ((row: Row) => void) | undefined {
    const { move, copy, mark, extend, pass, selectAll, clear, remove, edit, look, open, openApart } = runs()
    const { key } = event
    const isCommand = event.ctrlKey || event.metaKey
    if (event.altKey) {
      const moveKey = moveKeys.find((each) => each === key)
      if (moveKey === undefined || move === undefined) return undefined
      return (row) => move(row, moveKey)
    }
    if (isCommand && !(key.startsWith('Arrow') && pass)) {
      if (key === ' ') return mark
      const letter = pressedKey(event)
      if (letter === 'a') return selectAll
      // Selected text takes precedence over the row.
      return letter === 'c' && getSelection()?.isCollapsed !== false ? copy : undefined
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
    if (to !== undefined) {
      const next = Math.min(last, Math.max(0, to))
      return () => {
        const row = rows()[next]
        if (row !== undefined && event.shiftKey) extend?.(row)
        else if (row !== undefined && isCommand) pass?.(row)
        goTo(next)
      }
    }
    // On the button of a row, Enter and Space activate the button.
    const [enter, space] = isOnRow ? [event.shiftKey ? (openApart ?? open) : open, look] : []
    return { Delete: remove, F2: edit, Escape: clear, Enter: enter, ' ': space }[key]
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
