/** The colour tokens of a drawing, resolved for a canvas. */

const tokens = [
  'accent',
  'accent-ink',
  'accent-soft',
  'down',
  'ink-3',
  'line',
  'line-soft',
  'line-strong',
  'series-1',
  'series-2',
  'series-3',
  'series-4',
  'surface',
  'up',
  'warn',
] as const
type Token = (typeof tokens)[number]
export type ChartColours = Record<Token, string>

/** Resolves the tokens on an element. A custom property itself would still hold both themes. */
export function readColours(element: HTMLElement): ChartColours {
  const before = element.style.color
  const colours = tokens.map((token): [Token, string] => {
    element.style.color = `var(--${token})`
    return [token, getComputedStyle(element).color]
  })
  element.style.color = before
  return Object.fromEntries(colours) as ChartColours
}

/** A colour `rgb(r, g, b)` with an opacity of 0 to 1. */
export function withAlpha(colour: string, alpha: number): string {
  return colour.replace(/^rgb\((.*)\)$/, `rgba($1, ${alpha})`)
}

/** Calls the listener before printing, with the element in the light theme, and after printing, with its own theme. */
export function whilePrinted(element: HTMLElement, listener: () => void): () => void {
  const print = () => {
    element.style.colorScheme = 'light'
    listener()
  }
  const restore = () => {
    element.style.colorScheme = ''
    listener()
  }
  window.addEventListener('beforeprint', print)
  window.addEventListener('afterprint', restore)
  return () => {
    window.removeEventListener('beforeprint', print)
    window.removeEventListener('afterprint', restore)
  }
}

/** Calls the listener when the user's or the system's theme changes. Returns a function that stops this. */
export function onThemeChange(listener: () => void): () => void {
  const observer = new MutationObserver(listener)
  observer.observe(document.documentElement, { attributes: true })
  const queries = ['(prefers-color-scheme: dark)', '(forced-colors: active)'].map((query) => matchMedia(query))
  for (const query of queries) query.addEventListener('change', listener)
  return () => {
    observer.disconnect()
    for (const query of queries) query.removeEventListener('change', listener)
  }
}
