import type { Page } from '@playwright/test'
import type { Publication } from '../../core/model'
import { ok, type FakeDesktop } from '../support/fake-desktop'
import { toJson } from '../../protocol/json'
import { chartAnswer, sampleSeries } from '../support/sample-chart'
import { sampleNowMs } from '../support/sample-window'
import { expect, openStory, test } from './window-page'

const newestMs = Math.floor(sampleNowMs / 1_000) * 1_000
const part = (page: Page) => page.getByRole('tabpanel', { name: 'Settlement' })
const provisional = (page: Page) => part(page).getByRole('region', { name: 'Provisional mean of published values' })
const final = (page: Page) => part(page).getByRole('region', { name: 'Final mean of published values' })

/** Sends one value for each of the next seconds, like the stream. */
async function publish(fake: FakeDesktop, seconds: readonly number[], value: string): Promise<void> {
  for (const at of seconds) {
    const point: Publication = { value, publishedAtMs: newestMs + at * 1_000 }
    const quotes = fake.snapshot.quotes.filter(({ id }) => id === 'BRTI')
    const next = quotes.map((quote) => ({ ...quote, ...point, source: 'stream' as const, ageMs: 40 }))
    await fake.push({ quotes: next, points: [{ indexId: 'BRTI', point }] })
  }
}

test('a window under way has a provisional mean, and becomes final with its last value', async ({ page }) => {
  const fake = await openStory(page, 'index, settlement running')
  await expect(provisional(page)).toContainText('39 of 60 values')
  await expect(provisional(page)).toContainText(/Last value in 2[01] s/)
  await expect(provisional(page)).toHaveCSS('border-style', 'dashed')
  await publish(fake, [1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16, 17, 18, 19, 20], '68000.00')
  await expect(provisional(page)).toContainText('59 of 60 values')
  await expect(provisional(page)).toContainText('Last value in 1 s')
  await publish(fake, [21, 22, 23], '68000.00')
  await expect(final(page)).toContainText('60 of 60 values')
  await expect(final(page)).toHaveCSS('border-style', 'solid')
  await expect(provisional(page)).toHaveCount(0)
  const values = [...sampleSeries().slice(-39), ...Array.from({ length: 21 }, () => ({ value: '68000.00' }))]
  const cents = values.reduce((sum, { value }) => sum + BigInt(value.replace('.', '')), 0n)
  const rounded = (cents * 2n + 60n) / 120n
  await expect(final(page).locator('[data-value]')).toHaveAttribute(
    'data-value',
    String(rounded).replace(/(..)$/, '.$1'),
  )
})

test('missing values are counted and named, and join when they come late', async ({ page }) => {
  const fake = await openStory(page, 'index, settlement incomplete')
  await expect(final(page)).toContainText('58 of 60 values')
  await expect(final(page)).toContainText('Incomplete: 2 values do not count.')
  await expect(final(page)).toContainText('The terms say No for incomplete data.')
  await part(page).getByText('Values (58)').click()
  const rows = part(page).getByRole('table', { name: 'Values of the window' }).getByRole('row')
  await expect(rows.filter({ hasText: 'missing' })).toHaveCount(2)
  const before = await final(page).locator('[data-value]').getAttribute('data-value')

  fake.handlers.getRevisions = ({ fromMs, toMs }) => {
    const within = sampleSeries().filter(({ publishedAtMs }) => publishedAtMs >= fromMs && publishedAtMs <= toMs)
    return ok(toJson({ values: within }))
  }
  await fake.push({ state: { latePastVersion: 1 } })
  await expect(final(page)).toContainText('60 of 60 values')
  await expect(final(page).locator('[data-value]')).not.toHaveAttribute('data-value', before ?? '')
})

test('after an amendment the final mean and the one before it are shown', async ({ page }) => {
  await openStory(page, 'index, settlement amended')
  await expect(final(page)).toContainText('Amended after its end')
  await expect(final(page)).toContainText(/Was 68,\d\d\d\.\d\d until 14:02:01/)
})

test('a time is read in the zone of the preset, and refused with advice if its clock skips it', async ({ page }) => {
  await openStory(page, 'index, settlement before')
  const time = part(page).getByRole('textbox', { name: 'Time' })
  const set = async (text: string) => {
    await time.fill(text)
    await time.press('Enter')
  }
  await set('17:00')
  await expect(part(page)).toContainText('21 Nov 17:00:00 New York · 21 Nov 22:00:00 UTC')
  await expect(provisional(page)).toContainText('First value in 7 h 56 min')
  await set('2027-03-14 02:30')
  await expect(part(page).getByRole('alert')).toContainText('clocks in America/New_York skipped it')
  await set('2027-11-07 01:30')
  await expect(part(page).getByRole('alert')).toContainText('came twice on 2027-11-07')
  await set('16:00:00.5')
  await expect(part(page).getByRole('alert')).toHaveText('The time must be a whole second.')
  await part(page).getByRole('button', { name: 'Next quarter hour' }).click()
  await expect(part(page)).toContainText('21 Nov 09:15:00 New York')
})

