import { refused } from '../support/fake-desktop'
import { faults } from '../support/faults'
import { sampleNowMs, sampleSnapshot } from '../support/sample-window'
import { expect, openWindow, test } from './window-page'

test('the list of indices is filtered, adds to a watchlist, and says what is not offered', async ({ page }) => {
  const fake = await openWindow(page, { view: 'indices' })

  await test.step('the list of indices is narrowed by text and by facets, and says how many are left', async () => {
    const rows = page.getByRole('table', { name: 'Indices' }).getByRole('rowheader')
    const all = await rows.count()
    await page.getByLabel('Type').click()
    await page.getByRole('option', { name: 'Staking reward 1', exact: true }).click()
    await expect(rows).toHaveText(['APT_SRR'])
    await expect(page.getByLabel('Type')).toHaveText(/Type: Staking reward/)
    await expect(page.getByRole('status').filter({ hasText: 'of' })).toHaveText(`1 of ${all}`)
    await page.getByLabel('Family').click()
    await expect(page.getByRole('option')).toHaveText(['All 1', /\S 1$/])
    await page.keyboard.press('Escape')
    await page.getByRole('button', { name: 'Clear', exact: true }).click()
    await expect(rows).toHaveCount(all)
    await page.getByRole('searchbox', { name: 'Filter indices' }).fill('zzz')
    await expect(page.getByRole('heading', { name: 'No match' })).toBeVisible()
    await page.getByRole('button', { name: 'Clear the filters' }).click()
    await expect(rows).toHaveCount(all)
  })
  await test.step('a cached list shows its time, and a live one does not', async () => {
    const count = page.locator('.page-head').getByRole('status')
    const { connections } = fake.snapshot.state
    const listed = connections.map((each) => ({ ...each, listedAtMs: sampleNowMs - 60 * 60_000 }))
    await fake.push({ state: { connections: listed } })
    await expect(count).toHaveText(/^\d+ offered by the provider$/)
    await fake.push({ state: { connections: listed.map((each) => ({ ...each, state: 'offline' as const })) } })
    await expect(count).toHaveText(/^\d+ offered by the provider · as of 13:02:11$/)
    await fake.push({ state: { connections } })
  })
  await test.step('the indices page filters the catalogue and adds from it', async () => {
    await page.getByRole('searchbox', { name: 'Filter indices' }).fill('link')
    const table = page.getByRole('table', { name: 'Indices' })
    await expect(table.getByRole('rowheader')).toHaveText(['LINKUSD_RTI'])
    await table.getByRole('button', { name: 'Add LINKUSD_RTI' }).click()
    await expect(table).toContainText('In watchlist')
    expect(fake.callsOf('addIndex')).toEqual([{ listId: 'watchlist', indexId: 'LINKUSD_RTI' }])
    await page.getByRole('searchbox', { name: 'Filter indices' }).fill('')
  })
  await test.step('the indices found are offered as a new list with the words of the filter', async () => {
    await page.getByLabel('Type').click()
    await page.getByRole('option', { name: /^Real time/ }).click()
    const found = await page.getByRole('table', { name: 'Indices' }).getByRole('rowheader').allTextContents()
    fake.handlers.readLists = () => refused('unreadable', 'This is a test.')
    await page.getByRole('button', { name: 'Add these…' }).click()
    await expect.poll(() => fake.callsOf('readLists')).toEqual([{ text: found.join('\n'), fileName: 'Real time' }])
    await page.getByRole('button', { name: 'Clear', exact: true }).click()
  })
  await test.step('an index that the key may not use is marked, accessible, and can still be opened', async () => {
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

test(
  'of five thousand indices only the visible ones are in the page, and all can be reached',
  { tag: '@deep' },
  async ({ page }) => {
    const snapshot = sampleSnapshot()
    snapshot.state.catalogue = Array.from({ length: 5_000 }, (_, at) => ({
      id: `INDEX${String(at).padStart(4, '0')}`,
      name: `Index number ${at}`,
      maxResolution: 'PER_SECOND',
    }))
    await openWindow(page, { view: 'indices', snapshot })
    const rows = page.getByRole('table', { name: 'Indices' }).getByRole('rowheader')
    await expect(rows.first()).toHaveText('INDEX0000')
    expect(await rows.count()).toBeLessThan(100)
    await page.locator('.scroll:has(table)').evaluate((box) => {
      box.scrollTop = box.scrollHeight
    })
    await expect(rows.last()).toHaveText('INDEX4999')
    await expect(page.getByRole('row', { name: /INDEX4999/ })).toHaveAttribute('aria-rowindex', '5001')
    expect(await rows.count()).toBeLessThan(100)
  },
)

test('a filter is set with only the keyboard, and announced with its choice', { tag: '@deep' }, async ({ page }) => {
  await openWindow(page, { view: 'indices' })
  const rows = page.getByRole('table', { name: 'Indices' }).getByRole('rowheader')
  const all = await rows.count()
  // By role, because a closing list briefly has the same label.
  const base = page.getByRole('combobox', { name: 'Base', exact: true })
  const marked = page.getByRole('option', { selected: true })

  await test.step('typing on the chip searches, Enter chooses, and the focus returns to the chip', async () => {
    await base.focus()
    await page.keyboard.type('bt')
    await expect(page.getByRole('combobox', { name: 'Search base' })).toHaveValue('bt')
    await expect(page.getByRole('option')).toHaveText(['BTC 3'])
    expect(await faults(page)).toEqual([])
    await page.keyboard.press('Enter')
    await expect(page.getByRole('option')).toHaveCount(0)
    await expect(base).toBeFocused()
    await expect(rows).toHaveText(['BRTI', 'BRR', 'BRRNY'])
  })
  await test.step('it opens at the choice, and Escape keeps the choice', async () => {
    await page.keyboard.press('ArrowDown')
    await expect(marked).toHaveText('BTC 3')
    await page.keyboard.press('ArrowUp')
    await expect(marked).not.toHaveText('BTC 3')
    await page.keyboard.press('Escape')
    await expect(base).toBeFocused()
    await expect(base).toHaveText(/Base: BTC/)
    await expect(rows).toHaveCount(3)
  })
  await test.step('a short list has no search field: a letter marks, and Space chooses', async () => {
    await page.getByLabel('Frequency', { exact: true }).press('Enter')
    await page.keyboard.press('d')
    await expect(marked).toHaveText('daily 2')
    expect(await faults(page)).toEqual([])
    await page.keyboard.press('Space')
    await expect(rows).toHaveText(['BRR', 'BRRNY'])
  })
  await test.step('in a narrow window the filters are behind one button, which says how many are set', async () => {
    await page.setViewportSize({ width: 900, height: 600 })
    await expect(base).toHaveCount(0)
    const filter = page.getByRole('button', { name: 'Filter · 2' })
    await filter.press('Enter')
    await expect(page.getByRole('dialog', { name: 'Filter by' }).getByLabel('Family')).toBeFocused()
    expect(await faults(page)).toEqual([])
    await base.click()
    await page.getByRole('option', { name: /^All/ }).click()
    await expect(base).toBeFocused()
    await expect(base).toHaveText('All')
    await page.keyboard.press('Escape')
    await expect(page.getByRole('button', { name: 'Filter · 1' })).toBeFocused()
    await page.getByRole('button', { name: 'Clear', exact: true }).click()
    await expect(rows).toHaveCount(all)
  })
})
