import type { Page } from '@playwright/test'
import { ok } from '../support/fake-desktop'
import { sampleNowMs, sampleSnapshot } from '../support/sample-window'
import { expect, openWindow, test } from './window-page'

test('without a catalogue the pages say so, and an id can still be added', async ({ page }) => {
  const snapshot = sampleSnapshot()
  snapshot.state.catalogue = []
  snapshot.state.status = { state: 'offline', name: 'Demo', isDemo: true, streamCount: 0 }
  const fake = await openWindow(page, { view: 'indices', snapshot })

  await test.step('without a catalogue the indices page says where it comes from', async () => {
    await expect(page.getByText('It appears here once you are back online')).toBeVisible()
    await page.getByRole('navigation', { name: 'Main' }).getByRole('link', { name: 'Watchlists' }).click()
  })
  await test.step('without a catalogue an id can still be added', async () => {
    await page.getByRole('button', { name: 'Add index' }).click()
    await expect(page.getByText('The provider has not sent its index list yet.')).toBeVisible()
    await page.keyboard.type('DOGEUSD_RTI')
    await page.keyboard.press('Enter')
    await expect(page.locator('[data-index="DOGEUSD_RTI"]')).toBeVisible()
    expect(fake.callsOf('getLatestValues')).toEqual([])
  })
})

const publication = (value: string) => ({ value, publishedAtMs: sampleNowMs - 400 })

test('an index is found by any of its words, shown with its value, and added once', async ({ page }) => {
  const fake = await openWindow(page)

  await test.step('an option shows id, name, kind, resolution and the current value', async () => {
    fake.handlers.getLatestValues = ({ indexIds }) =>
      ok(indexIds.filter((id) => id === 'DOGEUSD_RTI').map((id) => ({ id, publication: publication('1234.1010484') })))
    await page.getByRole('button', { name: 'Add index' }).click()
    const search = page.getByRole('combobox', { name: 'Search indices' })
    await search.fill('dollar')
    const option = (id: string) => page.getByRole('option').filter({ hasText: id })
    await expect(option('DOGEUSD_RTI')).toHaveText(
      /DOGEUSD_RTI\s*CF Dogecoin-Dollar Real Time Index\s*1,234\.1010484\s*Real time · CF · every 200 ms/,
    )
    // A watched index shows its live value without a request.
    await expect(option('ETHUSD_RTI')).toContainText('3,456.70')
    await expect(option('LINKUSD_RTI')).toContainText('—')
    await fake.push({
      quotes: [{ id: 'ETHUSD_RTI', value: '3456.80', publishedAtMs: sampleNowMs, source: 'stream', ageMs: 0 }],
    })
    await expect(option('ETHUSD_RTI')).toContainText('3,456.80')
    expect(fake.callsOf('getLatestValues').at(-1)).toEqual({ indexIds: ['LINKUSD_RTI', 'DOGEUSD_RTI'] })
    await page.keyboard.press('Escape')
  })
  await test.step('Escape closes and gives the focus back', async () => {
    const button = page.getByRole('button', { name: 'Add index' })
    await button.click()
    await page.keyboard.press('Escape')
    await expect(page.getByRole('dialog')).toHaveCount(0)
    await expect(button).toBeFocused()
  })
  await test.step('an index is found by its asset and added with Enter', async () => {
    fake.calls.length = 0
    await page.keyboard.press('Control+n')
    const dialog = page.getByRole('dialog', { name: 'Add index' })
    const search = dialog.getByRole('combobox', { name: 'Search indices' })
    await expect(search).toBeFocused()
    await search.fill('doge')
    await expect(dialog.getByRole('option')).toHaveText([/DOGEUSD_RTI.*Dogecoin.*every 200 ms/s])
    await page.keyboard.press('Enter')
    await expect(dialog).toHaveCount(0)
    await expect(page.locator('[data-index="DOGEUSD_RTI"]')).toBeFocused()
    expect(fake.callsOf('addIndex')).toEqual([{ listId: 'watchlist', indexId: 'DOGEUSD_RTI' }])
  })
  await test.step('arrows move the selection', async () => {
    fake.calls.length = 0
    await page.getByRole('button', { name: 'Add index' }).click()
    const search = page.getByRole('combobox', { name: 'Search indices' })
    await search.fill('bitcoin')
    await page.keyboard.press('ArrowDown')
    await page.keyboard.press('ArrowDown')
    await expect(page.getByRole('option', { selected: true })).toContainText('BRRNY')
    await expect(search).toHaveAttribute('aria-activedescendant', /.+-2$/)
    await page.keyboard.press('Enter')
    await expect(page.locator('[data-index="BRRNY"]')).toBeVisible()
    expect(fake.callsOf('addIndex')).toHaveLength(1)
  })
  await test.step('an index in the list is marked, and Enter opens its row without a request', async () => {
    fake.calls.length = 0
    await page.getByRole('button', { name: 'Add index' }).click()
    await page.getByRole('combobox', { name: 'Search indices' }).fill('SHIBUSD_RTI')
    await expect(page.getByRole('option')).toContainText('in watchlist')
    await page.keyboard.press('Enter')
    await expect(page.locator('[data-index="SHIBUSD_RTI"]')).toBeFocused()
    expect(fake.callsOf('addIndex')).toEqual([])
  })
  await test.step('an id that is not in the catalogue can be added as typed', async () => {
    await page.getByRole('button', { name: 'Add index' }).click()
    const search = page.getByRole('combobox', { name: 'Search indices' })
    await search.fill('two words')
    await expect(page.getByRole('option')).toHaveCount(0)
    await search.fill('FOO_RTI')
    await expect(page.getByRole('option')).toHaveText('Request FOO_RTI from the provider')
    await page.keyboard.press('Enter')
    await expect(page.locator('[data-index="FOO_RTI"]')).toBeVisible()
    await fake.push({ rows: [{ id: 'FOO_RTI', refusal: 'Unrecognised stream ID' }] })
    await expect(page.locator('[data-index="FOO_RTI"]')).toContainText('Refused: Unrecognised stream ID')
  })
})

