import type { Locator, Page } from '@playwright/test'
import { ok } from '../support/fake-desktop'
import { longSnapshot } from '../support/list-commands'
import { sampleSnapshot } from '../support/sample-window'
import { snapshotWithLists } from '../support/working-lists'
import { expect, openWindow, test } from './window-page'

async function openPalette(page: Page) {
  await page.keyboard.press('Control+k')
  const dialog = page.getByRole('dialog', { name: 'Find an index, watchlist or command' })
  const search = dialog.getByRole('combobox')
  await expect(search).toBeFocused()
  return { dialog, search }
}

test('a full palette scrolls its list and nothing else', { tag: '@deep' }, async ({ page }) => {
  const snapshot = longSnapshot(40)
  const reference = { kind: 'previousClose', value: '1', publishedAtMs: 0 } as const
  snapshot.rows = snapshot.quotes.map(({ id }) => ({ id, reference }))
  await openWindow(page, { snapshot })
  const { dialog } = await openPalette(page)
  // The signs for screen readers take no place.
  await expect(dialog.getByText(/^[+\u2212]$/).nth(12)).toBeAttached()
  expect(await dialog.evaluate((element) => element.scrollHeight - element.clientHeight)).toBe(0)
})

test(
  'the palette finds indices, lists and commands, and does what a leading word says',
  { tag: '@deep' },
  async ({ page }) => {
    const snapshot = sampleSnapshot()
    snapshot.state.settings.watchlists.push({ id: 'rates', name: 'Reward rates', entries: [] })
    const fake = await openWindow(page, { snapshot })

    await test.step('the search box at the top opens the palette', async () => {
      await page.getByRole('button', { name: 'Find an index, watchlist or command' }).click()
      const dialog = page.getByRole('dialog', { name: 'Find an index, watchlist or command' })
      await expect(dialog).toBeVisible()
      // The list cuts off no option at its lower edge, even with the titles of the sections.
      const edge = "document.querySelector('[role=listbox]').getBoundingClientRect().bottom"
      const cut = `[...document.querySelectorAll('[role=option]')]
      .filter((option) => option.getBoundingClientRect().top < ${edge} - 6 && option.getBoundingClientRect().bottom > ${edge})
      .map((option) => option.textContent)`
      expect(await page.evaluate<string[]>(cut)).toEqual([])
      await page.keyboard.press('Escape')
      await expect(page.getByRole('dialog')).toHaveCount(0)
    })
    await test.step('arrows wrap around, and a search without results says so', async () => {
      const { dialog, search } = await openPalette(page)
      await search.press('ArrowUp')
      const options = dialog.getByRole('option')
      await expect(options.last()).toHaveAttribute('aria-selected', 'true')
      await search.press('ArrowDown')
      await expect(options.first()).toHaveAttribute('aria-selected', 'true')
      await search.fill('zzz')
      await expect(options).toHaveCount(0)
      await expect(dialog).toContainText('No results for “zzz”.')
      await page.keyboard.press('Escape')
      await expect(dialog).toHaveCount(0)
    })
    await test.step('export all lists asks for each list', async () => {
      fake.handlers.exportLists = () => ok({ fileName: 'lists.json' })
      await (await openPalette(page)).search.fill('export')
      await page.keyboard.press('Enter')
      await expect(page.getByRole('group', { name: 'Message' })).toContainText('saved as lists.json')
      expect(fake.callsOf('exportLists')).toEqual([{ listIds: ['watchlist', 'rates'] }])
    })
    await test.step('a leading word chooses the action for an index', async () => {
      await (await openPalette(page)).search.fill('alert brti')
      await expect(page.getByRole('option', { selected: true })).toContainText('New alert for BRTI')
      await page.keyboard.press('Enter')
      await expect(page.getByRole('dialog', { name: 'New alert' })).toBeVisible()
      await page.keyboard.press('Escape')
      await (await openPalette(page)).search.fill('alert brti 60,000')
      await expect(page.getByRole('option', { selected: true })).toContainText('New alert for BRTI at 60,000')
      await page.keyboard.press('Enter')
      const dialog = page.getByRole('dialog', { name: 'New alert' })
      await expect(dialog.getByLabel('Level')).toHaveValue('60,000')
      await expect(dialog.getByLabel('Condition').locator('option:checked')).toHaveText('falls to')
      await page.keyboard.press('Escape')
      await (await openPalette(page)).search.fill('add doge')
      await page.keyboard.press('Enter')
      await expect.poll(() => fake.callsOf('addIndex')).toEqual([{ listId: 'watchlist', indexId: 'DOGEUSD_RTI' }])
    })
    await test.step('Ctrl+K finds an index, and Enter opens it', async () => {
      const { dialog, search } = await openPalette(page)
      await search.fill('nci')
      await expect(dialog.getByRole('option', { selected: true })).toContainText('NCI')
      await page.keyboard.press('Enter')
      await expect(dialog).toHaveCount(0)
      expect(fake.callsOf('openIndex')).toEqual([{ indexId: 'NCI' }])
      await expect(page.getByRole('heading', { name: 'NCI', exact: true })).toBeVisible()
    })
    await test.step('a list is opened, and a command is run', async () => {
      const { search } = await openPalette(page)
      await search.fill('reward')
      await page.getByRole('option', { name: /^Reward rates/ }).click()
      await expect(page.getByRole('heading', { level: 1, name: 'Reward rates' })).toBeVisible()
      await (await openPalette(page)).search.fill('theme dark')
      await page.keyboard.press('Enter')
      await expect.poll(() => fake.callsOf('setPreferences')).toEqual([{ theme: 'dark' }])
    })
    await test.step('it opens again at once, before the browser has reported that it closed', async () => {
      fake.handlers.snoozeAlerts = () => ok(null)
      const { dialog, search } = await openPalette(page)
      await search.fill('Mute alerts until I unmute')
      await page.evaluate(`(async () => {
    document.querySelector('[role="option"]').click()
    for (let turn = 0; turn < 20; turn++) await Promise.resolve()
    window.dispatchEvent(new KeyboardEvent('keydown', { key: 'k', ctrlKey: true }))
  })()`)
      await expect(search).toBeFocused()
      await expect(search).toHaveValue('')
      await page.keyboard.press('Escape')
      await expect(dialog).toHaveCount(0)
    })
    await test.step('number keys open sections, but not from within a dialog', async () => {
      await page.keyboard.press('Control+3')
      await expect(page.getByRole('heading', { level: 1, name: 'Alerts' })).toBeVisible()
      await openPalette(page)
      await page.keyboard.press('Control+1')
      await expect(page.getByRole('heading', { level: 1, name: 'Alerts' })).toBeVisible()
      await page.keyboard.press('Escape')
      await expect(page.getByRole('dialog')).toHaveCount(0)
      await page.keyboard.press('Control+1')
      // The watchlist seen last.
      await expect(page.getByRole('heading', { level: 1, name: 'Reward rates' })).toBeVisible()
    })
    await test.step('the keyboard map opens by its key, and typing a question mark does not open it', async () => {
      await page.getByRole('link', { name: 'Indices' }).click()
      const map = page.getByRole('dialog', { name: 'Keyboard shortcuts' })
      await page.getByRole('searchbox', { name: 'Filter indices' }).fill('')
      await page.getByRole('searchbox', { name: 'Filter indices' }).press('?')
      await expect(map).toHaveCount(0)
      await page.keyboard.press('F1')
      await expect(map).toBeVisible()
      await expect(map.getByRole('region', { name: 'In a watchlist' })).toContainText('Remove the selected rows')
      // The map opens at its top. Its title and its button stay visible when it is scrolled to the end.
      const [title, first, last, close] = [
        map.getByRole('heading', { name: 'Keyboard shortcuts' }),
        map.getByText('Find an index, a watchlist or a command'),
        map.getByRole('definition').last(),
        map.getByRole('button', { name: 'Close' }),
      ]
      await expect(first).toBeInViewport()
      await last.scrollIntoViewIfNeeded()
      await expect(first).not.toBeInViewport()
      for (const part of [title, last, close]) await expect(part).toBeInViewport({ ratio: 1 })
      await page.keyboard.press('Escape')
      await expect(map).toHaveCount(0)
    })
  },
)

