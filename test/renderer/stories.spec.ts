import type { Locator, Page } from '@playwright/test'
import { storyNames, type StoryName } from '../playground/stories'
import { faults } from '../support/faults'
import { cutIn, cutRingsIn, overlapsIn, wrongFiguresIn } from './layout'
import { expect, openStory, openWindow, test } from './window-page'

const addIndex = (page: Page): Locator => page.getByRole('button', { name: 'Add index', exact: true })
const newAlert = (page: Page): Locator => page.getByRole('button', { name: 'New alert', exact: true })

/** A state that must be visible, with its main action, at every window size. */
interface State {
  /** Visible only in this state. */
  shown: (page: Page) => Locator
  mainAction?: (page: Page) => Locator
}

const states: Partial<Record<StoryName, State>> = {
  // The compact density, with an index that the key may not use.
  watchlist: {
    shown: (page) => page.locator('[data-index="NOPE_RTI"]').getByTitle('unknown id: The provider refused'),
  },
  'watchlist, offline': { shown: (page) => page.getByText('The connection was lost.').first() },
  'watchlist, empty': { shown: (page) => page.getByText('Nothing to watch yet') },
  'index, chart refused': {
    shown: (page) => page.getByText('The provider did not answer.'),
    mainAction: (page) => page.getByRole('button', { name: 'Try again' }),
  },
  'alerts, without data': { shown: (page) => page.getByText('no data since 09:41').first(), mainAction: newAlert },
  alerts: { shown: (page) => page.getByRole('heading', { name: 'Inbox' }), mainAction: newAlert },
}

/** The last size is the first at 200 % zoom. Only the states above are checked at that size. */
const sizes = [
  { width: 1280, height: 820 },
  { width: 900, height: 600 },
  { width: 640, height: 410 },
]

for (const [at, name] of storyNames.entries()) {
  const state = states[name]
  // The other stories run in test:deep.
  const details = state === undefined ? { tag: '@deep' } : {}
  // An error on the console fails the test, such as a command without a handler.
  test(`the story “${name}” is whole, with its focus rings, and axe finds nothing`, details, async ({ page }) => {
    // Every other story uses the dark theme.
    if (at % 2 === 1) await page.emulateMedia({ colorScheme: 'dark' })
    await openStory(page, name)
    await page.waitForLoadState('networkidle')
    expect(await faults(page)).toEqual([])
    expect(await wrongFiguresIn(page)).toEqual([])
    for (const size of state === undefined ? sizes.slice(0, 2) : sizes) {
      await page.setViewportSize(size)
      if (state !== undefined) await expect(state.shown(page)).toBeVisible()
      await expect.poll(() => cutIn(page)).toEqual([])
      if (state === undefined) continue
      expect(await overlapsIn(page)).toBe(0)
      await expect((state.mainAction ?? addIndex)(page)).toBeInViewport({ ratio: 1 })
    }
    await page.setViewportSize({ width: 900, height: 600 })
    expect(await cutRingsIn(page)).toEqual([])
  })
}

test('a planted overflow, a cut value, an overlap and wrong figures are found', async ({ page }) => {
  await openWindow(page)
  await expect(page.locator('[data-index="BRTI"] [data-value]')).toBeVisible()
  expect(await cutIn(page)).toEqual([])
  expect(await overlapsIn(page)).toBe(0)
  expect(await wrongFiguresIn(page)).toEqual([])
  await page.evaluate(`{
    const value = document.querySelector('[data-index="BRTI"] [data-value]')
    const wide = document.createElement('div')
    wide.style.width = '3000px'
    wide.textContent = '14:02:11'
    document.querySelector('main').prepend(wide)
    document.querySelector('h1').style.fontVariantNumeric = 'tabular-nums'
    document.querySelector('h1').textContent = 'Exchange-Family'
    value.style.cssText = 'display: block; width: 10px; overflow: hidden; white-space: nowrap'
    document.querySelector('header .icon-button').style.marginLeft = '-40px'
  }`)
  const found = (await cutIn(page)).join()
  expect(found).toContain('main')
  expect(found).toMatch(/td \d+ > \d+/)
  expect(await overlapsIn(page)).toBe(1)
  expect(await wrongFiguresIn(page)).toEqual(['14:02:11', 'Exchange-Family'])
})
