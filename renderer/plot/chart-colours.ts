/** The tokens a drawing uses, as a canvas understands them. */

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

/** Reads the tokens as they are in force on an element; a custom property itself still holds both themes. */
export function readColours(element: HTMLElement): ChartColours {
  const before = element.style.color
  const colours = tokens.map((token): [Token, string] => {
    element.style.color = `var(--${token})`
    return [token, getComputedStyle(element).color]
  })
  element.style.color = before
  return Object.fromEntries(colours) as ChartColours
}

/** The colour `rgb(r, g, b)` let through so much. */
export function withAlpha(colour: string, alpha: number): string {
  return colour.replace(/^rgb\((.*)\)$/, `rgba($1, ${alpha})`)
}

/** Paper is light: calls the listener with the element in the light theme before the page is printed, and with its own after it. */
export function whilePrinted(element: HTMLElement, listener: () => void): () => void {
  const print = () => {
    element.style.colorScheme = 'light'
    listener()
  }
  const over = () => {
    element.style.colorScheme = ''
    listener()
  }
  window.addEventListener('beforeprint', print)
  window.addEventListener('afterprint', over)
  return () => {
    window.removeEventListener('beforeprint', print)
    window.removeEventListener('afterprint', over)
  }
}

/** Calls the listener when the theme changes, the user's or the system's, until the returned function is called. */
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
