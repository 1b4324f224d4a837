import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import type { Page } from '@playwright/test'

const require = createRequire(import.meta.url)
const axe = readFileSync(require.resolve('axe-core/axe.min.js'), 'utf8')

/** The rules that another theme can break. */
const colourRules = ['color-contrast', 'link-in-text-block']

/** Runs inside the page. */
function findFaults(root: string, rules?: readonly string[]): string {
  const options = { resultTypes: ['violations'], ...(rules && { runOnly: { type: 'rule', values: rules } }) }
  return `axe.run(${root}, ${JSON.stringify(options)}).then(({ violations }) =>
    violations.flatMap(({ id, nodes }) => nodes.map(({ html }) => id + ': ' + html.slice(0, 160))))`
}

/**
 * What axe finds wrong with the page, or with the part of this selector, each with the element it is about: by all rules
 * in the theme on screen, and by those of colours in the other one as well. A page whose theme the settings fix stays in it.
 */
export async function faults(page: Page, part?: string): Promise<string[]> {
  const root = part === undefined ? 'document' : JSON.stringify(part)
  if (!(await page.evaluate<boolean>("'axe' in window"))) await page.evaluate(axe)
  const found = await page.evaluate<string[]>(findFaults(root))
  const isDark = await page.evaluate<boolean>("matchMedia('(prefers-color-scheme: dark)').matches")
  const [own, other] = isDark ? (['dark', 'light'] as const) : (['light', 'dark'] as const)
  // Colours that still fade from one theme to the other would be judged half-way.
  await page.emulateMedia({ colorScheme: other, reducedMotion: 'reduce' })
  const inOther = await page.evaluate<string[]>(findFaults(root, colourRules))
  await page.emulateMedia({ colorScheme: own })
  // Drawn before motion is back, or the colours would fade now.
  await page.evaluate('document.body.offsetHeight')
  await page.emulateMedia({ reducedMotion: null })
  return [...found, ...inOther.map((fault) => `in the ${other} theme, ${fault}`)]
}
