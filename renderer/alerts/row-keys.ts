/** What a table whose rows can be gone through by keyboard does with a row. */
export interface RowRuns {
  /** Goes to a place, 0 the first. */
  goTo: (at: number) => void
  open: (at: number) => void
  edit?: (at: number) => void
  remove?: (at: number) => void
}

/** Rows that Page Up and Page Down go. */
const pageRows = 8

/** Attachment of a table's body whose rows say their place by `data-at`, out of `count` rows. */
export function rowKeys(count: () => number, runs: RowRuns): (body: HTMLElement) => () => void {
  const act = (event: KeyboardEvent) => {
    const row = event.target instanceof HTMLElement ? event.target.closest<HTMLElement>('tr[data-at]') : null
    if (row === null || event.ctrlKey || event.metaKey || event.altKey) return
    const at = Number(row.dataset['at'])
    const last = count() - 1
    const keys: Record<string, (() => void) | undefined> = {
      ArrowUp: () => {
        runs.goTo(Math.max(0, at - 1))
      },
      ArrowDown: () => {
        runs.goTo(Math.min(last, at + 1))
      },
      PageUp: () => {
        runs.goTo(Math.max(0, at - pageRows))
      },
      PageDown: () => {
        runs.goTo(Math.min(last, at + pageRows))
      },
      Home: () => {
        runs.goTo(0)
      },
      End: () => {
        runs.goTo(last)
      },
      Delete: () => runs.remove?.(at),
      F2: () => runs.edit?.(at),
      // On its button Enter is the button's own.
      ...(event.target === row
        ? {
            Enter: () => {
              runs.open(at)
            },
          }
        : {}),
    }
    const run = keys[event.key]
    if (run === undefined) return
    event.preventDefault()
    run()
  }
  return (body) => {
    body.addEventListener('keydown', act)
    return () => {
      body.removeEventListener('keydown', act)
    }
  }
}

/** Opens the menu of a row that was asked for by the pointer's other button or the menu key. */
export function menuByPointer(event: MouseEvent, open: () => void): void {
  event.preventDefault()
  // Where pressing asks for the menu, and not letting go, the release would count as a click beside it.
  if (event.buttons === 0) open()
  else window.addEventListener('pointerup', () => setTimeout(open), { once: true })
}
