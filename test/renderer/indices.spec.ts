import { faults } from '../support/faults'
import { expect, openWindow, test } from './window-page'

test('the list of indices is narrowed by text and by facets, and says how many are left', async ({ page }) => {
  await openWindow(page, { view: 'indices' })
  const rows = page.getByRole('table', { name: 'Indices' }).getByRole('rowheader')
  const all = await rows.count()
  await page.getByRole('combobox', { name: 'Kind' }).selectOption({ label: 'Staking reward (1)' })
  await expect(rows).toHaveText(['APT_SRR'])
  await expect(page.getByRole('status').filter({ hasText: 'of' })).toHaveText(`1 of ${all}`)
  await page.getByRole('combobox', { name: 'Family' }).selectOption({ index: 1 })
  await page.getByRole('button', { name: 'Clear', exact: true }).click()
  await expect(rows).toHaveCount(all)
  await page.getByRole('searchbox', { name: 'Filter indices' }).fill('zzz')
  await expect(page.getByRole('heading', { name: 'No match' })).toBeVisible()
  await page.getByRole('button', { name: 'Clear the filters' }).click()
  await expect(rows).toHaveCount(all)
})

test('what this key is not offered is said plainly, and can be opened all the same', async ({ page }) => {
  const fake = await openWindow(page, { view: 'indices' })
  await expect(page.getByText('not available with this key', { exact: true })).toHaveCount(0)
  await page.getByRole('button', { name: 'Show them too' }).click()
  await page.getByRole('searchbox', { name: 'Filter indices' }).fill('1inch')
  const row = page.getByRole('row', { name: /1INCHUSD_RTI/ })
  await expect(row).toContainText('not available with this key')
  await row.getByRole('button').click()
  expect(fake.callsOf('openIndex')).toEqual([{ indexId: '1INCHUSD_RTI' }])
})

test('an index is added to the list by its button', async ({ page }) => {
  const fake = await openWindow(page, { view: 'indices' })
  await page.getByRole('button', { name: 'Add DOGEUSD_RTI' }).click()
  expect(fake.callsOf('addIndex')).toEqual([{ listId: 'watchlist', indexId: 'DOGEUSD_RTI' }])
  await expect(page.getByRole('row', { name: /DOGEUSD_RTI/ })).toContainText('In the list')
})

test('the filtered list and the indices not offered have no accessibility fault', async ({ page }) => {
  await openWindow(page, { view: 'indices' })
  await page.getByRole('button', { name: 'Show them too' }).click()
  await page.getByRole('combobox', { name: 'Family' }).selectOption({ index: 1 })
  expect(await faults(page)).toEqual([])
})
