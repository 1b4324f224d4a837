import type { Locator, Page } from '@playwright/test'
import type { StoryName } from '../../playground/stories'
import { cutIn, overlapsIn } from './layout'
import { expect, openStory, openWindow, test } from './window-page'

const addIndex = (page: Page): Locator => page.getByRole('button', { name: 'Add index', exact: true })
const newAlert = (page: Page): Locator => page.getByRole('button', { name: 'New alert', exact: true })

interface State {
  story: StoryName
  /** What must be on screen for the state to be the one meant. */
  shown: (page: Page) => Locator
  mainAction?: (page: Page) => Locator
}

const states: State[] = [
  {
    // Compact, with an index that is not entitled.
    story: 'watchlist',
    shown: (page) => page.locator('[data-index="NOPE_RTI"]').getByText('Refused: Unrecognised stream ID'),
  },
  { story: 'watchlist, comfortable', shown: (page) => page.locator('[data-index="BRTI"]') },
  { story: 'watchlist, offline', shown: (page) => page.getByText('The connection was lost.').first() },
  { story: 'watchlist, not authorised', shown: (page) => page.getByText('The service refused this key.').first() },
  { story: 'watchlist, stale', shown: (page) => page.locator('[data-index="NCI"]') },
  { story: 'watchlist, empty', shown: (page) => page.getByText('Nothing to watch yet') },
  {
    story: 'index, chart refused',
    shown: (page) => page.getByText('The service did not answer.'),
    mainAction: (page) => page.getByRole('button', { name: 'Try again' }),
  },
  {
    story: 'alerts, without data',
    shown: (page) => page.getByText('no data since 09:41').first(),
    mainAction: newAlert,
  },
  { story: 'alerts', shown: (page) => page.getByRole('heading', { name: 'Inbox' }), mainAction: newAlert },
]

/** The last is the first at 200 %. */
const sizes = [
  { width: 1280, height: 820 },
  { width: 900, height: 600 },
  { width: 640, height: 410 },
]

for (const { story, shown, mainAction = addIndex } of states) {
  test(`${story}: at no size anything is cut, and the main action is in sight`, async ({ page }) => {
    await openStory(page, story)
    for (const size of sizes) {
      await page.setViewportSize(size)
      await expect(shown(page)).toBeVisible()
      await expect.poll(() => cutIn(page)).toEqual([])
      expect(await overlapsIn(page)).toBe(0)
      await expect(mainAction(page)).toBeInViewport({ ratio: 1 })
    }
  })
}

test('a planted overflow, a cut value and an overlap are found', async ({ page }) => {
  await openWindow(page)
  await expect(page.locator('[data-index="BRTI"] [data-value]')).toBeVisible()
  expect(await cutIn(page)).toEqual([])
  expect(await overlapsIn(page)).toBe(0)
  await page.evaluate(`{
    const value = document.querySelector('[data-index="BRTI"] [data-value]')
    const wide = document.createElement('div')
    wide.style.width = '3000px'
    wide.textContent = 'wide'
    document.querySelector('main').prepend(wide)
    value.style.cssText = 'display: block; width: 10px; overflow: hidden; white-space: nowrap'
    document.querySelector('header .icon-button').style.marginLeft = '-40px'
  }`)
  const found = (await cutIn(page)).join()
  expect(found).toContain('main')
  expect(found).toMatch(/td \d+ > 16/)
  expect(await overlapsIn(page)).toBe(1)
})
