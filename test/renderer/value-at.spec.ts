import { toJson } from '../../protocol/json'
import { ok, refused } from '../support/fake-desktop'
import { faults } from '../support/faults'
import { sampleValueAt } from '../support/sample-history'
import { expect, openStory, test } from './window-page'

test('a time typed in everyday form is answered with the value in effect', async ({ page }) => {
  const fake = await openStory(page, 'value at a time')
  const dialog = page.getByRole('dialog', { name: 'Value at a time' })

  await test.step('a time typed in everyday form gives the value in effect and its revisions', async () => {
    await expect(dialog.getByLabel('Time')).toBeFocused()
    await page.keyboard.type('yesterday 15:59:59.8 London')
    await expect(dialog).toContainText('20 Nov 2026, 15:59:59.800, UTC')
    await page.keyboard.press('Enter')
    await expect(dialog.getByRole('status')).toContainText('68,124.400')
    await expect(dialog.getByRole('status')).toContainText('in effect; published 20 Nov 2026, 15:59:59.800')
    const rows = dialog.getByRole('table', { name: 'Revisions' }).locator('tbody tr')
    await expect(rows).toHaveCount(2)
    await expect(rows.nth(0)).toContainText('amended 20 Nov 16:00:59.800')
    await expect(rows.nth(1)).toContainText('68,123.40')
    await expect(rows.nth(1)).toContainText('Desk (live)')
    expect(fake.callsOf('getValueAt')).toEqual([{ indexId: 'BRTI', atMs: Date.UTC(2026, 10, 20, 15, 59, 59, 800) }])
    // The answer disappears when the question changes.
    await dialog.getByLabel('Time').press('Backspace')
    await expect(dialog.getByText('68,124.400')).toHaveCount(0)
  })
  await test.step('an invalid, repeated or future time is refused with a hint', async () => {
    fake.calls.length = 0
    const time = dialog.getByLabel('Time')
    for (const [typed, words] of [
      ['soon', '“soon” is not a time, such as'],
      ['2026-10-25 01:30 London', 'Write “2026-10-25 01:30:00 +01:00” for the first'],
      ['2026-12-24 16:00', 'This time is in the future.'],
    ] as const) {
      await time.fill(typed)
      await page.keyboard.press('Enter')
      await expect(dialog).toContainText(words)
    }
    await time.fill('13:00')
    await dialog.getByLabel('Index').fill('<b>')
    await page.keyboard.press('Enter')
    await expect(dialog.getByRole('alert')).toHaveText('Enter the id of an index, such as BRTI.')
    expect(fake.callsOf('getValueAt')).toEqual([])
  })
  await test.step('it is found by the palette, and says if a value is not known', async () => {
    await page.keyboard.press('Escape')
    await expect(page.getByRole('dialog')).toHaveCount(0)
    fake.handlers.getValueAt = ({ indexId, atMs }) => {
      const gap = { fromMs: atMs - 60_000, toMs: atMs + 60_000, state: 'unasked' as const }
      return ok(toJson({ ...sampleValueAt(indexId, atMs - 60_000), atMs, gap }))
    }
    await page.keyboard.press('Control+k')
    await page.keyboard.type('value at')
    await page.keyboard.press('Enter')
    await dialog.getByLabel('Time').fill('13:00')
    await page.keyboard.press('Enter')
    await expect(dialog).toContainText('the last value before the gap')
    await expect(dialog).toContainText('No data 12:59:00.000–13:01:00.000 (not requested yet).')
    fake.handlers.getValueAt = ({ indexId, atMs }) => ok(toJson({ id: indexId, atMs, revisions: [] }))
    await dialog.getByLabel('Index').fill('nci')
    await page.keyboard.press('Enter')
    await expect(dialog).toContainText('The history has no value of NCI at or before this time.')
    // The provider may have it.
    fake.handlers.askValueAt = () => refused('noValues', 'The provider has no values for this time.')
    await dialog.getByRole('button', { name: 'Ask the provider' }).click()
    await expect(dialog.getByRole('alert')).toHaveText('The provider has no values for this time.')
    fake.handlers.askValueAt = ({ indexId, atMs }) => ok(toJson(sampleValueAt(indexId, atMs)))
    await dialog.getByRole('button', { name: 'Show value' }).click()
    await dialog.getByRole('button', { name: 'Ask the provider' }).click()
    await expect(dialog.getByRole('status')).toContainText('68,124.400')
    await expect(dialog.getByRole('button', { name: 'Ask the provider' })).toHaveCount(0)
    await expect(dialog.getByRole('button', { name: 'Show value' })).toBeFocused()
    fake.handlers.getValueAt = () => refused('notReady', 'The history is not open yet.')
    await dialog.getByRole('button', { name: 'Show value' }).click()
    await expect(dialog.getByRole('alert')).toHaveText('The history is not open yet.')
  })
})

test('an index is chosen from suggestions of our own, in the theme’s colours', { tag: '@deep' }, async ({ page }) => {
  await page.emulateMedia({ colorScheme: 'dark' })
  const fake = await openStory(page, 'value at a time')
  const dialog = page.getByRole('dialog', { name: 'Value at a time' })
  const field = dialog.getByRole('combobox', { name: 'Index' })
  const list = dialog.getByRole('listbox', { name: 'Suggestions' })
  const marked = list.getByRole('option', { selected: true })

  await field.click()
  await expect(marked).toHaveText(/^BRTI\s+CME CF Bitcoin Real Time Index$/)
  await expect(list).toHaveCSS('background-color', 'rgb(26, 30, 37)')
  await field.fill('ether')
  await expect(list.getByRole('option').first()).toContainText('ETHUSD_RTI')
  await expect(marked).toHaveCount(0)
  expect(await faults(page)).toEqual([])

  await page.keyboard.press('Escape')
  await expect(list).toHaveCount(0)
  await expect(dialog).toBeVisible()
  await page.keyboard.press('ArrowDown')
  await field.fill('eth')
  await page.keyboard.press('ArrowDown')
  await page.keyboard.press('Enter')
  await expect(field).toHaveValue('ETHUSD_RTI')
  await expect(field).toBeFocused()
  await expect(list).toHaveCount(0)
  expect(fake.callsOf('getValueAt')).toEqual([])

  await field.fill('sol')
  await list.getByText('SOLUSD_RTI').click()
  await expect(field).toHaveValue('SOLUSD_RTI')
  await expect(field).toBeFocused()
})
