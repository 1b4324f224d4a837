import { expect, test as base, type Page } from '@playwright/test'
import type { WindowSnapshot } from '../../protocol/desktop'
import { storyNamed, type StoryName } from '../../playground/stories'
import type { FakeDesktop } from '../support/fake-desktop'
import { sampleNowMs, sampleSnapshot } from '../support/sample-window'
import { installWorkingFake } from './install-fake'

export interface OpenOptions {
  /** The part of the address after `#`. */
  view?: string
  snapshot?: WindowSnapshot
}

/** Opens the page over a fake app whose lists behave. */
export async function openWindow(
  page: Page,
  { view = '', snapshot = sampleSnapshot() }: OpenOptions = {},
): Promise<FakeDesktop> {
  const fake = await installWorkingFake(page, snapshot)
  await page.goto(`/#${view}`)
  await expect(page.getByRole('heading', { level: 1 })).toBeVisible()
  return fake
}

/** Opens a story of the playground. */
export async function openStory(page: Page, name: StoryName): Promise<FakeDesktop> {
  const { view = '', snapshot = sampleSnapshot, prepare, press, click, item, tab } = storyNamed(name)
  const fake = await installWorkingFake(page, snapshot())
  prepare?.(fake)
  await page.goto(`/#${view}`)
  await expect(page.getByRole('heading', { level: 1 })).toBeVisible()
  if (press !== undefined) await page.keyboard.press(press)
  if (click !== undefined) await page.getByRole('button', { name: click, exact: true }).click()
  if (item !== undefined) await page.getByRole('menuitem', { name: item, exact: true }).click()
  if (tab !== undefined) await page.getByRole('tab', { name: tab, exact: true }).click()
  return fake
}

/** Sets the wall clock alone: with `page.clock`, whose timers are not the browser's, every page opens slower. */
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

/**
 * A page under the app's policy at the wall clock of the samples. A test fails when anything is written to the console
 * as an error, is thrown, or is refused by the policy.
 */
export const test = base.extend<{ complaints: string[] }>({
  complaints: [
    async ({ page }, use) => {
      const complaints: string[] = []
      page.on('console', (message) => {
        if (message.type() === 'error' || message.type() === 'warning') complaints.push(message.text())
      })
      page.on('pageerror', (error) => complaints.push(error.message))
      await page.addInitScript({ content: sampleTime })
      await use(complaints)
      expect(complaints).toEqual([])
    },
    { auto: true },
  ],
})

test.use({ timezoneId: 'UTC', viewport: { width: 1280, height: 820 } })

export { expect }
