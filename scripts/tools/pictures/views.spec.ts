/**
 * Takes a picture of every view in each of its states, the stories of the playground: `npm run pictures -- views`.
 * Saves them to `views/` in the system's temporary folder. Check each picture.
 */
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { storyNames } from '../../../test/playground/stories'
import { openStory, test } from '../../../test/renderer/window-page'

/** The last is the smallest window. */
const shots = [
  { width: 1280, height: 820, colorScheme: 'light' },
  { width: 1280, height: 820, colorScheme: 'dark' },
  { width: 900, height: 600, colorScheme: 'light' },
] as const

for (const name of storyNames) {
  test(`the pictures of “${name}”`, async ({ page }) => {
    await openStory(page, name)
    await page.waitForLoadState('networkidle')
    for (const { width, height, colorScheme } of shots) {
      await page.setViewportSize({ width, height })
      await page.emulateMedia({ colorScheme })
      await page.screenshot({ path: join(tmpdir(), 'views', `${name}-${width}-${colorScheme}.png`) })
    }
  })
}
