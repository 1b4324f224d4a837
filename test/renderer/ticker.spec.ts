import { isDeepStrictEqual } from 'node:util'
import type { Page } from '@playwright/test'
import type { WindowSnapshot } from '../../protocol/desktop'
import { toJson } from '../../protocol/json'
import type { Preferences } from '../../core/preferences'
import { ok } from '../support/fake-desktop'
import { faults } from '../support/faults'
import { firedEvent, levelDraft, ruleView } from '../support/sample-alerts'
import { sampleSnapshot } from '../support/sample-window'
import { installFake } from './install-fake'
import { expect, test } from './window-page'

interface Shown {
  count?: number
  preferences?: Partial<Preferences>
  change?: (snapshot: WindowSnapshot) => void
}

/** Opens the ticker over a fake app, with the first `count` samples. */
async function openTicker(page: Page, { count = 10, preferences, change }: Shown = {}) {
  const snapshot = sampleSnapshot()
  const [list] = snapshot.state.settings.watchlists
  if (list === undefined) throw new Error('the sample has no list')
  Object.assign(list, { name: 'Pinned', entries: list.entries.slice(0, count) })
  Object.assign(snapshot.state.settings, preferences)
  Object.assign(snapshot.state, { alerts: [], inbox: [] })
  change?.(snapshot)
  const fake = await installFake(page, snapshot, {
    fitTicker: () => ok(null),
    openFromTicker: () => ok(null),
    showTickerMenu: () => ok(null),
    closeTicker: () => ok(null),
  })
  fake.handlers.getTickerSnapshot = () => ok(toJson(fake.snapshot))
  await page.goto('/ticker.html')
  await expect(page.locator('[data-index]')).toHaveCount(count)
  return fake
}

const row = (page: Page, id: string) => page.locator(`[data-index="${id}"]`)

test(
  'one to ten rows, in every size and layout, have no fault and cut no number',
  { tag: '@deep' },
  async ({ page }) => {
    const fake = await openTicker(page)
    const { settings } = fake.snapshot.state
    const [list] = settings.watchlists
    if (list === undefined) throw new Error('the sample has no list')
    const show = async (count: number, preferences: Partial<Preferences>) => {
      const watchlists = [{ ...list, entries: list.entries.slice(0, count) }]
      await fake.push({ state: { settings: { ...settings, ...preferences, watchlists } } })
      await expect(page.locator('[data-index]')).toHaveCount(count)
    }
    for (const [count, preferences] of [
      [1, {}],
      [10, {}],
      [10, { tickerSize: 'small' }],
      [10, { tickerSize: 'large' }],
      [5, { tickerLayout: 'line' }],
    ] as const) {
      await show(count, preferences)
      await expect
        .poll(async () => {
          const box = await page.locator('main').boundingBox()
          const size = { width: Math.ceil(box?.width ?? 0), height: Math.ceil(box?.height ?? 0) }
          return isDeepStrictEqual(fake.callsOf('fitTicker').at(-1), size)
        })
        .toBe(true)
      const cut = await page.evaluate<number>(
        `[...document.querySelectorAll('.value, .change, .age')].filter((cell) => cell.scrollWidth > cell.clientWidth + 1).length`,
      )
      expect(cut).toBe(0)
      // `faults` checks both themes in test:deep.
      expect(await faults(page)).toEqual([])
    }
  },
)

test('its width follows the digits, the parts shown and the screen', { tag: '@deep' }, async ({ page }) => {
  const fake = await openTicker(page, { count: 3 })
  const width = async () => (await page.locator('main').boundingBox())?.width ?? 0

  await test.step('its width grows with the digits, and shrinks only when something else is shown', async () => {
    const narrow = await width()
    const value = async (text: string) => {
      const quote = fake.snapshot.quotes.find(({ id }) => id === 'BRTI')
      if (quote !== undefined)
        await fake.push({ quotes: [{ ...quote, value: text, publishedAtMs: quote.publishedAtMs + 1 }] })
      await expect(row(page, 'BRTI').locator('.value')).toHaveAttribute('data-value', text)
    }
    await value('68123456789.123456789')
    await expect.poll(width).toBeGreaterThan(narrow + 50)
    // The width is in whole pixels.
    await expect.poll(async () => (await width()) % 1).toBe(0)
    const wide = await width()
    await value('1.5')
    expect(await width()).toBe(wide)
    const { settings } = fake.snapshot.state
    const [list] = settings.watchlists
    if (list === undefined) throw new Error('the sample has no list')
    const watchlists = [{ ...list, entries: list.entries.slice(0, 2) }]
    await fake.push({ state: { settings: { ...settings, watchlists } } })
    await expect.poll(width).toBeLessThan(wide - 50)
  })
  await test.step('side by side and large it is no wider than its screen, also after a change of screen', async () => {
    await page.setViewportSize({ width: 1_000, height: 600 })
    const { settings } = fake.snapshot.state
    const watchlists = sampleSnapshot().state.settings.watchlists.map((each) => ({
      ...each,
      entries: each.entries.slice(0, 10),
    }))
    await fake.push({ state: { settings: { ...settings, watchlists, tickerLayout: 'line', tickerSize: 'large' } } })
    await expect(page.locator('[data-index]')).toHaveCount(10)
    await page.evaluate("screen.dispatchEvent(new Event('change'))")
    await expect.poll(width).toBeGreaterThan(700)
    await expect.poll(width).toBeLessThanOrEqual(1_000)
    await page.setViewportSize({ width: 600, height: 600 })
    // A test browser changes the screen without the event that a real one sends.
    await page.evaluate("screen.dispatchEvent(new Event('change'))")
    await expect.poll(width).toBeLessThanOrEqual(600)
  })
})

