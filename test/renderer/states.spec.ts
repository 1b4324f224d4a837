import type { Locator, Page } from '@playwright/test'
import type { StoryName } from '../../playground/stories'
import { faults } from '../support/faults'
import { expect, openStory, openWindow, test } from './window-page'

/** What is wider than the room it has: the page, the view, or a value. Runs inside the page. */
const findCut = `[...document.querySelectorAll('html, main, [data-value]')]
  .filter((box) => box.clientWidth > 0 && box.scrollWidth > box.clientWidth)
  .map((box) => box.tagName.toLowerCase() + ' ' + box.scrollWidth + ' > ' + box.clientWidth)`

/** Parts of the top bar that lie on one another. Runs inside the page. */
const findOverlaps = `(() => {
  const parts = [...document.querySelectorAll('header .connection > :is(span, div[role], button)')]
    .map((part) => part.getBoundingClientRect())
    .filter(({ width }) => width > 0)
  return parts.filter((part, at) => at > 0 && part.left < parts[at - 1].right).length
})()`

async function cutIn(page: Page): Promise<string[]> {
  return page.evaluate<string[]>(findCut)
}

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

/** Each state in both themes and at all three sizes; a size follows the one before by resizing the window. */
const windows = [
  { window: 'light at 1280x820', colorScheme: 'light', deviceScaleFactor: 1, sizes: [{ width: 1280, height: 820 }] },
  {
    window: 'dark at 900x600 and then at 200 % of 1280x820',
    colorScheme: 'dark',
    deviceScaleFactor: 2,
    sizes: [
      { width: 900, height: 600 },
      { width: 640, height: 410 },
    ],
  },
] as const

test.describe.configure({ mode: 'parallel' })

for (const { window, colorScheme, deviceScaleFactor, sizes } of windows) {
  test.describe(window, () => {
    test.use({ colorScheme, viewport: sizes[0], deviceScaleFactor })

    for (const { story, shown, mainAction = addIndex } of states) {
      test(`${story}: nothing is cut, the main action is in sight, and axe finds nothing`, async ({ page }) => {
        await openStory(page, story)
        for (const size of sizes) {
          await page.setViewportSize(size)
          await expect(shown(page)).toBeVisible()
          await expect.poll(() => cutIn(page)).toEqual([])
          expect(await page.evaluate<number>(findOverlaps)).toBe(0)
          await expect(mainAction(page)).toBeInViewport({ ratio: 1 })
        }
        expect(await faults(page)).toEqual([])
      })
    }
  })
}

test('a planted overflow, a cut value and an overlap are found', async ({ page }) => {
  await openWindow(page)
  await expect(page.locator('[data-index="BRTI"] [data-value]')).toBeVisible()
  expect(await cutIn(page)).toEqual([])
  expect(await page.evaluate<number>(findOverlaps)).toBe(0)
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
  expect(await page.evaluate<number>(findOverlaps)).toBe(1)
})
