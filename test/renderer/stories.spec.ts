import { storyNames } from '../../playground/stories'
import { faults } from '../support/faults'
import { cutIn } from './layout'
import { expect, openStory, test } from './window-page'

for (const name of storyNames) {
  // What is wrong on the console, such as an answer the fake does not have, fails the test.
  test(`the story “${name}” opens, nothing of it is cut, and axe finds nothing`, async ({ page }) => {
    await openStory(page, name)
    await page.waitForLoadState('networkidle')
    await expect.poll(() => cutIn(page)).toEqual([])
    expect(await faults(page)).toEqual([])
    await page.setViewportSize({ width: 900, height: 600 })
    await expect.poll(() => cutIn(page)).toEqual([])
  })
}
