import type { TimeRange } from '../../core/ranges'
import { faults } from '../support/faults'
import { cancellable, ok, refused } from '../support/fake-desktop'
import { sampleNowMs } from '../support/sample-now'
import { expect, openStory, test } from './window-page'

const today = Date.UTC(2026, 10, 21)

test('values of an index are exported, and a bad range is not sent', { tag: '@deep' }, async ({ page }) => {
  const fake = await openStory(page, 'export values')
  const dialog = page.getByRole('dialog', { name: 'Export values of BRTI' })

  await test.step('an invalid range is not sent, and says what is wrong', async () => {
    const go = dialog.getByRole('button', { name: 'Export…' })
    await dialog.getByLabel('From').fill('2026-03-29 01:30 London')
    await expect(dialog.getByText('did not exist')).toHaveCount(0)
    await go.click()
    await expect(dialog).toContainText('01:30:00 did not exist on 2026-03-29')
    await dialog.getByLabel('From').fill('today')
    await expect(dialog.getByText('did not exist')).toHaveCount(0)
    await dialog.getByLabel('To, not included').fill('yesterday')
    await go.click()
    await expect(dialog.getByRole('alert')).toHaveText(
      'The range ends before it begins. Choose an end after its start.',
    )
    await dialog.getByLabel('To, not included').fill('16:00 Atlantis')
    await expect(dialog).toContainText('“Atlantis” is not a zone.')
    expect(fake.callsOf('exportValues')).toEqual([])
  })
  await test.step('axe finds nothing in the dialog with an error', async () => {
    await dialog.getByLabel('From').fill('soon')
    await dialog.getByRole('button', { name: 'Export…' }).click()
    await page.setViewportSize({ width: 900, height: 600 })
    expect(await faults(page, { part: 'dialog' })).toEqual([])
    await page.setViewportSize({ width: 1280, height: 820 })
    await page.keyboard.press('Escape')
    await expect(page.getByRole('dialog')).toHaveCount(0)
    await page.getByRole('button', { name: 'History of BRTI', exact: true }).click()
    await page.getByRole('menuitem', { name: 'Export values…', exact: true }).click()
  })
  await test.step('an export that fails says why in the dialog and can be tried again', async () => {
    await dialog.getByRole('button', { name: 'Export…' }).click()
    await expect(dialog.getByRole('alert')).toHaveText('values.csv was not saved: the disk is full.')
    await expect(dialog.getByRole('button', { name: 'Export…' })).toBeEnabled()
    fake.calls.length = 0
  })
  await test.step('values of an index are exported by its menu, which reads the range back', async () => {
    fake.handlers.exportValues = () => ok({ fileName: 'BRTI.parquet', rowCount: 1_234_567 })
    await expect(dialog).toContainText('20 Nov 2026, 00:00:00.000, UTC')
    await expect(dialog).toContainText('One row for every revision of every value.')
    await dialog.getByLabel('From').fill('20 Nov 16:00 London')
    await expect(dialog).toContainText('20 Nov 2026, 16:00:00.000')
    await dialog.getByLabel('To, not included').fill('now')
    await dialog.getByRole('radio', { name: 'Minute' }).check()
    await expect(dialog).toContainText('the last value at that moment, with amendments. No averages.')
    await dialog.getByRole('radio', { name: 'Parquet' }).check()
    await dialog.getByRole('button', { name: 'Export…' }).click()
    await expect(dialog).toHaveCount(0)
    await expect(page.getByText('1,234,567 rows saved as BRTI.parquet').first()).toBeVisible()
    const [asked] = fake.callsOf('exportValues') as TimeRange[]
    expect(asked).toMatchObject({
      indexIds: ['BRTI'],
      fromMs: Date.UTC(2026, 10, 20, 16),
      resolution: 'minute',
      format: 'parquet',
    })
    expect(asked?.toMs).toBeGreaterThanOrEqual(sampleNowMs)
    await page.getByRole('button', { name: 'History of BRTI', exact: true }).click()
    await page.getByRole('menuitem', { name: 'Export values…', exact: true }).click()
  })
  await test.step('an export shows its progress, and its button or closing the dialog cancels it', async () => {
    const writing = cancellable()
    fake.handlers.exportValues = writing.run
    fake.handlers.getExportProgress = () => ok({ rowCount: 41_000, fraction: 0.417 })
    fake.handlers.cancelExport = writing.cancel
    await dialog.getByRole('button', { name: 'Export…' }).click()
    await expect(dialog.getByRole('status')).toHaveText('41 %, 41,000 rows')
    await expect(dialog.getByLabel('From')).toBeDisabled()
    expect(await faults(page, { part: 'dialog' })).toEqual([])
    await dialog.getByRole('button', { name: 'Cancel export' }).click()
    await expect(dialog.getByRole('status')).toHaveCount(0)
    await dialog.getByRole('button', { name: 'Export…' }).click()
    await expect(dialog.getByRole('progressbar')).toBeVisible()
    await page.keyboard.press('Escape')
    await expect(dialog).toHaveCount(0)
    await expect.poll(() => fake.callsOf('cancelExport')).toHaveLength(2)
  })
})

test('all indices of a list are exported by its menu', { tag: '@deep' }, async ({ page }) => {
  const fake = await openStory(page, 'watchlist')
  fake.handlers.exportValues = () => refused('noValues', 'Nothing was exported.')
  await page.getByRole('button', { name: 'Actions for My list' }).click()
  await page.getByRole('menuitem', { name: 'Export values…' }).click()
  const dialog = page.getByRole('dialog', { name: 'Export values of My list' })
  await expect(dialog).toContainText('BRTI, ETHUSD_RTI, SOLUSD_RTI, XRPUSD_RTI, NCI and 6 more')
  await dialog.getByRole('button', { name: 'Export…' }).click()
  await expect(dialog.getByRole('alert')).toHaveText('Nothing was exported.')
  const [asked] = fake.callsOf('exportValues') as { indexIds: string[] }[]
  expect(asked?.indexIds).toHaveLength(11)
  expect(asked).toMatchObject({ fromMs: today - 86_400_000, toMs: today, resolution: 'every', format: 'csv' })
})
