import { expect, test as base, type Page } from '@playwright/test'
import type { WindowSnapshot } from '../../protocol/desktop'
import { installWorkingFake, type FakeDesktop } from '../support/fake-desktop'
import { sampleNowMs, sampleSnapshot } from '../support/sample-window'

/** The policy the app serves its page under. */
export const contentSecurityPolicy = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self'",
  "img-src 'self' data:",
  "font-src 'self'",
  "connect-src 'none'",
  "require-trusted-types-for 'script'",
  'trusted-types svelte-trusted-html',
].join('; ')

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
      await page.clock.setSystemTime(sampleNowMs)
      await page.route('/', async (route) => {
        const response = await route.fetch()
        await route.fulfill({
          response,
          headers: { ...response.headers(), 'content-security-policy': contentSecurityPolicy },
        })
      })
      await use(complaints)
      expect(complaints).toEqual([])
    },
    { auto: true },
  ],
})

test.use({ timezoneId: 'UTC', viewport: { width: 1280, height: 820 } })

export { expect }
