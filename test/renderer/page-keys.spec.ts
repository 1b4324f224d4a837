import { sampleSnapshot } from '../support/sample-window'
import { expect, openWindow, test } from './window-page'

test('keys reach the row or field of a view, the next list, a new alert and an index to add', async ({ page }) => {
  const snapshot = sampleSnapshot()
  snapshot.state.settings.watchlists.push({
    id: 'rates',
    name: 'Rates',
    entries: [{ id: 'BRR', maxResolution: 'PER_SECOND' }],
  })
  await openWindow(page, { snapshot })
  const row = (id: string) => page.locator(`tr[data-index="${id}"]`)
  const dialog = page.getByRole('dialog')

  await test.step('Ctrl with a digit focuses the selected row of a list, else the first field', async () => {
    await page.keyboard.press('Control+1')
    await expect(row('BRTI')).toBeFocused()
    await page.keyboard.press('Control+2')
    await expect(page.getByRole('searchbox', { name: 'Filter indices' })).toBeFocused()
    await page.keyboard.press('Control+5')
    await expect(page.locator('.list :focus')).toHaveCount(1)
    await page.keyboard.press('Control+1')
    await expect(row('BRTI')).toBeFocused()
    await page.keyboard.press('ArrowDown')
    await page.getByRole('link', { name: 'Settings' }).focus()
    await page.keyboard.press('Control+1')
    await expect(row('ETHUSD_RTI')).toBeFocused()
  })
  await test.step('arrow keys move through the sidebar and the buttons above a list', async () => {
    await page.getByRole('link', { name: 'Alerts' }).focus()
    await page.keyboard.press('ArrowDown')
    await expect(page.getByRole('button', { name: 'My list', exact: true })).toBeFocused()
    await page.getByRole('button', { name: 'Add index', exact: true }).focus()
    await page.keyboard.press('ArrowLeft')
    await expect(page.getByRole('button', { name: 'Export list…' })).toBeFocused()
    await page.keyboard.press('Control+1')
    await expect(row('ETHUSD_RTI')).toBeFocused()
  })
  await test.step('A on a row makes an alert for it, another letter is typed into the search', async () => {
    await page.keyboard.press('a')
    await expect(dialog.getByLabel('Index')).toHaveValue('ETHUSD_RTI')
    await page.keyboard.press('Escape')
    await expect(row('ETHUSD_RTI')).toBeFocused()
    await page.keyboard.type('doge')
    await expect(dialog.getByRole('combobox', { name: 'Search indices' })).toHaveValue('doge')
    await page.keyboard.press('Escape')
    await expect(row('ETHUSD_RTI')).toBeFocused()
  })
  await test.step('Ctrl with Page Down and Page Up go through the lists', async () => {
    await page.keyboard.press('Control+PageDown')
    await expect(row('BRR')).toBeFocused()
    await expect(page.getByRole('heading', { level: 1 })).toHaveText('Rates')
    await page.keyboard.press('Control+3')
    await expect(page.getByRole('heading', { level: 1 })).toHaveText('Alerts')
    await page.keyboard.press('Control+1')
    await expect(row('BRR')).toBeFocused()
    await page.keyboard.press('Control+PageDown')
    await expect(row('ETHUSD_RTI')).toBeFocused()
    await page.keyboard.press('Control+PageUp')
    await expect(row('BRR')).toBeFocused()
  })
})
