import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, test } from '../support/app-test'
import { pdfText } from '../support/pdf-text'

test('the fixing sheet is saved as a PDF with its value, source and time', { tag: '@deep' }, async ({ bench }) => {
  const running = await bench.launch(['--demo'])
  const watch = await running.watch()
  await watch.expectState('Live')
  const { page } = watch
  await watch.ask('setPreferences', { theme: 'dark' })
  await page.evaluate(() => {
    location.hash = '#fixing/BRR'
  })
  const rows = page.getByRole('table', { name: 'Last fixings of BRR' }).getByRole('row')
  await expect(rows).toHaveCount(11)
  // The history is still empty, so these values come from the chart.
  await expect(rows.nth(1)).toHaveText(/ bp$/)
  await expect(page.getByText('Observation window')).toBeVisible()
  const value = (await page.locator('.value[data-value]').first().textContent())?.trim() ?? ''
  expect(value).toMatch(/^\d\d,\d{3}\.\d\d$/)

  await running.chooseFile()
  await page.getByRole('button', { name: 'Save as PDF' }).click()
  const path = join(bench.folder, 'sheet.pdf')
  await running.chooseFile(path)
  await page.getByRole('button', { name: 'Save as PDF' }).click()
  await expect(page.getByRole('group', { name: 'Message' })).toContainText('Saved as sheet.pdf')
  const pdf = await readFile(path)
  expect(pdf.subarray(0, 5).toString()).toBe('%PDF-')
  expect(pdf.toString('latin1').match(/\/Type \/Page\b/g)).toHaveLength(1)
  const text = pdfText(pdf)
  expect(text).toContain(value)
  expect(text).toMatch(/Demo · Source: Demo, simulated values · printed \d{1,2} \w{3} \d{4}, \d\d:\d\d:\d\d/)
  // The PDF has neither the rest of the window nor any button.
  expect(text).not.toMatch(/Watchlists|Save as PDF/)
  // The chart is drawn for the dark window again.
  await expect(page.locator('.plot')).toHaveCSS('color-scheme', 'dark')
  expect(running.pageErrors).toEqual([])
  await running.quit()
})
