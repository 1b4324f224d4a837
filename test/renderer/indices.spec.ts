import { faults } from '../support/faults'
import { sampleNowMs } from '../support/sample-window'
import { expect, openWindow, test } from './window-page'

test('the list of indices is narrowed, adds to the list, and says what is not offered', async ({ page }) => {
  const fake = await openWindow(page, { view: 'indices' })

  await test.step('the list of indices is narrowed by text and by facets, and says how many are left', async () => {
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
  await test.step('a list that is remembered says of when it is, and one that is not does not', async () => {
    const count = page.locator('.page-head').getByRole('status')
    const { connections } = fake.snapshot.state
    const listed = connections.map((each) => ({ ...each, listedAtMs: sampleNowMs - 60 * 60_000 }))
    await fake.push({ state: { connections: listed } })
    await expect(count).toHaveText(/^\d+ offered by the service$/)
    await fake.push({ state: { connections: listed.map((each) => ({ ...each, state: 'offline' as const })) } })
    await expect(count).toHaveText(/^\d+ offered by the service · as of 13:02:11$/)
    await fake.push({ state: { connections } })
  })
  await test.step('the indices page filters the catalogue and adds from it', async () => {
    await page.getByRole('searchbox', { name: 'Filter indices' }).fill('link')
    const table = page.getByRole('table', { name: 'Indices' })
    await expect(table.getByRole('rowheader')).toHaveText(['LINKUSD_RTI'])
    await table.getByRole('button', { name: 'Add LINKUSD_RTI' }).click()
    await expect(table).toContainText('In the list')
    expect(fake.callsOf('addIndex')).toEqual([{ listId: 'watchlist', indexId: 'LINKUSD_RTI' }])
    await page.getByRole('searchbox', { name: 'Filter indices' }).fill('')
  })
  await test.step('what this key is not offered is said plainly, without an accessibility fault, and can be opened all the same', async () => {
    await expect(page.getByText('not available with this key', { exact: true })).toHaveCount(0)
    await page.getByRole('button', { name: 'Show them too' }).click()
    expect(await faults(page, { part: 'main' })).toEqual([])
    await page.getByRole('searchbox', { name: 'Filter indices' }).fill('1inch')
    const row = page.getByRole('row', { name: /1INCHUSD_RTI/ })
    await expect(row).toContainText('not available with this key')
    await row.getByRole('button').click()
    expect(fake.callsOf('openIndex')).toEqual([{ indexId: '1INCHUSD_RTI' }])
  })
})
