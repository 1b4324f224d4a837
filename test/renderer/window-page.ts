import { expect, test as base, type Browser, type Page, type ViewportSize } from '@playwright/test'
import type { WindowSnapshot } from '../../protocol/desktop'
import { defaultPreferences } from '../../core/preferences'
import { prepareFake, storyNamed, type StoryName } from '../playground/stories'
import type { FakeDesktop } from '../support/fake-desktop'
import { hearComplaints } from '../support/page-complaints'
import { sampleNowMs, sampleSnapshot } from '../support/sample-window'
import { installWorkingFake } from './install-fake'

export interface OpenOptions {
  /** The part of the address after `#`. */
  view?: string
  snapshot?: WindowSnapshot
}

/** Opens the page over a fake app whose list commands work. */
export async function openWindow(
  page: Page,
  { view = '', snapshot = sampleSnapshot() }: OpenOptions = {},
): Promise<FakeDesktop> {
  const fake = await installWorkingFake(page, snapshot)
  await page.goto(`/#${view}`)
  await expect(page.getByRole('heading', { level: 1 })).toBeVisible()
  return fake
}

/** Opens the page with the default settings. `test.use({ isNewUser: true })` makes it the first start ever. */
export function openAsNewUser(page: Page): Promise<FakeDesktop> {
  const snapshot = sampleSnapshot()
  snapshot.state.settings.density = defaultPreferences().density
  return openWindow(page, { snapshot })
}

/** Runs `check` at window sizes from the usual one down to the smallest at 200 % zoom. */
export async function atEachSize(page: Page, check: () => Promise<void>): Promise<void> {
  const sizes = [
    [1280, 820],
    [1100, 700],
    [900, 600],
    [640, 410],
    [450, 300],
  ] as const
  for (const [width, height] of sizes) {
    await page.setViewportSize({ width, height })
    await check()
  }
}

/** Opens a story of the playground. */
export async function openStory(page: Page, name: StoryName): Promise<FakeDesktop> {
  const story = storyNamed(name)
  const { view = '', ownWindowOf, snapshot = sampleSnapshot, press, click, item, tab, stored = {} } = story
  const fake = await installWorkingFake(page, snapshot())
  prepareFake(fake, story)
  await page.goto(ownWindowOf === undefined ? `/#${view}` : `/index-window.html?id=${ownWindowOf}`)
  await expect(page.getByRole('heading', { level: 1 })).toBeVisible()
  // Read when its view is shown.
  await page.evaluate(`Object.assign(localStorage, ${JSON.stringify(stored)})`)
  if (press !== undefined) await page.keyboard.press(press)
  if (click !== undefined) await page.getByRole('button', { name: click, exact: true }).click()
  if (item !== undefined) await page.getByRole('menuitem', { name: item, exact: true }).click()
  if (tab !== undefined) await page.getByRole('tab', { name: tab, exact: true }).click()
  return fake
}

/** Sets only the wall clock. `page.clock` also replaces timers, which makes every page open slower. */
const sampleTime = `{
  const aheadMs = ${sampleNowMs} - Date.now()
  window.Date = class extends Date {
    constructor(...args) {
      if (args.length === 0) super(window.Date.now())
      else super(...args)
    }
    static now() {
      return super.now() + aheadMs
    }
  }
}`

type ColorScheme = 'light' | 'dark' | 'no-preference'

/** Motion takes a tenth of a test's time, so only test:deep draws it. */
const reducedMotion = process.env['INDEXWATCH_TEST_DEEP'] === '1' ? null : 'reduce'

/** One tab per device scale factor and worker. In a new tab the browser would compile the page again. */
class Tabs {
  readonly #browser: Browser
  readonly #tabs = new Map<number, Page>()

  constructor(browser: Browser) {
    this.#browser = browser
  }

  async take(deviceScaleFactor: number, viewport: ViewportSize | null, colorScheme: ColorScheme): Promise<Page> {
    const page = this.#tabs.get(deviceScaleFactor) ?? (await this.#open(deviceScaleFactor))
    this.#tabs.delete(deviceScaleFactor)
    await page.emulateMedia({ colorScheme, reducedMotion })
    if (viewport) await page.setViewportSize(viewport)
    return page
  }

  /** Keeps the tab for the next test, unless its clock was replaced, which cannot be undone. */
  async giveBack(page: Page, deviceScaleFactor: number): Promise<void> {
    page.removeAllListeners()
    if (await page.evaluate<boolean>("'__pwClock' in window")) return page.context().close()
    await page.mouse.move(-1, -1)
    await page.goto('about:blank')
    this.#tabs.set(deviceScaleFactor, page)
  }

  async close(): Promise<void> {
    await Promise.all([...this.#tabs.values()].map((page) => page.context().close()))
  }

  async #open(deviceScaleFactor: number): Promise<Page> {
    // Other options, such as the address and the time zone, come from the project.
    const context = await this.#browser.newContext({ deviceScaleFactor })
    await context.addInitScript({ content: sampleTime })
    return context.newPage()
  }
}

/**
 * A script that clears the storage once per test, so that a test's own data survive its reloads. Unless the user is
 * new, it marks the first panel and the strip about simulated values as closed.
 */
function clearing(testId: string, isNewUser: boolean): string {
  return `if (location.origin !== 'null' && sessionStorage.getItem('test') !== '${testId}') {
    localStorage.clear()
    sessionStorage.clear()
    for (const key of ${isNewUser} ? [] : ['index-panel-closed', 'demo-strip-dismissed']) localStorage.setItem(key, 'yes')
    sessionStorage.setItem('test', '${testId}')
  }`
}

/**
 * A page under the app's content policy at the time of the samples. A test fails on an error on the console, a thrown
 * error or a violation of the policy.
 */
export const test = base.extend<{ complaints: string[]; isNewUser: boolean }, { tabs: Tabs }>({
  isNewUser: [false, { option: true }],
  tabs: [
    async ({ browser }, use) => {
      const tabs = new Tabs(browser)
      await use(tabs)
      await tabs.close()
    },
    { scope: 'worker' },
  ],
  page: async ({ tabs, viewport, colorScheme, deviceScaleFactor, isNewUser }, use, { testId }) => {
    const scale = deviceScaleFactor ?? 1
    const page = await tabs.take(scale, viewport, colorScheme ?? 'light')
    const cleared = await page.addInitScript({ content: clearing(testId, isNewUser) })
    await use(page)
    await cleared.dispose()
    await tabs.giveBack(page, scale)
  },
  complaints: [
    async ({ page }, use) => {
      const complaints: string[] = []
      hearComplaints(page, complaints)
      await use(complaints)
      expect(complaints).toEqual([])
    },
    { auto: true },
  ],
})

export { expect }

/** Records digits marked as changed, with their direction. Turns motion on, because nothing is marked without it. */
export async function recordMarks(page: Page): Promise<() => Promise<string[]>> {
  await page.emulateMedia({ reducedMotion: null })
  // An open panel slides in as soon as motion is on.
  await page.evaluate('Promise.allSettled(document.getAnimations().map(({ finished }) => finished))')
  await page.evaluate(`{
    window.marks = []
    new MutationObserver((changes) => {
      const marked = changes.map(({ target }) => (target.closest ? target : target.parentElement)?.closest('.changed.marked'))
      for (const digits of new Set(marked))
        if (digits) window.marks.push((digits.matches('.rise') ? 'rise ' : 'fall ') + digits.textContent)
    }).observe(document, { subtree: true, attributes: true, characterData: true, childList: true })
  }`)
  return () => page.evaluate<string[]>('window.marks')
}
