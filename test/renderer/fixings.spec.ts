import { expect, openStory, openWindow, test } from './window-page'
import { openByKey, panelOf } from './open-index'
import { ok } from '../support/fake-desktop'
import { ruleView } from '../support/sample-alerts'
import { sampleOpened } from '../support/sample-opened'

test('a click shows the distance of an index to its fixings, and when the next ones are due', async ({ page }) => {
  const fake = await openStory(page, 'index, fixings of a real-time index')
  const rates = panelOf(page, 'BRTI').getByRole('table', { name: 'Fixings of BRTI' })
  const london = rates.getByRole('row', { name: 'BRR' }).first()
  await expect(london).toContainText('16:00 London, in 1 h 57 min')
  await expect(london.getByRole('cell').last()).toHaveText(/\d\.\d\d %$/)
  await expect.poll(() => fake.callsOf('followIndices').at(-1)).toEqual({ indexIds: ['BRR', 'BRRNY'] })

  await expect(london).not.toContainText('as of')
  await fake.push({ state: { status: { ...fake.snapshot.state.status, state: 'offline' } } })
  await expect(london).toContainText('as of')
  await expect(london.getByTitle(/ bp$/)).toHaveClass(/\bdimmed\b/)
  await expect(london.getByRole('link', { name: 'BRR' })).toHaveAttribute('href', '#fixing/BRR')
})

test('a click anywhere in a row of the fixings opens the fixing sheet', { tag: '@deep' }, async ({ page }) => {
  await openStory(page, 'index, fixings of a real-time index')
  const rates = page.getByRole('table', { name: 'Fixings of BRTI' })
  // The link covers the cell.
  await rates.getByRole('row').nth(1).getByRole('cell').last().click({ force: true })
  await expect(page.getByRole('table', { name: 'Last fixings of BRR' })).toBeVisible()
})

test('the head of a daily rate leads to its fixing sheet, that of a real-time index has none', async ({ page }) => {
  await openStory(page, 'index, fixings of a daily rate')
  await expect(panelOf(page, 'BRR').getByText('16:00 London, in 1 h 57 min')).toBeVisible()
  await page.getByRole('tab', { name: 'Reference data' }).click()
  await expect(page.getByRole('tabpanel')).toContainText('60 min window, 12 partitions')
  await openByKey(page, 'BRTI')
  await expect(page.getByRole('link', { name: 'Fixing sheet', exact: true })).toHaveCount(0)
  await openByKey(page, 'BRR')
  await panelOf(page, 'BRR').getByRole('link', { name: 'Fixing sheet' }).click()
  await expect(page.getByRole('table', { name: 'Last fixings of BRR' })).toBeVisible()
})

test('a daily rate has no summary of the day, because it has one value', async ({ page }) => {
  const fake = await openWindow(page)
  await openByKey(page, 'BRR')
  const facts = panelOf(page, 'BRR').locator('.facts')
  const { summary } = sampleOpened('NCI')
  const opened = sampleOpened('BRR')
  if (summary === undefined || opened.summary !== undefined) throw new Error('the samples are others')
  await expect(facts).toHaveCount(1)
  // If the service sends a summary, it is shown.
  await fake.push({ state: { opened: { ...opened, summary } } })
  await expect(facts).toHaveCount(2)
  await fake.push({ state: { opened } })
  await expect(facts).toHaveCount(1)
  await expect(facts).toContainText('daily')
})

