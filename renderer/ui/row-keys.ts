/** What the keyboard does with the rows of a table; a place is 0 for the first. */
export interface RowRuns {
  goTo: (at: number) => void
  open: (at: number) => void
  edit?: (at: number) => void
  remove?: (at: number) => void
  copy?: (at: number) => void
  /** Ctrl with the space bar: takes the row into what several are chosen for, or out of it. */
  mark?: (at: number) => void
  /** Alt with an arrow, Home or End: puts the row at a place. */
  move?: (at: number, key: MoveKey) => void
}

const moveKeys = ['ArrowUp', 'ArrowDown', 'Home', 'End'] as const
export type MoveKey = (typeof moveKeys)[number]

/**
 * Attachment of a table's body whose rows say their place by `data-at`, out of `count` rows. Page Up and Page Down go
 * `pageRows` rows.
 */
export function rowKeys(
  count: () => number,
  runs: RowRuns,
  pageRows: () => number = () => 8,
): (body: HTMLElement) => () => void {
  function actionFor(event: KeyboardEvent, row: HTMLElement): (() => void) | undefined {
    const at = Number(row.dataset['at'])
    const { move, copy, mark, remove, edit } = runs
    const moveKey = moveKeys.find((key) => key === event.key)
    if (event.altKey) {
      return (
        move &&
        moveKey &&
        (() => {
          move(at, moveKey)
        })
      )
    }
    if (event.ctrlKey || event.metaKey) {
      if (event.key === ' ')
        return (
          mark &&
          (() => {
            mark(at)
          })
        )
      // What was marked is what is to be copied.
      const isCopy = event.key.toLowerCase() === 'c' && getSelection()?.isCollapsed !== false
      return isCopy && copy
        ? () => {
            copy(at)
          }
        : undefined
    }
    const last = count() - 1
    const steps: Record<string, number> = {
      ArrowUp: at - 1,
      ArrowDown: at + 1,
      PageUp: at - pageRows(),
      PageDown: at + pageRows(),
      Home: 0,
      End: last,
    }
    const to = steps[event.key]
    if (to !== undefined)
      return () => {
        runs.goTo(Math.min(last, Math.max(0, to)))
      }
    if (event.key === 'Delete')
      return (
        remove &&
        (() => {
          remove(at)
        })
      )
    if (event.key === 'F2')
      return (
        edit &&
        (() => {
          edit(at)
        })
      )
    // On its button Enter is the button's own.
    return event.key === 'Enter' && event.target === row
      ? () => {
          runs.open(at)
        }
      : undefined
  }

  return (body) => {
    const act = (event: KeyboardEvent) => {
      const row = event.target instanceof HTMLElement ? event.target.closest<HTMLElement>('tr[data-at]') : null
      const run = row === null ? undefined : actionFor(event, row)
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
