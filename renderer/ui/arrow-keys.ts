import { on } from 'svelte/events'

/**
 * Attachment for a group of buttons and links. Two arrow keys move the focus between them. Tab reaches each of them too.
 * Down in a column leaves out buttons with a menu, which they open.
 */
export function arrowKeys(direction: 'row' | 'column'): (group: HTMLElement) => () => void {
  const steps: Record<string, number> =
    direction === 'row' ? { ArrowLeft: -1, ArrowRight: 1 } : { ArrowUp: -1, ArrowDown: 1 }
  const selector = direction === 'row' ? 'a[href], button' : 'a[href], button:not([aria-haspopup])'
  return (group) =>
    on(group, 'keydown', (event) => {
      const step = steps[event.key]
      if (step === undefined || event.altKey || event.ctrlKey || event.defaultPrevented) return
      const items = [...group.querySelectorAll<HTMLElement>(selector)].filter((item) => item.checkVisibility())
      const at = items.findIndex((item) => item === event.target)
      if (at < 0) return
      event.preventDefault()
      items.at((at + step) % items.length)?.focus()
    })
}