test.describe('the fixing sheet', () => {
  test('has the last fixing, when the next is due, and the last ten', async ({ page }) => {
    const rate = await openStory(page, 'fixing sheet')
    await expect(page.locator('[data-value="67999.99"]').first()).toHaveText('67,999.99')
    await expect(page.getByText('Published 20 Nov 16:00')).toBeVisible()
    await expect(page.getByText('next in 1 h 57 min, 16:00 London')).toBeVisible()
    const rows = page.getByRole('table', { name: 'Last fixings of BRR' }).getByRole('row')
    await expect(rows).toHaveCount(11)
    await expect(rows.nth(1)).toHaveText(/20 Nov 16:00.*67,999\.99.*1\.80 %.*\+18\.3 bp/)
    await expect(rows.nth(3)).toContainText('carried forward')
    await expect(rows.nth(4)).toContainText('amended')
    await expect(rows.last()).toContainText('no data')
    // The only value in the history is an hour older than the fixing.
    await expect(rows.nth(4)).toContainText('no data')
    await expect.poll(() => rate.callsOf('followIndices').at(-1)).toEqual({ indexIds: ['BRR', 'BRTI'] })
  })

  test('is copied exactly, with its source and marks for carried-forward and amended values', async ({ page }) => {
    const rate = await openStory(page, 'fixing sheet')
    rate.handlers.copyText = () => ({ ok: true, value: null })
    await expect(page.getByText('+18.3 bp')).toBeVisible()
    await page.getByRole('button', { name: 'Copy with source' }).click()
    const copied = (rate.callsOf('copyText').at(-1) as { text: string }).text.split('\n')
    expect(copied[0]).toBe('Published (UTC)\tBRR\tBRTI at the fixing\tBRTI vs fixing (bp)\tNotes')
    expect(copied[1]).toMatch(/^2026-11-20T16:00:00\.000Z\t67999\.99\t68124\.400\t18\.3\t$/)
    expect(copied[3]).toMatch(/\tcarried forward$/)
    expect(copied[4]).toMatch(/\tamended 2026-11-17T17:30:00\.000Z$/)
    expect(copied.at(-1)).toMatch(/^Source: Demo, read 2026-11-21T/)
  })

  test('draws the real-time index from before the observation window, and reads it by key', async ({ page }) => {
    const rate = await openStory(page, 'fixing sheet')
    const plot = page.getByRole('slider', { name: 'BRTI around the fixing of BRR' })
    await plot.press('End')
    await expect(plot).toHaveAttribute('aria-valuetext', /21 Nov 2026.*[\d,]+\.\d\d, [+−]\d+\.\d bp from the fixing/)
    await expect(page.getByText('Observation window')).toBeVisible()
    // From one hour before the observation window, which lasts an hour, to the next fixing.
    const fixedMs = Date.UTC(2026, 10, 20, 16)
    const range = { fromMs: fixedMs - 7_200_000, toMs: fixedMs + 86_400_000 }
    expect(rate.callsOf('getChart')).toContainEqual({ indexId: 'BRTI', range })
  })

  test('opens an alert on the next fixing, with the time after which it is missing', async ({ page }) => {
    const rate = await openStory(page, 'fixing sheet')
    rate.handlers.createAlert = ({ draft }) => ok(ruleView('r9', draft))
    await page.getByRole('button', { name: 'Alert on next fixing' }).click()
    const dialog = page.getByRole('dialog', { name: 'New alert' })
    await expect(dialog.getByLabel('Missing after', { exact: true })).toHaveValue('15')
    await dialog.getByLabel('Missing after', { exact: true }).fill('20')
    await dialog.getByRole('button', { name: 'Save' }).click()
    await expect(dialog).toHaveCount(0)
    const terms = { condition: 'fixed', graceMs: 1_200_000 }
    expect(rate.callsOf('createAlert')).toMatchObject([{ draft: { indexId: 'BRR', terms, repeat: { mode: 'once' } } }])
  })

  test('is saved as PDF by the app, and says so', { tag: '@deep' }, async ({ page }) => {
    const rate = await openStory(page, 'fixing sheet')
    rate.handlers.saveFixingPdf = () => ({ ok: true, value: { fileName: 'BRR fixing.pdf' } })
    await page.getByRole('button', { name: 'Save as PDF' }).click()
    await expect(page.getByRole('group', { name: 'Message' })).toContainText('Saved as BRR fixing.pdf')
    expect(rate.callsOf('saveFixingPdf')).toEqual([{ indexId: 'BRR' }])
  })

  test(
    'is printed without the rest of the window, light, with its source and the time',
    { tag: '@deep' },
    async ({ page }) => {
      await openStory(page, 'fixing sheet')
      await page.emulateMedia({ media: 'print', colorScheme: 'dark' })
      await expect(
        page.getByText(/^Demo · Source: Demo, simulated values · printed 21 Nov 2026, 14:02:\d\d/),
      ).toBeVisible()
      await expect(page.getByRole('navigation', { name: 'Main' })).toBeHidden()
      await expect(page.getByRole('button', { name: 'Copy with source' })).toBeHidden()
      await expect(page.locator('body')).toHaveCSS('background-color', 'rgb(255, 255, 255)')
      await page.emulateMedia({ media: 'screen' })
      await expect(page.getByText(/^Demo · Source/)).toBeHidden()
    },
  )

  test(
    'draws its chart for paper before printing, and for the window afterwards',
    { tag: '@deep' },
    async ({ page }) => {
      await page.emulateMedia({ colorScheme: 'dark' })
      await openStory(page, 'fixing sheet')
      /** True if the line has the accent colour of the light theme right after an event. */
      const isLight = (event: string) =>
        page.locator('.plot canvas').evaluate((canvas, name) => {
          window.dispatchEvent(new Event(name))
          if (!(canvas instanceof HTMLCanvasElement)) throw new Error('there is no canvas')
          const copy = new OffscreenCanvas(canvas.width, canvas.height).getContext('2d', { willReadFrequently: true })
          copy?.drawImage(canvas, 0, 0)
          const pixels = copy?.getImageData(0, 0, canvas.width, canvas.height).data ?? []
          for (let at = 0; at < pixels.length; at += 4) if (pixels[at] === 26 && pixels[at + 1] === 95) return true
          return false
        }, event)
      await expect(page.getByRole('slider', { name: 'BRTI around the fixing of BRR' })).toBeVisible()
      await expect.poll(() => isLight('beforeprint')).toBe(true)
      expect(await isLight('afterprint')).toBe(false)
    },
  )

  test('shows offline which values are old, and that a fixing is due', async ({ page }) => {
    await openStory(page, 'fixing sheet, overdue and offline')
    await expect(page.getByText('Carried forward 19 Nov 16:00')).toBeVisible()
    await expect(page.getByText('22 h 2 min overdue (expected 16:00 London)')).toBeVisible()
    await expect(page.getByText('cached', { exact: true }).first()).toBeVisible()
    await expect(page.locator('.now')).toHaveClass(/\bdimmed\b/)
  })
})
