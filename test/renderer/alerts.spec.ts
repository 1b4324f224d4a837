import { ok, refused } from '../support/fake-desktop'
import { expect, openWindow, test } from './window-page'

test('a rule is made as a sentence and saved with Enter', async ({ page }) => {
  const fake = await openWindow(page, { view: 'alerts' })
  fake.handlers.createAlert = (args) => ok({ ...args, id: 'r9', repeat: 'once', createdAtMs: 0, phase: 'armed' })
  await page.getByRole('button', { name: 'New alert', exact: true }).click()
  const dialog = page.getByRole('dialog', { name: 'New alert' })
  await dialog.getByLabel('Index').selectOption('BRTI')
  await dialog.getByLabel('Condition').selectOption({ label: 'at or above' })
  await expect(dialog.getByLabel('Repeat')).toHaveValue('once')
  await dialog.getByLabel('Level').fill('68,500.00')
  await expect(dialog).toContainText('Now 68,123.40: 376.60 away, 0.55 %')
  await expect(dialog.getByRole('button', { name: 'Save', exact: true })).toBeVisible()
  await dialog.getByLabel('Level').press('Enter')
  await expect(dialog).toHaveCount(0)
  expect(fake.callsOf('createAlert')).toEqual([
    { indexId: 'BRTI', condition: 'atOrAbove', level: '68500.00', whenAlreadyMet: 'wait' },
  ])
})

test('a condition that holds already is asked about, and waiting is what happens unasked', async ({ page }) => {
  const fake = await openWindow(page, { view: 'alerts' })
  fake.handlers.createAlert = (args) => ok({ ...args, id: 'r9', repeat: 'once', createdAtMs: 0, phase: 'disarmed' })
  await page.getByRole('button', { name: 'New alert', exact: true }).click()
  const dialog = page.getByRole('dialog', { name: 'New alert' })
  await dialog.getByLabel('Level').fill('60 000')
  await expect(dialog).toContainText('BRTI is already at or above 60,000.')
  await expect(dialog.getByRole('radio', { name: 'Wait for the next crossing' })).toBeChecked()
  await dialog.getByRole('radio', { name: 'Tell me now' }).check()
  await dialog.getByRole('button', { name: 'Save' }).click()
  await expect(dialog).toHaveCount(0)
  expect(fake.callsOf('createAlert')).toEqual([
    { indexId: 'BRTI', condition: 'atOrAbove', level: '60000', whenAlreadyMet: 'fire' },
  ])
})

test('what is wrong is told by the field and nothing is saved', async ({ page }) => {
  const fake = await openWindow(page, { view: 'alerts' })
  fake.handlers.createAlert = () => refused('duplicate', 'There is such an alert on BRTI already.')
  await page.getByRole('button', { name: 'New alert', exact: true }).click()
  const dialog = page.getByRole('dialog', { name: 'New alert' })
  const level = dialog.getByLabel('Level')
  await level.fill('68,5')
  await level.press('Enter')
  await expect(level).toHaveAccessibleDescription(/A comma groups thousands here/)
  expect(fake.callsOf('createAlert')).toEqual([])
  await level.fill('68500')
  await level.press('Enter')
  await expect(level).toHaveAccessibleDescription('There is such an alert on BRTI already.')
  await expect(level).toBeFocused()
  await page.keyboard.press('Escape')
  await expect(dialog).toHaveCount(0)
})

test('an alert can begin at a row of the watchlist', async ({ page }) => {
  await openWindow(page)
  await page.locator('[data-index="SOLUSD_RTI"]').click({ button: 'right' })
  await page.getByRole('menuitem', { name: 'New alert for SOLUSD_RTI' }).click()
  const dialog = page.getByRole('dialog', { name: 'New alert' })
  await expect(dialog.getByLabel('Index')).toHaveValue('SOLUSD_RTI')
  await expect(dialog.getByLabel('Level')).toBeFocused()
})
