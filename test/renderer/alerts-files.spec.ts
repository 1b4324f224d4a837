import type { Page } from '@playwright/test'
import type { AlertImportPreview } from '../../core/alert-events'
import { richSnapshot } from '../support/alert-commands'
import { ok, refused } from '../support/fake-desktop'
import { faults } from '../support/faults'
import { expect, openWindow, test } from './window-page'

const preview: AlertImportPreview = {
  importId: 'import-1',
  fileName: 'rules.json',
  sameCount: 1,
  adds: [
    { sentence: 'BRTI rises to 68,500' },
    { sentence: 'NCI weight of BTC at or above 60 %', reach: 'unchecked' },
    {
      sentence: 'NOSUCH_RTI falls to 3',
      reach: { cannotFire: 'the provider does not list NOSUCH_RTI for this key' },
      webhookHost: 'example.org',
    },
  ],
}

async function choose(page: Page, name: string): Promise<void> {
  await page.getByRole('button', { name: 'More about alerts' }).click()
  await page.getByRole('menuitem', { name }).click()
}

function message(page: Page) {
  return page.getByRole('group', { name: 'Message' })
}

test('rules are imported and exported, and a test alert reports its delivery', { tag: '@deep' }, async ({ page }) => {
  const fake = await openWindow(page, { view: 'alerts', snapshot: richSnapshot() })

  await test.step('all rules or one are exported, and a cancelled export shows no message', async () => {
    fake.handlers.exportAlerts = () => ok(null)
    await choose(page, 'Export all…')
    await expect.poll(() => fake.callsOf('exportAlerts')).toEqual([{}])
    await expect(message(page)).toHaveCount(0)
    fake.handlers.exportAlerts = () => ok({ fileName: 'one.json' })
    await page.locator('[data-rule="r3"]').click({ button: 'right' })
    await page.getByRole('menuitem', { name: 'Export…' }).click()
    await expect(message(page)).toContainText('Alert saved as one.json')
    expect(fake.callsOf('exportAlerts')).toEqual([{}, { ruleIds: ['r3'] }])
  })
  await test.step('an import shows what it adds, unknown indices and webhook hosts', async () => {
    fake.handlers.chooseAlertFile = () => ok(preview)
    fake.handlers.importAlerts = () => ok({ adds: 3 })
    await choose(page, 'Import…')
    const dialog = page.getByRole('dialog', { name: 'Import alerts' })
    await expect(dialog).toContainText(/Adds 3 alerts\.\s*1 already exists\.\s*From rules\.json/)
    const items = dialog.getByRole('listitem')
    await expect(items.nth(0)).toHaveText('BRTI rises to 68,500')
    await expect(items.nth(1)).toContainText('unchecked')
    await expect(items.nth(2)).toContainText(
      /cannot fire: the provider does not list NOSUCH_RTI for this key\s*sends to example\.org/,
    )
    expect(await faults(page, { part: 'dialog' })).toEqual([])
    await dialog.getByRole('button', { name: 'Import' }).press('Enter')
    await expect(dialog).toHaveCount(0)
    await expect(message(page)).toContainText('Import done: 3 alerts added')
    expect(fake.callsOf('importAlerts')).toEqual([{ importId: 'import-1' }])
  })
  await test.step('an import that fails says so and stays open; cancelling imports nothing', async () => {
    fake.calls.length = 0
    fake.handlers.chooseAlertFile = () => ok(preview)
    fake.handlers.importAlerts = () => refused('internal', 'The disk is full.')
    await choose(page, 'Import…')
    const dialog = page.getByRole('dialog', { name: 'Import alerts' })
    await dialog.getByRole('button', { name: 'Import' }).click()
    await expect(dialog.getByRole('alert')).toHaveText('Nothing was imported: The disk is full.')
    await dialog.getByRole('button', { name: 'Cancel' }).click()
    await expect(dialog).toHaveCount(0)
    expect(fake.callsOf('importAlerts')).toHaveLength(1)
  })
  await test.step('an invalid file, and one with nothing new, are reported', async () => {
    fake.handlers.chooseAlertFile = () => refused('badRule', 'rules.json is no file of alert rules.')
    await choose(page, 'Import…')
    await expect(message(page)).toContainText('Nothing was imported: rules.json is no file of alert rules.')
    fake.handlers.chooseAlertFile = () => ok({ ...preview, adds: [] })
    await choose(page, 'Import…')
    const dialog = page.getByRole('dialog', { name: 'Import alerts' })
    await expect(dialog).toContainText('You already have everything in this file.')
    await expect(dialog.getByRole('button', { name: 'Import' })).toHaveCount(0)
    await page.keyboard.press('Escape')
    await expect(page.getByRole('dialog')).toHaveCount(0)
  })
  await test.step('a test alert reports its delivery', async () => {
    fake.handlers.testNotification = () => ok({ delivery: 'shown', words: 'The test alert was shown.' })
    await choose(page, 'Send a test alert')
    await expect(message(page)).toContainText('The test alert was shown.')
    fake.handlers.testNotification = () => ok({ delivery: 'failed', words: 'This desktop shows no notifications.' })
    await choose(page, 'Send a test alert')
    await expect(message(page)).toContainText('This desktop shows no notifications.')
  })
  await test.step('without rules there is nothing to export, and rules can be imported', async () => {
    await fake.push({ state: { alerts: [] } })
    await page.getByRole('button', { name: 'More about alerts' }).click()
    await expect(page.getByRole('menuitem', { name: 'Import…' })).toBeVisible()
    await expect(page.getByRole('menuitem', { name: 'Export all…' })).toHaveCount(0)
  })
})

test('the first five hundred of thousands of rules in a file are shown', { tag: '@deep' }, async ({ page }) => {
  const fake = await openWindow(page, { view: 'alerts', snapshot: richSnapshot() })
  const adds = Array.from({ length: 2_000 }, (_, at) => ({ sentence: `BRTI rises to ${68_000 + at}` }))
  fake.handlers.chooseAlertFile = () => ok({ ...preview, sameCount: 0, adds })
  await choose(page, 'Import…')
  const dialog = page.getByRole('dialog', { name: 'Import alerts' })
  await expect(dialog).toContainText('Adds 2,000 alerts.')
  const items = dialog.getByRole('listitem')
  await expect(items).toHaveCount(501)
  await expect(items.last()).toHaveText('and 1,500 more')
  expect(await faults(page, { part: 'dialog' })).toEqual([])
})