test(
  'the palette moves the selected rows to another list or adds them, and undo takes it back',
  { tag: '@deep' },
  async ({ page }) => {
    const fake = await openWindow(page, { snapshot: snapshotWithLists('Baskets') })
    const row = (id: string) => page.locator(`[data-index="${id}"]`)
    const idsOf = (name: string) =>
      fake.snapshot.state.settings.watchlists.find((list) => list.name === name)?.entries.map(({ id }) => id) ?? []
    const before = idsOf('My list')

    await test.step('two rows are moved, the next row has the focus, and Ctrl+Z puts them back', async () => {
      await row('ETHUSD_RTI').click()
      await row('SOLUSD_RTI').click({ modifiers: ['Control'] })
      const { dialog, search } = await openPalette(page)
      await expect(dialog.getByRole('option', { name: /2 rows/ })).toHaveCount(0)
      await search.fill('move to list')
      await expect(dialog.getByRole('option')).toHaveText(['Move 2 rows to list Baskets', 'Move 2 rows to a new list'])
      await page.keyboard.press('Enter')
      await expect(row('SOLUSD_RTI')).toHaveCount(0)
      expect(idsOf('Baskets')).toEqual(['BRTI', 'ETHUSD_RTI', 'SOLUSD_RTI'])
      await expect(row('XRPUSD_RTI')).toBeFocused()
      await page.keyboard.press('Control+z')
      await expect(row('SOLUSD_RTI')).toBeVisible()
      expect(idsOf('My list')).toEqual(before)
      expect(idsOf('Baskets')).toEqual(['BRTI'])
    })
    await test.step('one row is added to another list', async () => {
      await row('NCI').click()
      await (await openPalette(page)).search.fill('add to list')
      await expect(page.getByRole('option', { selected: true })).toHaveText('Add NCI to list Baskets')
      await page.keyboard.press('Enter')
      await expect.poll(() => idsOf('Baskets')).toEqual(['BRTI', 'NCI'])
      expect(idsOf('My list')).toEqual(before)
    })
    await test.step('outside a list no rows are offered', async () => {
      await page.keyboard.press('Control+3')
      const { dialog, search } = await openPalette(page)
      await search.fill('to a new list')
      await expect(dialog.getByRole('option')).toHaveCount(0)
    })
  },
)

