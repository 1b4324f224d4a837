import { isCut } from './layout'
import type { Page } from '@playwright/test'
import { refused } from '../support/fake-desktop'
import { sampleSnapshot } from '../support/sample-window'
import { expect, openWindow, test } from './window-page'

async function headers(page: Page): Promise<string[]> {
  return page.getByRole('columnheader').allInnerTexts()
}

const defaults = ['Index', 'Name', 'Value', 'Change', 'Change %', 'Trend', 'Published', 'Status', 'Actions']

test(
  'no number is cut off with every column chosen, in a large window and in a small one',
  { tag: '@deep' },
  async ({ page }) => {
    await page.setViewportSize({ width: 1280, height: 600 })
    const snapshot = sampleSnapshot({ source: 'cache' })
    const [list] = snapshot.state.settings.watchlists
    if (list) list.columns = ['flags', 'resolution', 'published', 'percent', 'change', 'value', 'name']
    await openWindow(page, { snapshot })
    await expect(page.locator('[data-index="SHIBUSD_RTI"] [data-value]')).toHaveText('0.000013504')
    const cut = `[...document.querySelectorAll('tbody .number')].filter(${isCut}).map((c) => c.textContent)`
    for (const width of [1280, 900]) {
      await page.setViewportSize({ width, height: 600 })
      await expect.poll(() => page.evaluate<string[]>(cut)).toEqual([])
      expect((await headers(page)).slice(0, 2)).toEqual(['Index', 'Status'])
    }
  },
)

test('columns are chosen, rows copied, pinned and moved, and the list exported', { tag: '@deep' }, async ({ page }) => {
  const fake = await openWindow(page)

  await test.step('a row is copied with its published values, from its menu and by Ctrl+C', async () => {
    await page.locator('[data-index="BRTI"]').focus()
    await page.keyboard.press('Control+c')
    await expect(page.getByRole('group', { name: 'Message' })).toContainText('BRTI copied')
    await page.locator('[data-index="SHIBUSD_RTI"]').click({ button: 'right' })
    await page.getByRole('menuitem', { name: 'Copy' }).click()
    await expect(page.getByRole('group', { name: 'Message' })).toContainText('SHIBUSD_RTI copied')
    expect(fake.callsOf('copyText')).toEqual([
      { text: 'BRTI\t68123.40\tCME CF Bitcoin Real Time Index\t2026-11-21T14:02:11.400Z' },
      { text: 'SHIBUSD_RTI\t1.3504e-5\tCF Shiba Inu-Dollar Spot Rate\t2026-11-21T14:02:11.000Z' },
    ])
    await page.locator('[data-index="NOPE_RTI"]').click({ button: 'right' })
    await expect(page.getByRole('menuitem', { name: 'Open', exact: true })).toBeVisible()
    await expect(page.getByRole('menuitem', { name: 'Copy' })).toHaveCount(0)
  })
  await test.step('an index is pinned to the tray, shows it, and is moved to the ends from its menu', async () => {
    await page.keyboard.press('Escape')
    const row = page.locator('[data-index="NCI"]')
    await row.click({ button: 'right' })
    await page.getByRole('menuitem', { name: 'Pin to the tray' }).click()
    await expect(row.getByRole('rowheader').getByRole('img', { name: 'pinned' })).toHaveAttribute(
      'title',
      'Shown in the tray',
    )
    await row.click({ button: 'right' })
    await page.getByRole('menuitem', { name: 'Unpin from the tray' }).click()
    await expect(row.getByRole('img', { name: 'pinned' })).toHaveCount(0)
    expect(fake.callsOf('setPinned')).toEqual([
      { indexId: 'NCI', isPinned: true },
      { indexId: 'NCI', isPinned: false },
    ])
    await row.click({ button: 'right' })
    await page.getByRole('menuitem', { name: 'Move to the top' }).click()
    await expect(page.getByRole('rowheader').first()).toHaveText('NCI')
    await row.click({ button: 'right' })
    await page.getByRole('menuitem', { name: 'Move to the bottom' }).click()
    await expect(page.getByRole('rowheader').last()).toHaveText('NCI')
  })
  await test.step('an exported list names its file, and a cancelled export shows no message', async () => {
    const formats = page.getByRole('dialog', { name: 'Export My list' })
    const save = async () => {
      await page.getByRole('button', { name: 'Export list…' }).click()
      await formats.getByRole('button', { name: 'Export…' }).press('Enter')
      await expect(formats).toHaveCount(0)
    }
    fake.handlers.saveListTable = () => ({ ok: true, value: null })
    await save()
    await expect.poll(() => fake.callsOf('saveListTable')).toEqual([{ listId: 'watchlist' }])
    await expect(page.getByRole('group', { name: 'Message' }).filter({ hasText: /saved/i })).toHaveCount(0)
    fake.handlers.saveListTable = () => ({ ok: true, value: { fileName: 'watchlist.csv' } })
    await save()
    await expect(page.getByRole('group', { name: 'Message' })).toContainText('Saved as watchlist.csv')
    fake.handlers.saveListTable = () => refused('diskFull', 'The disk is full.')
    await save()
    await expect(page.getByRole('group', { name: 'Message' })).toContainText(
      'The watchlist could not be saved: The disk is full.',
    )
  })
  await test.step('columns are chosen, ordered by keyboard and reset', async () => {
    await page.setViewportSize({ width: 1420, height: 820 })
    await page.getByRole('button', { name: 'Columns', exact: true }).press('Enter')
    const menu = page.getByRole('dialog', { name: 'Columns' })
    await menu.getByRole('checkbox', { name: 'Trend' }).press(' ')
    await menu.getByRole('checkbox', { name: 'Frequency' }).check()
    await expect.poll(() => headers(page)).toEqual(defaults.toSpliced(5, 1).toSpliced(6, 0, 'Frequency'))
    await expect(page.locator('[data-index="BRR"]').getByRole('cell', { name: 'daily', exact: true })).toHaveCount(1)
    const up = menu.getByRole('button', { name: 'Move Value left' })
    await up.press('Enter')
    await expect.poll(async () => (await headers(page)).slice(0, 3)).toEqual(['Index', 'Value', 'Name'])
    await expect(menu.getByRole('button', { name: 'Move Value right' })).toBeFocused()
    await expect(page.locator('[aria-live="polite"]')).toContainText('Value moved to place 1 of 10')
    expect(fake.callsOf('arrangeList').at(-1)).toEqual({
      listId: 'watchlist',
      columns: ['value', 'name', 'change', 'percent', 'range', 'published', 'resolution', 'flags'],
    })
    await menu.getByRole('button', { name: 'Reset' }).click()
    await expect.poll(() => headers(page)).toEqual(defaults)
    expect(fake.callsOf('arrangeList').at(-1)).toEqual({ listId: 'watchlist', columns: null, widths: null })
    await page.keyboard.press('Escape')
    await expect(menu).toBeHidden()
    await page.setViewportSize({ width: 1280, height: 820 })
  })
})

