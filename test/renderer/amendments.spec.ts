import type { AmendmentEntry } from '../../core/records'
import { ok, refused } from '../support/fake-desktop'
import { keepAmendments, sampleAmendments } from '../support/sample-history'
import { expect, openStory, openWindow, test } from './window-page'

test('the ledgers of one index, opened from its chart, and of all indices are exported', async ({ page }) => {
  const fake = await openStory(page, 'index, chart and market conditions')
  keepAmendments(fake, () => sampleAmendments(20))

  await test.step('the chart’s count of amended values opens the ledger of the index', async () => {
    await page.getByRole('button', { name: /^\d+ amended$/ }).click()
    const tab = page.getByRole('tab', { name: 'Amendments' })
    await expect(tab).toHaveAttribute('aria-selected', 'true')
    await expect(tab).toBeFocused()
  })
  await test.step('the ledger of an index and that of all are exported, and a refusal is shown', async () => {
    fake.handlers.saveAmendmentsTable = () => ok({ fileName: 'ledger.csv' })
    const formats = page.getByRole('dialog', { name: 'Export amendments of' })
    await page.getByRole('button', { name: 'Export…', exact: true }).click()
    await formats.getByRole('button', { name: 'Export…' }).click()
    await expect(page.getByText('Saved as ledger.csv').first()).toBeVisible()
    await page.getByRole('link', { name: 'All indices' }).click()
    fake.handlers.saveAmendmentsTable = () => refused('diskFull', 'The disk is full.')
    await page.getByRole('main').getByRole('button', { name: 'Export all…' }).click()
    await formats.getByRole('button', { name: 'Export…' }).click()
    await expect(page.getByText('The amendments could not be saved: The disk is full.').first()).toBeVisible()
    expect(fake.callsOf('saveAmendmentsTable')).toEqual([{ indexId: 'BRTI' }, {}])
  })
})

test('the ledger shows both values digit by digit, with difference, times and rules', async ({ page }) => {
  await openStory(page, 'amendments')

  await test.step('an amendment whose original value was never received says so and has no difference', async () => {
    const row = page.getByRole('table', { name: 'Amendments' }).getByRole('row').nth(4)
    await expect(row.getByRole('cell').nth(1)).toHaveText('no data')
    await expect(row.getByRole('cell').nth(3)).toHaveText('')
  })
  await test.step('the ledger shows both values digit for digit, difference, times and rules', async () => {
    const row = page.getByRole('table', { name: 'Amendments' }).getByRole('row').nth(1)
    await expect(row.getByRole('rowheader')).toHaveText('BRTI')
    const cells = row.getByRole('cell')
    await expect(cells).toHaveText([
      '13:25:11.000',
      '79,760.34',
      '79,761.34',
      '+1.00',
      '13:27:11.000',
      '13:27:11.180',
      /BRTI rises to 79,761.00/,
    ])
    await page.getByRole('button', { name: 'BRTI' }).first().click()
    const dialog = page.getByRole('dialog', { name: 'Amendment of BRTI' })
    await expect(dialog).toContainText('79,760.34')
    await expect(dialog).toContainText('+1.00 (+0.0013 %)')
    await expect(dialog).toContainText('2 min after publication')
    await expect(dialog).toContainText('BRTI rises to 79,761.00: ')
    await page.keyboard.press('Escape')
    await expect(dialog).toHaveCount(0)
  })
})

test(
  'older amendments load page by page, and new ones appear on top without moving them',
  { tag: '@deep' },
  async ({ page }) => {
    let entries: AmendmentEntry[] = sampleAmendments(45)
    const fake = await openWindow(page, { view: 'watchlist' })
    keepAmendments(fake, () => entries, 20)
    await page.keyboard.press('Control+k')
    await page.keyboard.type('amendments')
    await page.keyboard.press('Enter')
    await expect(page.getByRole('heading', { name: 'Amendments', level: 1 })).toBeVisible()
    const rows = page.getByRole('table', { name: 'Amendments' }).locator('tbody tr')
    await expect(rows).toHaveCount(20)
    await page.getByRole('button', { name: 'Show older' }).click()
    await expect(rows).toHaveCount(40)
    const [newest] = entries
    if (newest === undefined) throw new Error('there are no samples')
    entries = [{ ...newest, amendedAtMs: newest.amendedAtMs + 60_000, after: '79799.99' }, ...entries]
    await expect(rows).toHaveCount(41)
    await expect(rows.first()).toContainText('79,799.99')
    await page.getByRole('button', { name: 'Show older' }).click()
    await expect(rows).toHaveCount(46)
    await expect(page.getByRole('button', { name: 'Show older' })).toHaveCount(0)
  },
)

test('a ledger that cannot be read says why and is tried again', async ({ page }) => {
  const fake = await openStory(page, 'amendments, not readable')
  await expect(page.getByRole('alert')).toContainText('The history is not open yet.')
  await expect(page.getByText('No amendments yet')).toHaveCount(0)
  keepAmendments(fake, () => sampleAmendments(3))
  await page.getByRole('button', { name: 'Try again' }).click()
  await expect(page.getByRole('table', { name: 'Amendments' }).locator('tbody tr')).toHaveCount(3)
  await expect(page.getByRole('alert')).toHaveCount(0)
})

test('without a connection the ledgers show the time of their last data', async ({ page }) => {
  const fake = await openStory(page, 'amendments, offline')
  await expect(page.getByText('As of 14:02:11. Later amendments appear')).toBeVisible()
  await fake.push({ state: { status: { ...fake.snapshot.state.status, state: 'live' } } })
  await expect(page.getByText(/^As of/)).toHaveCount(0)
})