test('the palette lists recent choices first, also after a restart', { tag: '@deep' }, async ({ page }) => {
  const snapshot = sampleSnapshot()
  snapshot.state.settings.watchlists.push({ id: 'rates', name: 'Commands', entries: [] })
  const fake = await openWindow(page, { snapshot })
  const options = (dialog: Locator, section: string) => dialog.getByRole('group', { name: section }).getByRole('option')

  await test.step('before the first choice, the indices of the list are shown with their values', async () => {
    const { dialog } = await openPalette(page)
    await expect(dialog.getByRole('group').first()).toHaveAccessibleName('My list')
    await expect(options(dialog, 'My list').first()).toHaveText(/BRTI.*68,123\.40.*0\.61 %/)
    await expect(dialog.getByRole('group', { name: 'Recent' })).toHaveCount(0)
    // A value that is not live has its age instead of a change.
    await fake.push({ state: { status: { ...snapshot.state.status, state: 'offline' } } })
    await expect(options(dialog, 'My list').first()).toHaveText(/BRTI.*68,123\.40\s+[\d.]+ (s|min)$/)
    await fake.push({ state: { status: snapshot.state.status } })
    await page.keyboard.press('Escape')
  })
  await test.step('recent choices come first, newest first, and each once', async () => {
    await page.locator('[data-index="SOLUSD_RTI"]').dblclick()
    await (await openPalette(page)).search.fill('value at')
    await page.keyboard.press('Enter')
    await page.keyboard.press('Escape')
    await (await openPalette(page)).search.fill('alert doge')
    await page.keyboard.press('Enter')
    await page.keyboard.press('Escape')
    const { dialog } = await openPalette(page)
    // SOLUSD_RTI is open already, so it is not offered.
    await expect(options(dialog, 'Recent')).toHaveText([/DOGEUSD_RTI/, 'Value at…'])
    await expect(dialog.getByRole('option', { name: 'Value at…' })).toHaveCount(1)
    await page.keyboard.press('Enter')
    await expect(page.getByRole('heading', { name: 'DOGEUSD_RTI', exact: true })).toBeVisible()
  })
  await test.step('a restart keeps it', async () => {
    await page.reload()
    await expect(page.getByRole('heading', { level: 1 })).toBeVisible()
    const { dialog } = await openPalette(page)
    await expect(options(dialog, 'Recent')).toHaveText(['Value at…', /SOLUSD_RTI.*146\.2107/])
    await expect(options(dialog, 'My list').filter({ hasText: 'SOLUSD_RTI' })).toHaveCount(0)
  })
})

test('the palette finds the fixing sheet of a daily rate, and makes a formula', { tag: '@deep' }, async ({ page }) => {
  await openWindow(page)
  const { dialog, search } = await openPalette(page)
  await expect(dialog.getByRole('option', { name: /Fixing sheet/ })).toHaveCount(0)
  await search.fill('fixing')
  await expect(dialog.getByRole('option').first()).toHaveText('Fixing sheet of BRR')
  await page.keyboard.press('Enter')
  await expect(page).toHaveURL(/#fixing\/BRR$/)
  await (await openPalette(page)).search.fill('formula')
  await page.keyboard.press('Enter')
  await expect(page.getByRole('dialog', { name: 'New formula' })).toBeVisible()
})