test('a column is resized by mouse and keys, and a double click or Reset restores it', async ({ page }) => {
  const fake = await openWindow(page)
  const head = page.getByRole('columnheader', { name: 'Value', exact: true })
  const edge = page.getByRole('separator', { name: 'Width of Value' })
  const px = async () => Number(await edge.getAttribute('aria-valuenow'))
  const before = await px()
  const box = await edge.boundingBox()
  const x = (box?.x ?? 0) + 4
  const y = (box?.y ?? 0) + 10
  await page.mouse.move(x, y)
  await page.mouse.down()
  await page.mouse.move(x + 30, y)
  await page.mouse.move(x + 60, y)
  expect(await px()).toBe(before + 60)
  expect((await head.boundingBox())?.width).toBe(before + 60)
  expect(fake.callsOf('arrangeList')).toEqual([])
  await page.mouse.up()
  const stored = (value: number) => ({ listId: 'watchlist', widths: { value } })
  await expect.poll(() => fake.callsOf('arrangeList')).toEqual([stored(before + 60)])
  await head.getByRole('button').press('Alt+ArrowLeft')
  await expect(edge).toHaveAttribute('aria-valuenow', String(before + 52))
  expect(fake.callsOf('arrangeList').at(-1)).toEqual(stored(before + 52))
  await edge.dblclick()
  await expect(edge).toHaveAttribute('aria-valuenow', String(before))
  expect(fake.callsOf('arrangeList').at(-1)).toEqual({ listId: 'watchlist', widths: null })
  await edge.press('ArrowRight')
  await page.getByRole('button', { name: 'Columns', exact: true }).click()
  await page.getByRole('button', { name: 'Reset' }).click()
  await expect(edge).toHaveAttribute('aria-valuenow', String(before))
})

test('before the first values a list shows quiet dashes', async ({ page }) => {
  const snapshot = sampleSnapshot()
  snapshot.quotes = []
  snapshot.rows = []
  await openWindow(page, { snapshot })
  const row = page.locator('[data-index="BRTI"]')
  await expect(row).toContainText('CME CF Bitcoin Real Time Index')
  await expect(row.locator('td.none').first()).toHaveText('—')
  await expect(page.locator('[data-value]')).toHaveCount(0)
})

