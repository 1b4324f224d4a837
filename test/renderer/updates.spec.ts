import type { Page } from '@playwright/test'
import type { UpdateState } from '../../protocol/updates'
import { ok } from '../support/fake-desktop'
import { sampleSnapshot } from '../support/sample-window'
import { expect, openWindow, test } from './window-page'

const found = { version: '0.2.0', notes: '### Added\n- <b>Parquet</b> & more' }

/** Opens the window of an app with this update state. */
function openWith(page: Page, update: UpdateState, view?: string) {
  const snapshot = sampleSnapshot()
  snapshot.state.update = update
  return openWindow(page, { snapshot, ...(view !== undefined && { view }) })
}

const banner = (page: Page) => page.getByRole('region', { name: 'New version' })

test('a version that is ready is announced with its notes, and a restart is one click away', async ({ page }) => {
  const fake = await openWith(page, { state: 'downloading', found, percent: 99 })
  fake.handlers.restartToUpdate = () => ok(null)
  await expect(page.locator('[data-index="BRTI"]')).toBeVisible()
  await expect(banner(page)).toHaveCount(0)
  await fake.push({ state: { update: { state: 'ready', found } } })
  await expect(banner(page)).toContainText('Indexwatch 0.2.0 is ready and will be installed when you quit.')
  await banner(page).getByRole('button', { name: 'What’s new' }).click()
  const dialog = page.getByRole('dialog', { name: 'What’s new in Indexwatch 0.2.0' })
  await expect(dialog.locator('pre')).toHaveText(found.notes)
  await expect(dialog.locator('pre b')).toHaveCount(0)
  await dialog.getByRole('button', { name: 'Close' }).click()
  await banner(page).getByRole('button', { name: 'Restart now' }).click()
  await expect.poll(() => fake.callsOf('restartToUpdate')).toHaveLength(1)
})

test('a version to install by hand links to the website, and can be postponed', { tag: '@deep' }, async ({ page }) => {
  const fake = await openWith(page, { state: 'available', found })
  fake.handlers.openSite = () => ok(null)
  await banner(page).getByRole('button', { name: 'Open website' }).click()
  await expect.poll(() => fake.callsOf('openSite')).toHaveLength(1)
  await banner(page).getByRole('button', { name: 'Later' }).click()
  await expect(banner(page)).toHaveCount(0)
  await fake.push({ state: { update: { state: 'available', found: { version: '0.2.1', notes: '' } } } })
  await expect(banner(page)).toContainText('Indexwatch 0.2.1 is available.')
  await expect(banner(page).getByRole('button', { name: 'What’s new' })).toHaveCount(0)
})

test('Settings check for updates on request and show the result', { tag: '@deep' }, async ({ page }) => {
  const fake = await openWith(page, { state: 'idle' }, 'settings/help')
  fake.handlers.checkForUpdates = () => ok(null)
  const check = page.getByRole('button', { name: 'Check for updates' })
  await check.click()
  await expect.poll(() => fake.callsOf('checkForUpdates')).toHaveLength(1)
  const push = (update: UpdateState) => fake.push({ state: { update } })
  await push({ state: 'checking' })
  await expect(page.getByText('Checking for updates…')).toBeVisible()
  await expect(check).toBeDisabled()
  await push({ state: 'downloading', found, percent: 43 })
  await expect(page.getByRole('progressbar', { name: 'Download' })).toHaveAttribute('value', '43')
  await push({ state: 'failed', problem: 'The update server could not be reached.', checkedAtMs: Date.now() })
  await expect(page.getByText(/^The update server could not be reached\. Checked /)).toBeVisible()
  await expect(check).toBeEnabled()
  // The last exit could not install the version, which is still available although the check failed.
  await push({ state: 'failed', problem: 'Indexwatch 0.2.0 was not installed.' })
  await expect(page.getByText('Indexwatch 0.2.0 was not installed.', { exact: true })).toBeVisible()
  const failed = { problem: 'The update server could not be reached.', checkedAtMs: Date.now() }
  await push({ state: 'available', found, failed })
  await expect(page.getByRole('status')).toContainText(['Indexwatch 0.2.0 is available.'])
  await expect(page.getByText(/^The update server could not be reached\. Checked /)).toBeVisible()
  await push({ state: 'current', checkedAtMs: Date.now() })
  await expect(page.getByText(/^Indexwatch is up to date\. Checked /)).toBeVisible()
  await push({ state: 'ready', found })
  await expect(check).toHaveCount(0)
})

test('the palette checks for updates, and restarts where one is ready', { tag: '@deep' }, async ({ page }) => {
  const fake = await openWith(page, { state: 'idle' })
  fake.handlers.checkForUpdates = () => ok(null)
  fake.handlers.restartToUpdate = () => ok(null)
  const choose = async (name: string) => {
    await page.keyboard.press('Control+k')
    await page.getByRole('combobox').fill('update')
    await page.getByRole('option', { name }).click()
  }
  await choose('Check for updates')
  await expect.poll(() => fake.callsOf('checkForUpdates')).toHaveLength(1)
  await expect(page).toHaveURL(/#settings\/help$/)
  await fake.push({ state: { update: { state: 'ready', found } } })
  await choose('Restart to update to 0.2.0')
  await expect.poll(() => fake.callsOf('restartToUpdate')).toHaveLength(1)
})

test('an app that does not check for updates does not mention them', { tag: '@deep' }, async ({ page }) => {
  await openWindow(page, { view: 'settings/help' })
  await expect(page.getByRole('button', { name: 'Open data folder' })).toBeVisible()
  await expect(page.getByRole('heading', { name: 'Updates' })).toHaveCount(0)
  await page.keyboard.press('Control+k')
  await page.getByRole('combobox').fill('update')
  await expect(page.getByRole('option', { name: /update/i })).toHaveCount(0)
})
