import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import type { Page } from '@playwright/test'

const require = createRequire(import.meta.url)
const axe = readFileSync(require.resolve('axe-core/axe.min.js'), 'utf8')

/** Runs inside the page. */
const findFaults = (root: string) => `axe.run(${root}, { resultTypes: ['violations'] }).then(({ violations }) =>
  violations.flatMap(({ id, nodes }) => nodes.map(({ html }) => id + ': ' + html.slice(0, 160))))`

/** What axe finds wrong with the page, or with the part of this selector, each with the element it is about. */
export async function faults(page: Page, part?: string): Promise<string[]> {
  if (!(await page.evaluate<boolean>("'axe' in window"))) await page.evaluate(axe)
  return page.evaluate<string[]>(findFaults(part === undefined ? 'document' : JSON.stringify(part)))
}