test(
  'all characters are measured together, because each measurement lays out the page',
  { tag: '@deep' },
  async ({ page }) => {
    const counting = await page.addInitScript({
      content: `{
      const append = Element.prototype.append
      window.measurings = []
      Element.prototype.append = function (...nodes) {
        const probes = nodes.filter((node) => node.className === 'text-probe')
        if (probes.length > 0) window.measurings.push(probes.map((probe) => probe.textContent[0]).join(''))
        append.call(this, ...nodes)
      }
    }`,
    })
    const fake = await openWindow(page)
    await counting.dispose()
    const measurings = () => page.evaluate<string[]>('window.measurings')
    const [first, ...others] = await measurings()
    expect(first).toContain('0123456789')
    // Only special characters are measured later, for example a typographic minus.
    expect(others.filter((characters) => /^[ -~]*$/.test(characters))).toEqual([])
    const [quote] = fake.snapshot.quotes
    if (quote === undefined) throw new Error('the sample has no quote')
    const before = (await measurings()).length
    await fake.push({ quotes: [{ ...quote, value: '98765.01' }] })
    await expect(page.locator('[data-value="98765.01"]')).toBeVisible()
    expect(await measurings()).toHaveLength(before)
  },
)

test('a new value lays out only its own cells, not the table', { tag: '@deep' }, async ({ page }) => {
  const snapshot = sampleSnapshot()
  const [list] = snapshot.state.settings.watchlists
  if (list) list.columns = ['name', 'value', 'change', 'percent', 'trend', 'range', 'published']
  const fake = await openWindow(page, { snapshot })
  await page.setViewportSize({ width: 1400, height: 600 })
  const quote = snapshot.quotes.find(({ id }) => id === 'BRTI')
  if (quote === undefined) throw new Error('the sample has no BRTI')
  await expect(page.locator('[data-index="BRTI"] .bar')).toBeVisible()
  const session = await page.context().newCDPSession(page)
  /** Returns for each layout that an action causes whether it was limited to a part of the page. */
  const layouts = async (doing: () => Promise<unknown>) => {
    const arePartial: boolean[] = []
    const collect = ({ value }: { value: unknown[] }) => {
      for (const { name, args } of value as unknown as {
        name: string
        args: { beginData?: { partialLayout: boolean } }
      }[])
        if (name === 'Layout' && args.beginData !== undefined) arePartial.push(args.beginData.partialLayout)
    }
    session.on('Tracing.dataCollected', collect)
    await session.send('Tracing.start', { traceConfig: { includedCategories: ['devtools.timeline'] } })
    await doing()
    await page.evaluate('new Promise((drawn) => requestAnimationFrame(() => setTimeout(drawn)))')
    const complete = new Promise((resolve) => session.once('Tracing.tracingComplete', resolve))
    await session.send('Tracing.end')
    await complete
    session.off('Tracing.dataCollected', collect)
    return arePartial
  }
  const push = (value: string, at: number) =>
    fake.push({ quotes: [{ ...quote, value, publishedAtMs: quote.publishedAtMs + at, ageMs: 0 }] })
  // The first change splits the value into digits, which changes the layout once.
  await push('68123.51', 1)
  const ticks = await layouts(async () => {
    await push('68124.62', 2)
    await push('68125.73', 3)
  })
  expect(ticks.length).toBeGreaterThan(0)
  expect(ticks).not.toContain(false)
  // The control: a wider cell lays out the whole page.
  const wider = await layouts(() =>
    page.evaluate("document.querySelector('[data-index] td').style.paddingLeft = '9px'"),
  )
  expect(wider).toContain(false)
})

test('the mean of the last minute is rounded like the index, and says how many values it lacks', async ({ page }) => {
  const snapshot = sampleSnapshot()
  const [list] = snapshot.state.settings.watchlists
  if (list) list.columns = ['value', 'mean']
  const means = {
    BRTI: { sum: '4089609.63', counted: 60, expected: 60 },
    ETHUSD_RTI: { sum: '200388.655', counted: 58, expected: 60 },
  }
  snapshot.quotes = snapshot.quotes.map((quote) => ({
    ...quote,
    ...(quote.id in means && { mean: means[quote.id as keyof typeof means] }),
  }))
  await openWindow(page, { snapshot })
  const mean = (id: string) => page.locator(`[data-index="${id}"] td`).nth(1)
  // 68160.1605 and 3454.9768…
  await expect(mean('BRTI')).toHaveText('68,160.16')
  await expect(mean('ETHUSD_RTI')).toHaveText('58 of 60 3,454.98')
  await expect(mean('BRR')).toHaveText('—')
})
