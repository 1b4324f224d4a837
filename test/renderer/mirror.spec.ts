import { toJson } from '../../protocol/json'
import { ok, refused } from '../support/fake-desktop'
import { sampleNowMs, sampleSnapshot } from '../support/sample-window'
import { installFake } from './install-fake'
import { expect, openWindow, test } from './window-page'

test('while the app does not answer the page says so and keeps asking', async ({ page }) => {
  let isReady = false
  const fake = await installFake(page, sampleSnapshot(), {
    getSnapshot: () => (isReady ? ok(toJson(fake.snapshot)) : refused('internal', 'This did not work.')),
  })
  await page.goto('/')
  await expect(page.getByRole('heading', { name: 'Your watchlists could not be loaded' })).toBeVisible()
  await expect(page.getByText('This did not work.')).toBeVisible()
  await expect(page.getByRole('status', { name: 'Connection' })).toHaveText('Connecting')
  isReady = true
  await expect(page.getByRole('table', { name: 'My list' })).toBeVisible()
})

test('a value turns stale by itself', async ({ page }) => {
  await page.clock.install({ time: sampleNowMs })
  const fake = await openWindow(page)
  const flags = page.locator('[data-index="UC5_RTI_TR"] .marks')
  await page.clock.pauseAt(sampleNowMs + 60_000)
  await expect(flags).toHaveText('stale')
  const quote = fake.snapshot.quotes.find(({ id }) => id === 'UC5_RTI_TR')
  if (quote === undefined) throw new Error('the sample has no UC5_RTI_TR')
  await fake.push({ quotes: [{ ...quote, publishedAtMs: sampleNowMs + 60_000, ageMs: 0 }] })
  await page.clock.runFor(9_000)
  await expect(flags).toHaveText('')
  // Ten seconds, plus the time until the next update of ages.
  await page.clock.runFor(2_100)
  await expect(flags).toHaveText('stale')
})
