import { faults } from '../support/faults'
import { ok, refused } from '../support/fake-desktop'
import { expect, openStory, test } from './window-page'

test('a table is exported in a format that is chosen, explained and remembered', async ({ page }) => {
  const fake = await openStory(page, 'save table')
  fake.handlers.saveListTable = () => ok({ fileName: 'My list.xlsx' })
  const dialog = page.getByRole('dialog', { name: 'Export My list' })
  const format = (name: string) => dialog.getByRole('radio', { name, exact: true })
  const open = async () => page.getByRole('button', { name: 'Export list…' }).click()
  const order = () => fake.calls.map(({ name }) => name).filter((name) => /setPref|saveList/.test(name))

  await test.step('the format before is chosen, and each one is explained', async () => {
    await expect(format('CSV')).toBeChecked()
    await expect(dialog).toContainText('For programs.')
    await format('CSV for Excel').check()
    await expect(dialog).toContainText('Separator and decimal sign are those of your system’s region.')
    await page.setViewportSize({ width: 900, height: 600 })
    expect(await faults(page, { part: 'dialog' })).toEqual([])
    await page.setViewportSize({ width: 1280, height: 820 })
    await format('Excel workbook').check()
    await expect(dialog).toContainText('Longer ones are text with every digit.')
  })
  await test.step('Enter saves it in the chosen format, which is set before', async () => {
    await format('Excel workbook').press('Enter')
    await expect(page.getByText('Saved as My list.xlsx').first()).toBeVisible()
    expect(order()).toEqual(['setPreferences', 'saveListTable'])
    expect(fake.callsOf('setPreferences')).toEqual([{ tableFormat: 'xlsx' }])
  })
  await test.step('the next export begins with it, also that of values', async () => {
    await open()
    await expect(format('Excel workbook')).toBeChecked()
    await page.keyboard.press('Escape')
    await page.getByRole('button', { name: 'Actions for My list' }).click()
    await page.getByRole('menuitem', { name: 'Export values…' }).click()
    const values = page.getByRole('dialog', { name: 'Export values of My list' })
    await expect(values.getByRole('radio', { name: 'Excel workbook' })).toBeChecked()
    await page.keyboard.press('Escape')
  })
  await test.step('nothing is saved in another format than the chosen one', async () => {
    fake.calls.length = 0
    fake.handlers.setPreferences = () => refused('diskFull', 'The disk is full.')
    await open()
    await format('CSV').check()
    await dialog.getByRole('button', { name: 'Export…' }).click()
    await expect(page.getByText('This setting could not be changed: The disk is full.').first()).toBeVisible()
    expect(order()).toEqual(['setPreferences'])
    await expect(dialog).toBeVisible()
  })
})