test('a value that is not live is grey and says why, and a live one is neither', async ({ page }) => {
  const fake = await openTicker(page, {
    change: ({ quotes }) => {
      for (const quote of quotes) if (quote.id === 'NCI') quote.source = 'cache'
    },
  })
  const fresh = fake.snapshot.quotes.find(({ id }) => id === 'BRTI')
  if (fresh === undefined) throw new Error('the sample has no BRTI')
  await fake.push({ quotes: [{ ...fresh, publishedAtMs: await page.evaluate<number>('Date.now()') }] })
  await expect(row(page, 'BRTI')).not.toHaveClass(/dimmed/)
  await expect(row(page, 'BRTI').locator('.age')).toHaveText(/^\d+ s$/)
  await expect(row(page, 'NCI')).toHaveClass(/dimmed/)
  await expect(row(page, 'NCI').locator('.change')).toHaveText('cached')
  await expect(row(page, 'TSLAXUSD_RTI')).toHaveClass(/dimmed/)
  await expect(row(page, 'TSLAXUSD_RTI').locator('.change')).toHaveText('stale')
  await expect(row(page, 'TSLAXUSD_RTI').locator('.age')).toHaveText(/^\d+ s$/)
  const status = page.getByRole('status', { name: 'Connection' })
  await expect(status).toContainText('Demo')
  await fake.push({ state: { status: { state: 'offline', name: 'Desk', isDemo: false, streamCount: 0 } } })
  await expect(status).toHaveText('Offline')
  await expect(page.locator('[data-index].dimmed')).toHaveCount(10)
})

test('an index shows the state of its alerts, and an edge if one is close or has fired', async ({ page }) => {
  await openTicker(page, {
    change: ({ state }) => {
      state.alerts = [
        ruleView('near', levelDraft('68200')),
        ruleView('far', levelDraft('9000', { indexId: 'ETHUSD_RTI' })),
        ruleView('stale', levelDraft('435.12', { indexId: 'TSLAXUSD_RTI' })),
      ]
      const ofXrp = levelDraft('1', { indexId: 'XRPUSD_RTI' })
      state.inbox = [
        firedEvent(1, levelDraft('146', { indexId: 'SOLUSD_RTI' })),
        firedEvent(2, ofXrp, { kind: 'expired' }),
      ]
    },
  })
  await expect(row(page, 'BRTI')).toHaveClass(/near/)
  await expect(row(page, 'BRTI').getByRole('img', { name: 'Close to an alert' })).toBeVisible()
  await expect(row(page, 'ETHUSD_RTI').getByRole('img', { name: 'Alerts on' })).toBeVisible()
  await expect(row(page, 'ETHUSD_RTI')).not.toHaveClass(/near/)
  await expect(row(page, 'SOLUSD_RTI').getByRole('img', { name: 'Alert fired' })).toBeVisible()
  await expect(row(page, 'XRPUSD_RTI').getByRole('img', { name: 'Unread events' })).toBeVisible()
  await expect(row(page, 'XRPUSD_RTI')).not.toHaveClass(/near/)
  await expect(row(page, 'TSLAXUSD_RTI')).not.toHaveClass(/near/)
  await expect(row(page, 'NCI').locator('.bell')).toHaveCount(0)
})

test('keys walk through the rows, open an index and the menu, and close the ticker', async ({ page }) => {
  const fake = await openTicker(page, { count: 3 })
  await row(page, 'BRTI').focus()
  await page.keyboard.press('ArrowDown')
  await expect(row(page, 'ETHUSD_RTI')).toBeFocused()
  await page.keyboard.press('End')
  await page.keyboard.press('ArrowDown')
  await expect(row(page, 'SOLUSD_RTI')).toBeFocused()
  await page.keyboard.press('Enter')
  expect(fake.callsOf('openFromTicker')).toEqual([{ indexId: 'SOLUSD_RTI' }])
  await row(page, 'BRTI').dblclick()
  expect(fake.callsOf('openFromTicker').at(-1)).toEqual({ indexId: 'BRTI' })
  await row(page, 'ETHUSD_RTI').click({ button: 'right' })
  expect(fake.callsOf('showTickerMenu').at(-1)).toMatchObject({ indexId: 'ETHUSD_RTI' })
  await page.getByRole('button', { name: 'Ticker menu' }).press('Enter')
  expect(fake.callsOf('showTickerMenu').at(-1)).not.toHaveProperty('indexId')
  await page.keyboard.press('Control+w')
  expect(fake.callsOf('closeTicker')).toHaveLength(1)
})
