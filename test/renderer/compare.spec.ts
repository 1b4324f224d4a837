import { comparedAnswer, sampleSeries } from '../support/sample-chart'
import { sampleSnapshot } from '../support/sample-window'
import { openByKey, panelOf } from './open-index'
import { expect, openWindow, test } from './window-page'

test('two indices are compared: at a moment, from 100, as difference and ratio', { tag: '@deep' }, async ({ page }) => {
  const fake = await openWindow(page)
  fake.handlers.getChart = comparedAnswer
  await openByKey(page, 'BRTI')
  await panelOf(page, 'BRTI').getByRole('button', { name: 'Compare BRTI' }).click()
  await expect(page.getByRole('heading', { level: 1, name: 'Compare' })).toBeVisible()
  await expect(page.getByText('Add a second index to see the difference')).toBeVisible()

  await page.getByRole('button', { name: 'Add index' }).click()
  await page.getByRole('combobox', { name: 'Search indices' }).fill('ETHUSD')
  await page.keyboard.press('Enter')
  const row = (id: string) => page.getByRole('row', { name: id })
  await expect(row('ETHUSD_RTI')).toBeVisible()
  await expect.poll(() => fake.callsOf('followIndices').at(-1)).toEqual({ indexIds: ['BRTI', 'ETHUSD_RTI'] })
  await expect(row('BRTI')).toContainText('68,123.40')

  // Keys choose a time, which becomes the baseline.
  const reader = page.getByRole('slider', { name: 'Comparison of BRTI, ETHUSD_RTI over 1 hour' })
  await reader.focus()
  await page.keyboard.press('Home')
  await expect(row('BRTI').getByRole('cell').first()).toHaveText('100.00')
  await expect(reader).toHaveAttribute(
    'aria-valuetext',
    /^21 Nov 2026, 13:02:12.*BRTI 68,\d{3}\.\d\d, 100\.000?; ETHUSD_RTI/,
  )
  await page.keyboard.press('PageDown')
  await page.keyboard.press('Enter')
  await expect(page.getByText('Rebased at 21 Nov 2026, 13:02:22')).toBeVisible()
  await expect(row('BRTI').getByRole('cell').first()).toHaveText(/^100\.0+$/)
  await page.getByRole('radio', { name: '% change' }).check()
  await expect(page.getByText('Change since 21 Nov 2026, 13:02:22')).toBeVisible()
  await page.getByRole('button', { name: 'Reset' }).click()
  await expect(page.getByText('Change since 21 Nov 2026, 13:02:12')).toBeVisible()

  // A pair is compared in reverse order, and as a ratio.
  await page.getByRole('button', { name: 'Pair' }).click()
  await page.getByRole('menuitemcheckbox', { name: 'ETHUSD_RTI − BRTI' }).click()
  const second = page.getByRole('slider', { name: /^ETHUSD_RTI . BRTI over 1 hour/ })
  await second.focus()
  await page.keyboard.press('End')
  await expect(second).toHaveAttribute('aria-valuetext', /: −\d\d,\d{3}\.\d\d$/)
  await page.getByRole('radio', { name: 'Ratio' }).check()
  await second.focus()
  await page.keyboard.press('Home')
  await expect(second).toHaveAttribute('aria-valuetext', /: 0\.\d{8}$/)
  await page.keyboard.press('Escape')

  // A publication updates an index that is in no list. A removed index is no longer followed.
  const nextMs = (sampleSeries().at(-1)?.publishedAtMs ?? 0) + 1_000
  await fake.push({ points: [{ indexId: 'ETHUSD_RTI', point: { value: '4000.25', publishedAtMs: nextMs } }] })
  await expect(row('ETHUSD_RTI')).toContainText('4,000.25')
  await page.getByRole('button', { name: 'Remove BRTI' }).click()
  await expect(row('BRTI')).toBeHidden()
  await page.getByRole('link', { name: 'Watchlists', exact: true }).first().click()
  await expect.poll(() => fake.callsOf('followIndices').at(-1)).toEqual({ indexIds: [] })
})

test(
  'several rows of a list are chosen with Ctrl, by pointer and by key, and compared',
  { tag: '@deep' },
  async ({ page }) => {
    const fake = await openWindow(page)
    fake.handlers.getChart = comparedAnswer
    const row = (id: string) => page.locator(`[data-index="${id}"]`)
    await row('BRTI').click()
    await row('NCI').click({ modifiers: ['Control'] })
    await expect(page.getByText('2 selected.')).toBeVisible()
    for (const id of ['XRPUSD_RTI', 'SOLUSD_RTI', 'ETHUSD_RTI']) {
      await page.keyboard.press('Control+ArrowUp')
      await expect(row(id)).toBeFocused()
    }
    await page.keyboard.press('Control+Space')
    await expect(page.getByText('3 selected.')).toBeVisible()
    await row('NCI').click({ modifiers: ['Control'] })
    await page.getByRole('button', { name: 'Compare', exact: true }).click()
    await expect(page.getByRole('row', { name: 'ETHUSD_RTI' })).toBeVisible()
    await expect.poll(() => fake.callsOf('followIndices').at(-1)).toEqual({ indexIds: ['BRTI', 'ETHUSD_RTI'] })
  },
)

test('values that are not live are grey and show their time', async ({ page }) => {
  const snapshot = sampleSnapshot()
  const fake = await openWindow(page, { view: 'watchlist', snapshot })
  fake.handlers.getChart = comparedAnswer
  await page.evaluate(() => (location.hash = '#compare/BRR,ETHUSD_RTI'))
  // A daily rate does not become stale during the test.
  const row = page.getByRole('row', { name: 'BRR' })
  await expect(row).toContainText(/\d,\d{3}\.\d\d/)
  await expect(row).not.toContainText('as of')
  await fake.push({ state: { status: { ...snapshot.state.status, state: 'offline' } } })
  await expect(row).toContainText('as of')
  await row.getByRole('link', { name: 'BRR' }).click()
  await expect(panelOf(page, 'BRR')).toBeVisible()
})

test(
  'an index without values says why, a gap reads as no value, and at most four are compared',
  { tag: '@deep' },
  async ({ page }) => {
    const snapshot = sampleSnapshot()
    const fake = await openWindow(page, { view: 'compare/BRTI,BRR,NCI,ETHUSD_RTI,SOLUSD_RTI', snapshot })
    await expect(page.getByRole('row')).toHaveCount(5)
    await expect(page.getByRole('button', { name: 'Add index' })).toBeDisabled()
    fake.handlers.getChart = (asked) =>
      asked.indexId === 'BRR'
        ? { ok: false, problem: { code: 'unreachable', message: 'The provider did not answer.' } }
        : comparedAnswer(asked)
    await page.getByRole('radio', { name: '24 hours' }).check()
    await expect(page.getByText('BRR: The provider did not answer.')).toBeVisible()
    await expect(page.getByRole('row', { name: 'BRR' })).toContainText('no value')
    await page.getByRole('radio', { name: '1 hour' }).check()
    const values = page.getByRole('row', { name: 'BRTI' })
    await expect(values).toContainText('68,123.40')
    // Points into the gap of five minutes without values.
    const box = await page.getByRole('slider').first().boundingBox()
    await page.mouse.move((box?.x ?? 0) + (box?.width ?? 0) * 0.51, (box?.y ?? 0) + 40)
    await expect(values).toContainText('no value')
  },
)
