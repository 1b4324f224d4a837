import type { Locator, Page } from '@playwright/test'
import type { WindowSnapshot } from '../../protocol/desktop'
import { refused, type FakeDesktop } from '../support/fake-desktop'
import { faults } from '../support/faults'
import { sampleSnapshot } from '../support/sample-window'
import { openByKey } from './open-index'
import { expect, openWindow, test } from './window-page'

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

function withSettings(change: Partial<WindowSnapshot['state']['settings']>): WindowSnapshot {
  const snapshot = sampleSnapshot()
  Object.assign(snapshot.state.settings, change)
  return snapshot
}

function offline(): WindowSnapshot {
  const snapshot = sampleSnapshot({ source: 'cache' })
  snapshot.state.status = {
    state: 'offline',
    name: 'The desk in Frankfurt and the one in London',
    isDemo: false,
    streamCount: 0,
    problem: 'The connection was lost.',
    retryInMs: 3_000,
  }
  snapshot.state.notices = [{ id: 'n', message: 'The settings file could not be read.' }]
  return snapshot
}

function notAuthorised(): WindowSnapshot {
  const snapshot = sampleSnapshot({ source: 'cache' })
  const problem = 'The service refused this key.'
  snapshot.state.status = { state: 'notAuthorised', name: 'Desk', isDemo: false, streamCount: 0, problem }
  return snapshot
}

function empty(): WindowSnapshot {
  const snapshot = withSettings({ watchlists: [{ id: 'watchlist', name: 'Watchlist', entries: [] }] })
  Object.assign(snapshot.state, { alerts: [], inbox: [] })
  return snapshot
}

function stale(): WindowSnapshot {
  const snapshot = sampleSnapshot()
  snapshot.quotes = snapshot.quotes.map((quote) => ({
    ...quote,
    ageMs: 600_000,
    publishedAtMs: quote.publishedAtMs - 600_000,
  }))
  return snapshot
}

interface State {
  name: string
  snapshot?: () => WindowSnapshot
  view?: string
  /** What must be on screen for the state to be the one meant. */
  shown: (page: Page) => Locator
  mainAction?: (page: Page) => Locator
  reach?: (page: Page, fake: FakeDesktop) => Promise<void>
}

const states: State[] = [
  {
    name: 'compact, with an index that is not entitled',
    shown: (page) => page.locator('[data-index="NOPE_RTI"]').getByText('Refused: Unrecognised stream ID'),
  },
  {
    name: 'comfortable',
    snapshot: () => withSettings({ density: 'comfortable', directionColours: 'blueUp' }),
    shown: (page) => page.locator('[data-index="BRTI"]'),
  },
  { name: 'offline', snapshot: offline, shown: (page) => page.getByText('The connection was lost.').first() },
  {
    name: 'not authorised',
    snapshot: notAuthorised,
    shown: (page) => page.getByText('The service refused this key.').first(),
  },
  { name: 'stale', snapshot: stale, shown: (page) => page.locator('[data-index="NCI"]') },
  { name: 'empty', snapshot: empty, shown: (page) => page.getByText('Nothing to watch yet') },
  {
    name: 'error',
    shown: (page) => page.getByText('The service did not answer.'),
    mainAction: (page) => page.getByRole('button', { name: 'Try again' }),
    reach: async (page, fake) => {
      fake.handlers.getChart = () => refused('unreachable', 'The service did not answer.')
      await openByKey(page, 'BRTI')
    },
  },
  {
    name: 'alerts',
    view: 'alerts',
    shown: (page) => page.getByRole('heading', { name: 'Inbox' }),
    mainAction: newAlert,
  },
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

    for (const { name, snapshot = sampleSnapshot, view = '', shown, mainAction = addIndex, reach } of states) {
      test(`${name}: nothing is cut, the main action is in sight, and axe finds nothing`, async ({ page }) => {
        const fake = await openWindow(page, { view, snapshot: snapshot() })
        await reach?.(page, fake)
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