test('strikes are added and removed by key, and stay for the index', async ({ page }) => {
  await openStory(page, 'index, settlement complete')
  const table = part(page).getByRole('table', { name: 'Strikes' })
  await expect(table.getByRole('row')).toHaveCount(4)
  await part(page).getByRole('textbox', { name: 'Strike' }).fill('68,149.75')
  await page.keyboard.press('Enter')
  await expect(table.getByRole('row').last()).toContainText(/at least 68,149\.75.*[+−]\d+\.\d\d/)
  await part(page).getByRole('textbox', { name: 'Strike' }).fill('much')
  await page.keyboard.press('Enter')
  await expect(part(page).getByText('A strike is a number such as 84000.00.')).toBeVisible()
  await table.getByRole('button', { name: 'Remove “at least 68,080”' }).press('Enter')
  await expect(table.getByRole('row')).toHaveCount(4)
  await page.getByRole('tab', { name: 'Amendments' }).click()
  await page.getByRole('tab', { name: 'Settlement' }).click()
  await expect(table.getByRole('row').last()).toContainText('at least 68,149.75')
})

test('the values and the mean are copied exactly', async ({ page }) => {
  const fake = await openStory(page, 'index, settlement incomplete')
  await part(page).getByText('Values (58)').click()
  await part(page).getByRole('button', { name: 'Copy values and mean' }).click()
  const copied = (fake.callsOf('copyText').at(-1) as { text: string }).text.split('\n')
  expect(copied[0]).toBe('Published (UTC)\tBRTI\tNotes')
  expect(copied.filter((line) => line.endsWith('\t\tmissing'))).toHaveLength(2)
  expect(copied).toHaveLength(62)
  expect(copied.at(-1)).toMatch(/^Final mean of published values\t68\d\d\d\.\d\d\t58 of 60 values$/)
})

test('the rolling mean follows each value, and values carried forward can be left out', async ({ page }) => {
  const fake = await openStory(page, 'index, settlement complete')
  const rolling = part(page).getByRole('paragraph').filter({ hasText: 'Mean of the last' })
  await expect(rolling).toContainText('60 of 60 values')
  const before = await rolling.locator('strong').textContent()
  await publish(fake, [1], '69000.00')
  await expect(rolling.locator('strong')).not.toHaveText(before ?? '')
  await part(page).getByRole('combobox', { name: 'Preset' }).selectOption('Free')
  await part(page).getByRole('textbox', { name: 'Length in seconds' }).fill('1')
  await expect(part(page).getByRole('alert')).toHaveText('The length is from 2 to 3600 seconds.')
  await part(page).getByRole('textbox', { name: 'Length in seconds' }).fill('30')
  await expect(rolling).toContainText('of 30 values')
})

test('thirty minutes are shown as their means', { tag: '@deep' }, async ({ page }) => {
  await openStory(page, 'index, settlement of thirty minutes')
  await part(page)
    .getByText(/Values \(\d+\)/)
    .click()
  const rows = part(page).getByRole('table', { name: 'Means of minutes' }).getByRole('row')
  await expect(rows.nth(2)).toContainText(/68,\d\d\d\.\d\d60 of 60/)
})

test(
  'the rolling mean is a line of charts of every second, exact under the crosshair',
  { tag: '@deep' },
  async ({ page }) => {
    const fake = await openStory(page, 'index, settlement running')
    const caption = page.locator('.caption')
    await expect(caption).not.toContainText('mean of')
    await part(page).getByRole('button', { name: 'Mean on the chart' }).click()
    await expect(caption).toContainText('mean of 60 s')
    const plot = page.getByRole('slider', { name: /Chart of BRTI/ })
    await plot.focus()
    await page.keyboard.press('End')
    const values = sampleSeries().slice(-60)
    const cents = values.reduce((sum, { value }) => sum + BigInt(value.replace('.', '')), 0n)
    const rounded = String((cents * 2n + 60n) / 120n).replace(/(..)$/, '.$1')
    const shown = rounded.replace(/^(\d+)(\d{3}\.)/, '$1,$2')
    await expect(caption).toContainText(shown)
    await expect(plot).toHaveAttribute('aria-valuetext', new RegExp(`mean ${shown} of 60 of 60 values`))
    fake.handlers.getChart = chartAnswer(sampleSeries(), { spacingMs: 60_000 })
    await page.getByRole('radio', { name: '24 hours' }).check()
    await expect(caption).toContainText('mean of 60 s: up to 1 h')
    await part(page).getByRole('button', { name: 'Mean on the chart' }).click()
    await expect(caption).not.toContainText('mean of')
  },
)
