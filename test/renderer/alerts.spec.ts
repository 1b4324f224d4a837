import { ok, refused } from '../support/fake-desktop'
import { sampleSnapshot } from '../support/sample-window'
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

test('rules and inbox are told in tables', async ({ page }) => {
  const fake = await openWindow(page, { view: 'alerts' })
  const rules = page.getByRole('table', { name: 'Alert rules' })
  await expect(rules.getByRole('row', { name: /^BRTI/ })).toContainText(
    /at or above.*68,500\.00.*armed.*376\.60 away, 0\.55 %/s,
  )
  await expect(rules.getByRole('row', { name: /^ETHUSD_RTI/ })).toContainText('arms above 3,500')
  const inbox = page.getByRole('table', { name: 'Alert inbox' })
  await expect(inbox.getByRole('row').nth(1)).toContainText(
    /13:47:11.*XRPUSD_RTI.*reached 1\.2003, at or above 1\.20.*shown/s,
  )
  await expect(inbox.getByRole('row').nth(2)).toContainText('crossed in a gap: no values from 10:02:11 to 11:02:11')
  await rules.getByRole('button', { name: /^Delete the alert on BRTI/ }).click()
  await expect(rules.getByRole('rowheader')).toHaveText(['ETHUSD_RTI', 'XRPUSD_RTI'])
  expect(fake.callsOf('deleteAlert')).toEqual([{ ruleId: 'r1' }])
})

test('opening the page marks the inbox as read, once', async ({ page }) => {
  const fake = await openWindow(page)
  const link = page.getByRole('link', { name: 'Alerts', exact: true })
  await expect(link).toHaveAccessibleDescription('2 unread')
  await link.click()
  await expect(page.getByRole('table', { name: 'Alert inbox' })).toBeVisible()
  await expect(link).toHaveAccessibleDescription('Alerts')
  await page.getByRole('navigation', { name: 'Main' }).getByRole('link', { name: 'Watchlist' }).click()
  await expect(page.getByRole('table', { name: 'Watchlist' })).toBeVisible()
  expect(fake.callsOf('markInboxRead')).toHaveLength(1)
})

test('with no rules and no alerts the page says what it is for', async ({ page }) => {
  const snapshot = sampleSnapshot()
  snapshot.state.alerts = []
  snapshot.state.inbox = []
  await openWindow(page, { view: 'alerts', snapshot })
  await expect(page.getByText('No rules yet.')).toBeVisible()
  await expect(page.getByRole('button', { name: 'New alert', exact: true })).toBeVisible()
})
