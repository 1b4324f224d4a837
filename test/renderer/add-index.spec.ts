import { sampleSnapshot } from '../support/sample-window'
import { expect, openWindow, test } from './window-page'

test('an index is found by its asset and added with Enter', async ({ page }) => {
  const fake = await openWindow(page)
  await page.keyboard.press('Control+n')
  const dialog = page.getByRole('dialog', { name: 'Add index' })
  const search = dialog.getByRole('combobox', { name: 'Search indices' })
  await expect(search).toBeFocused()
  await search.fill('doge')
  await expect(dialog.getByRole('option')).toHaveText([/DOGEUSD_RTI.*Dogecoin.*every 200 ms/s])
  await page.keyboard.press('Enter')
  await expect(dialog).toHaveCount(0)
  await expect(page.locator('[data-index="DOGEUSD_RTI"]')).toBeFocused()
  expect(fake.callsOf('addIndex')).toEqual([{ listId: 'watchlist', indexId: 'DOGEUSD_RTI' }])
})

test('arrows move the mark', async ({ page }) => {
  const fake = await openWindow(page)
  await page.getByRole('button', { name: 'Add index' }).click()
  const search = page.getByRole('combobox', { name: 'Search indices' })
  await search.fill('bitcoin')
  await page.keyboard.press('ArrowDown')
  await page.keyboard.press('ArrowDown')
  await expect(page.getByRole('option', { selected: true })).toContainText('BRRNY')
  await expect(search).toHaveAttribute('aria-activedescendant', /.+-2$/)
  await page.keyboard.press('Enter')
  await expect(page.locator('[data-index="BRRNY"]')).toBeVisible()
  expect(fake.callsOf('addIndex')).toHaveLength(1)
})

test('an index that is there is marked, and Enter goes to its row without asking for it again', async ({ page }) => {
  const fake = await openWindow(page)
  await page.getByRole('button', { name: 'Add index' }).click()
  await page.getByRole('combobox', { name: 'Search indices' }).fill('SHIBUSD_RTI')
  await expect(page.getByRole('option')).toContainText('in the list')
  await page.keyboard.press('Enter')
  await expect(page.locator('[data-index="SHIBUSD_RTI"]')).toBeFocused()
  expect(fake.callsOf('addIndex')).toEqual([])
})

test('an id the catalogue does not have can be asked for as typed', async ({ page }) => {
  const fake = await openWindow(page)
  await page.getByRole('button', { name: 'Add index' }).click()
  const search = page.getByRole('combobox', { name: 'Search indices' })
  await search.fill('two words')
  await expect(page.getByRole('option')).toHaveCount(0)
  await search.fill('FOO_RTI')
  await expect(page.getByRole('option')).toHaveText('Ask the service for FOO_RTI')
  await page.keyboard.press('Enter')
  await expect(page.locator('[data-index="FOO_RTI"]')).toBeVisible()
  await fake.push({ rows: [{ id: 'FOO_RTI', refusal: 'Unrecognised stream ID' }] })
  await expect(page.locator('[data-index="FOO_RTI"]')).toContainText('Refused: Unrecognised stream ID')
})

test('Escape closes and gives the focus back', async ({ page }) => {
  await openWindow(page)
  const button = page.getByRole('button', { name: 'Add index' })
  await button.click()
  await page.keyboard.press('Escape')
  await expect(page.getByRole('dialog')).toHaveCount(0)
  await expect(button).toBeFocused()
})

test('the indices page filters the catalogue and adds from it', async ({ page }) => {
  const fake = await openWindow(page, { view: 'indices' })
  await page.getByRole('searchbox', { name: 'Filter indices' }).fill('link')
  const table = page.getByRole('table', { name: 'Indices' })
  await expect(table.getByRole('rowheader')).toHaveText(['LINKUSD_RTI'])
  await table.getByRole('button', { name: 'Add LINKUSD_RTI' }).click()
  await expect(table).toContainText('In the list')
  expect(fake.callsOf('addIndex')).toEqual([{ listId: 'watchlist', indexId: 'LINKUSD_RTI' }])
})

test('without a catalogue the indices page says where it comes from', async ({ page }) => {
  const snapshot = sampleSnapshot()
  snapshot.state.catalogue = []
  snapshot.state.status = { state: 'offline', name: 'Demo', isDemo: true, streamCount: 0 }
  await openWindow(page, { view: 'indices', snapshot })
  await expect(page.getByText('appears here once the connection is back')).toBeVisible()
})
