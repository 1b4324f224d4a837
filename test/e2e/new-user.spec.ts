import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, test } from '../support/app-test'

test('a new user sets everything up with only the keyboard', { tag: '@deep' }, async ({ bench }) => {
  const {
    running,
    watch: { page },
  } = await bench.launchDemo()
  const keys = page.keyboard

  const command = async (words: string) => {
    await keys.press('Control+k')
    await expect(page.getByRole('combobox', { name: 'Find an index, watchlist or command' })).toBeFocused()
    await keys.type(words)
    await keys.press('Enter')
  }
  const add = async (id: string) => {
    await keys.press('Control+n')
    await expect(page.getByRole('combobox', { name: 'Search indices' })).toBeFocused()
    await keys.type(id)
    await expect(page.getByRole('option', { selected: true })).toContainText(id)
    await keys.press('Enter')
    await expect(page.locator(`tr[data-index="${id}"]`)).toBeFocused()
  }

  await command('new list')
  await expect(page.getByRole('dialog', { name: 'New watchlist' })).toBeVisible()
  await keys.type('My five')
  await keys.press('Enter')
  await expect(page.getByRole('heading', { level: 1, name: 'My five' })).toBeVisible()
  for (const id of ['BRTI', 'NCI', 'DOGEUSD_RTI', 'BRR', 'UC5_RTI_TR']) await add(id)
  const table = page.getByRole('table', { name: 'My five' })
  await expect(table.locator('tr[data-index="BRTI"] [data-value]')).toHaveText(/^[\d,]+\.\d{2}$/)

  // Moves the last index to the top.
  await keys.press('Alt+Home')
  await expect(table.getByRole('rowheader')).toHaveText(['UC5_RTI_TR', 'BRTI', 'NCI', 'DOGEUSD_RTI', 'BRR'])
  await keys.press('ArrowDown')
  await keys.press('ArrowDown')
  await expect(page.locator('tr[data-index="NCI"]')).toBeFocused()
  await keys.press('Enter')
  const constituents = page.getByRole('table', { name: 'Constituents of NCI' })
  await expect(constituents.getByRole('rowheader').first()).toBeVisible()
  await keys.press('Escape')
  await expect(constituents).toHaveCount(0)
  await expect(page.locator('tr[data-index="NCI"]')).toBeFocused()

  const file = join(bench.folder, 'lists.json')
  await running.chooseFile(file)
  await command('export all')
  await expect.poll(() => readFile(file, 'utf8').catch(() => '')).toContain('My five')
  await keys.press('Delete')
  await expect(table.getByRole('rowheader')).toHaveText(['UC5_RTI_TR', 'BRTI', 'DOGEUSD_RTI', 'BRR'])
  await command('import lists')
  const preview = page.getByRole('dialog', { name: /Import/ })
  await expect(preview).toContainText('Adds 1')
  await keys.press('Enter')
  await expect(preview).toHaveCount(0)
  await expect(table.getByRole('rowheader')).toContainText(['NCI'])

  await command('theme light')
  await expect(page.locator('html')).toHaveAttribute('data-theme', 'light')
  expect(running.pageErrors).toEqual([])
})
