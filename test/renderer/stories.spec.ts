import { storyNames } from '../../playground/stories'
import { openStory, test } from './window-page'

for (const name of storyNames) {
  // What is wrong on the console, such as an answer the fake does not have, fails the test.
  test(`the story “${name}” opens`, async ({ page }) => {
    await openStory(page, name)
    await page.waitForLoadState('networkidle')
  })
}