test('values are requested when typing stops, at most thirty at once', { tag: '@deep' }, async ({ page }) => {
  const snapshot = sampleSnapshot()
  snapshot.state.catalogue = Array.from({ length: 90 }, (_, at) => ({
    id: `A${at}USD_RTI`,
    name: `CF Asset ${at}-Dollar Spot Rate`,
    maxResolution: 'PER_SECOND' as const,
  }))
  const fake = await openWindow(page, { snapshot })
  const asked: string[][] = []
  fake.handlers.getLatestValues = ({ indexIds }) => {
    asked.push(indexIds)
    return ok(indexIds.map((id) => ({ id, publication: publication('1.50') })))
  }
  await page.getByRole('button', { name: 'Add index' }).click()
  await expect(page.getByRole('option').first()).toContainText('1.50')
  await page.keyboard.press('End')
  await expect(page.getByRole('option', { selected: true })).toContainText(/A89USD_RTI.*1\.50/s)
  await page.keyboard.press('Home')
  await expect(page.getByRole('option', { selected: true })).toContainText('A0USD_RTI')
  await page.keyboard.press('PageDown')
  await expect(page.getByRole('option', { selected: true })).toContainText('A8USD_RTI')
  expect(asked.length).toBeGreaterThan(1)
  expect(Math.max(...asked.map(({ length }) => length))).toBeLessThanOrEqual(30)
  expect(new Set(asked.flat()).size).toBe(asked.flat().length)
})

const searches = {
  'Add index': async (page: Page) => {
    await page.getByRole('button', { name: 'Add index' }).click()
    return page.getByRole('combobox', { name: 'Search indices' })
  },
  palette: async (page: Page) => {
    await page.keyboard.press('Control+k')
    return page.getByRole('combobox', { name: 'Find an index, watchlist or command' })
  },
  Indices: async (page: Page) => {
    await page.evaluate(() => (location.hash = '#indices'))
    return page.getByRole('searchbox', { name: 'Filter indices' })
  },
}

for (const [name, open] of Object.entries(searches)) {
  test(`a code typed into ${name} asks the provider once for all codes, and finds its index`, async ({ page }) => {
    const fake = await openWindow(page)
    let answer: () => void = () => undefined
    fake.handlers.learnCodes = () => new Promise((resolve) => (answer = () => resolve(ok(null))))
    const search = await open(page)
    await search.fill('nothing like this')
    await expect(page.getByText(/No (results|index|indices)/)).toBeVisible()
    expect(fake.callsOf('learnCodes')).toEqual([])
    await search.fill('.ABCD')
    await expect(page.getByText('Asking the provider for the codes of its indices')).toBeVisible()
    await fake.push({
      state: {
        catalogue: fake.snapshot.state.catalogue.map((info) =>
          info.id === 'DOGEUSD_RTI' ? { ...info, codes: ['.ABCD'] } : info,
        ),
      },
    })
    await expect(page.getByText('DOGEUSD_RTI').first()).toBeVisible()
    answer()
    await search.fill('.EFGH')
    await expect(page.getByText('Asking the provider')).toHaveCount(0)
    expect(fake.callsOf('learnCodes')).toHaveLength(1)
  })
}
