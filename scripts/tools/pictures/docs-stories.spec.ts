/**
 * Takes the pictures of the docs that are playground stories. Part of `npm run pictures -- docs`. Check each picture.
 */
import { join } from 'node:path'
import type { StoryName } from '../../../test/playground/stories'
import { openStory, test } from '../../../test/renderer/window-page'

const pictures: Record<string, StoryName> = {
  alerts: 'alerts, every kind',
  amendments: 'amendments',
  compare: 'compare',
  'fixing-sheet': 'fixing sheet',
  formulas: 'formulas',
  'list-alert': 'alerts, on a list',
  market: 'index, market history',
  network: 'settings, network',
}

for (const [name, story] of Object.entries(pictures)) {
  test(`the picture of ${name}`, async ({ page }) => {
    await openStory(page, story)
    await page.waitForLoadState('networkidle')
    await page.screenshot({ path: join(import.meta.dirname, '../../../docs/screenshots', `${name}.png`) })
  })
}
