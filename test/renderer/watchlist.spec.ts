import type { Locator } from '@playwright/test'
import { isCut } from './layout'
import { levelDraft, ruleView } from '../support/sample-alerts'
import { sampleNowMs, sampleSnapshot } from '../support/sample-window'
import { atEachSize, expect, openWindow, recordMarks, test } from './window-page'

function colourOf(element: Locator): Promise<string> {
  return element.evaluate((node) => getComputedStyle(node).color)
}

test('a value is shown digit for digit and holds the published string', async ({ page }) => {
  const fake = await openWindow(page)
  const cell = (id: string) => page.locator(`[data-index="${id}"] [data-value]`)
  await expect(cell('BRTI')).toHaveText('68,123.40')
  await expect(cell('BRTI')).toHaveAttribute('data-value', '68123.40')
  await expect(cell('SHIBUSD_RTI')).toHaveText('0.000013504')
  await expect(cell('SHIBUSD_RTI').locator('.zeros')).toHaveText('0.0000')
  await expect(cell('SHIBUSD_RTI')).toHaveAttribute('data-value', '1.3504e-5')
  await expect(page.getByRole('row', { name: /^SHIBUSD_RTI/ })).toContainText('\u22120.000000021')

  const published = ['0.10', '100000000000000000000.000', '-0.00', '1.500e-40', '12345678901234567890123456789']
  const shown = [
    '0.10',
    '100,000,000,000,000,000,000.000',
    '0.00',
    '1.500e-40',
    '12,345,678,901,234,567,890,123,456,789',
  ]
  for (const [at, value] of published.entries()) {
    await fake.push({ quotes: [{ id: 'BRTI', value, publishedAtMs: sampleNowMs, source: 'stream', ageMs: 0 }] })
    await expect(cell('BRTI')).toHaveText(shown[at] ?? '')
    await expect(cell('BRTI')).toHaveAttribute('data-value', value)
  }
  // Padding zeros are visible but not part of the value.
  await fake.push({
    quotes: [{ id: 'BRTI', value: '68124.5', publishedAtMs: sampleNowMs, source: 'stream', ageMs: 0 }],
  })
  await expect(cell('BRTI')).toHaveText('68,124.5')
  await expect(cell('BRTI').locator('[data-padding]')).toHaveAttribute('data-padding', '0')
})

test('a right click opens the menu of a row at the pointer, a key at its button', async ({ page }) => {
  await openWindow(page)
  const row = page.locator('[data-index="ETHUSD_RTI"]')
  const menu = page.getByRole('menu', { name: 'Actions for ETHUSD_RTI' })
  const corner = async () => menu.boundingBox().then((box) => box ?? { x: 0, y: 0, width: 0 })
  const box = await row.boundingBox()
  const pointer = { x: (box?.x ?? 0) + 100, y: (box?.y ?? 0) + 12 }
  await page.mouse.click(pointer.x, pointer.y, { button: 'right' })
  await expect(menu).toBeVisible()
  expect(Math.abs((await corner()).x - pointer.x)).toBeLessThan(4)
  expect(Math.abs((await corner()).y - pointer.y)).toBeLessThan(4)
  await expect(menu).not.toContainText('ETHUSD_RTI')
  await page.keyboard.press('Escape')
  await expect(menu).toHaveCount(0)
  await row.press('Shift+F10')
  await expect(menu).toBeVisible()
  const button = await row.getByRole('button').boundingBox()
  const { x, width } = await corner()
  expect(Math.abs(x + width - (button?.x ?? 0) - (button?.width ?? 0))).toBeLessThan(4)
})

test('the dot of a trend has the colour of the change beside it', { tag: '@deep' }, async ({ page }) => {
  const snapshot = sampleSnapshot()
  for (const facts of snapshot.rows) if (facts.id === 'BRR') facts.trend = [70_000, 60_000, 50_000]
  await openWindow(page, { snapshot })
  const row = page.locator('[data-index="BRR"]')
  await expect(row.locator('td.up').first()).toBeVisible()
  await expect(row.locator('.trend-svg circle')).toHaveCSS('fill', await colourOf(row.locator('td.up').first()))
})

test('a bell before the value has the distance of an alert, and moves nothing when it appears', async ({ page }) => {
  const snapshot = sampleSnapshot()
  snapshot.state.alerts = []
  snapshot.state.inbox = []
  const fake = await openWindow(page, { snapshot })
  const row = page.locator('[data-index="BRTI"]')
  const value = row.locator('[data-value]')
  const before = await value.boundingBox()
  await fake.push({ state: { alerts: [ruleView('near', levelDraft('68200'))] } })
  await expect(row.getByRole('img', { name: 'Close to an alert' })).toHaveAttribute(
    'title',
    'rises to 68,200 · 0.11 % away',
  )
  await expect(row).toHaveClass(/near/)
  await expect(page.locator('tr.near')).toHaveCount(1)
  await expect(value).toHaveText('68,123.40')
  expect(await value.boundingBox()).toEqual(before)
})

test('the flags, the views and the columns of the watchlist have their names', async ({ page }) => {
  const fake = await openWindow(page)

  await test.step('flags name what is special about a value', async () => {
    const flags = (id: string) => page.locator(`[data-index="${id}"] .marks`)
    await expect(flags('XRPUSD_RTI')).toHaveText('')
    await expect(flags('NCI')).toHaveText(/amended/)
    await expect(flags('BRR')).toHaveText('')
    await expect(flags('APT_SRR')).toHaveText(/carried forward/)
    await expect(flags('TSLAXUSD_RTI')).toHaveText(/stale/)
    const jump = { from: '2.1934', publishedAtMs: sampleNowMs }
    await fake.push({
      quotes: [{ id: 'XRPUSD_RTI', value: '21934.0', publishedAtMs: sampleNowMs, source: 'stream', ageMs: 0, jump }],
    })
    await expect(flags('XRPUSD_RTI')).toHaveText('unusual')
    await expect(flags('XRPUSD_RTI').getByTitle('unusual: Jumped from 2.1934 at 21 Nov 2026, 14:02:11')).toBeVisible()
  })
  await test.step('the flags, the views and the columns of the watchlist have their names', async () => {
    const main = page.getByRole('navigation', { name: 'Main' })
    for (const name of ['Watchlists', 'Indices', 'Alerts', 'Assistants', 'Settings']) {
      await expect(main.getByRole('link', { name, exact: true })).toBeVisible()
    }
    const table = page.getByRole('table', { name: 'My list', exact: true })
    for (const name of ['Index', 'Name', 'Value', 'Change', 'Change %', 'Trend', 'Published', 'Status']) {
      await expect(table.getByRole('columnheader', { name, exact: true })).toBeVisible()
    }
    await expect(table.getByRole('rowheader', { name: 'BRTI', exact: true })).toBeVisible()
    await expect(page.getByRole('status', { name: 'Connection' })).toHaveText(/^Demo\s*Live$/)
    await expect(page.getByRole('banner')).not.toContainText('subscription')
    await expect(page.getByRole('button', { name: 'Add index', exact: true })).toBeVisible()
  })
  await test.step('a value that has not come yet is a dash, never a zero', async () => {
    const row = page.locator('[data-index="NOPE_RTI"]')
    await expect(row.getByRole('cell').nth(1)).toHaveText('—')
    await expect(row).not.toContainText('0')
    await expect(row).toContainText('Unrecognised stream ID')
    await expect(row).toContainText('unknown id')
  })
  await test.step('published times are in the zone of the user, with the whole time one hover away', async () => {
    const published = (id: string) => page.locator(`[data-index="${id}"] .published`)
    await expect(published('BRTI')).toHaveText(/^14:02:11\.4( |$)/)
    await expect(published('BRR')).toHaveText('20 Nov 16:00')
    await expect(published('APT_SRR')).toHaveText('00:00:00')
    await expect(published('UC5_RTI_TR')).toHaveText(/^14:02:11( |$)/)
    await expect(published('TSLAXUSD_RTI')).toHaveText(/^14:01:38 \d+ s$/)
    await published('BRR').hover()
    await expect(published('BRR')).toHaveAttribute('title', '20 Nov 2026, 16:00:00.000, UTC')
  })
})

test('cached values are marked, and turn live when the service sends a value', async ({ page }) => {
  const fake = await openWindow(page, { snapshot: sampleSnapshot({ source: 'cache' }) })
  const row = page.locator('[data-index="BRTI"]')
  await expect(row.locator('.marks')).toHaveText(/cached/)
  // The visible word is part of the value cell, not a badge.
  await expect(row.locator('.marks .badge')).toHaveCount(0)
  const word = "getComputedStyle(document.querySelector('[data-index=BRTI] [data-value] > div'), '::before').content"
  expect(await page.evaluate<string>(word)).toContain('cached')
  await expect(row.locator('[data-value]')).toHaveText('68,123.40')
  await fake.push({
    quotes: [{ id: 'BRTI', value: '68124.00', publishedAtMs: sampleNowMs, source: 'stream', ageMs: 10 }],
  })
  await expect(row.locator('.marks')).toHaveText('')
})

test('rows of two lines have cached below the value, so that no name is cut', async ({ page }) => {
  const snapshot = sampleSnapshot({ source: 'cache' })
  snapshot.state.settings = { ...snapshot.state.settings, density: 'comfortable' }
  snapshot.state.catalogue = snapshot.state.catalogue.map((info) =>
    info.id === 'SOLUSD_RTI' ? { ...info, name: 'CME CF Bitcoin Volatility Index - Real Time' } : info,
  )
  await page.setViewportSize({ width: 800, height: 600 })
  await openWindow(page, { snapshot })
  await expect(page.locator('[data-index="SHIBUSD_RTI"] [data-value]')).toBeVisible()
  const cut = `[...document.querySelectorAll('td.name > span')]
    .filter(({ scrollWidth, clientWidth }) => scrollWidth > clientWidth).map(({ textContent }) => textContent)`
  expect(await page.evaluate<string[]>(cut)).toEqual([])
  await expect(page.locator('td.name > span').first()).toBeVisible()
})

test('the digits that changed are marked for a moment and move nothing', async ({ page }) => {
  const fake = await openWindow(page)

  await test.step('the digits that changed are marked for a moment with an arrow, and nothing is moved by it', async () => {
    const cell = page.locator('[data-index="SOLUSD_RTI"] [data-value]')
    const push = (value: string, publishedAtMs: number) =>
      fake.push({ quotes: [{ id: 'SOLUSD_RTI', value, publishedAtMs, source: 'stream', ageMs: 0 }] })
    const boxes = () =>
      page.evaluate<string>(
        "JSON.stringify([...document.querySelectorAll('th, td')].map((cell) => cell.getBoundingClientRect()))",
      )
    const marks = await recordMarks(page)
    const before = await boxes()
    await push('149.0523', sampleNowMs)
    await expect(cell).toHaveText('149.0523')
    expect((await boxes()) === before).toBe(true)
    await push('149.0471', sampleNowMs + 1)
    await expect(cell).toHaveText('149.0471')
    expect(await page.evaluate('document.getAnimations().length')).toBe(0)
    await expect(cell.locator('.marked')).toHaveCount(0)
    // Publishing the same value again does not count as a change.
    await push('149.0471', sampleNowMs + 2)
    await expect(page.locator('[data-index="SOLUSD_RTI"] .published')).toHaveText(/^14:02:11\.602/)
    await page.emulateMedia({ reducedMotion: 'reduce' })
    await push('149.0472', sampleNowMs + 3)
    await expect(cell).toHaveText('149.0472')
    await page.emulateMedia({ reducedMotion: null })
    expect(await marks()).toEqual(['rise 9.0523', 'fall 471'])
  })

  await test.step('the arrow is seen while the mark lasts alone, also where the user has set colours', async () => {
    const arrow = (isMarked: boolean) =>
      page.evaluate<string>(`(() => {
        const digits = document.querySelector('[data-index="SOLUSD_RTI"] [data-value] .changed')
        digits.classList.toggle('marked', ${isMarked})
        const { color, content, visibility } = getComputedStyle(digits, '::after')
        return [content, visibility, color, getComputedStyle(digits).color === color].join(' ')
      })()`)
    await expect(page.locator('.marked')).toHaveCount(0)
    expect(await arrow(false)).toBe('"▼" / "" visible rgba(0, 0, 0, 0) false')
    expect(await arrow(true)).toMatch(/ visible rgb\(.* true$/)
    await page.emulateMedia({ forcedColors: 'active' })
    expect(await arrow(true)).toMatch(/ visible /)
    expect(await arrow(false)).toMatch(/ hidden /)
    await page.emulateMedia({ forcedColors: null })
  })

  await test.step('no number is cut off', async () => {
    await fake.push({
      quotes: [{ id: 'BRTI', value: '123456789.12345678', publishedAtMs: sampleNowMs, source: 'stream', ageMs: 0 }],
    })
    await expect(page.locator('[data-index="BRTI"] [data-value]')).toHaveText('123,456,789.12345678')
    const cut = `[...document.querySelectorAll('tbody .number')].filter(${isCut}).map((c) => c.textContent)`
    await atEachSize(page, async () => {
      await expect.poll(() => page.evaluate<string[]>(cut)).toEqual([])
    })
    await page.evaluate("document.querySelector('[data-value] > div').textContent = '1'.repeat(60)")
    expect(await page.evaluate<string[]>(cut)).toHaveLength(1)
  })
})

test('rows are walked through, removed, put back and given another resolution', async ({ page }) => {
  const fake = await openWindow(page)

  await test.step('rows are walked through, removed and put back by keyboard', async () => {
    await page.locator('[data-index="BRTI"]').focus()
    await page.keyboard.press('ArrowDown')
    await expect(page.locator('[data-index="ETHUSD_RTI"]')).toBeFocused()
    await page.keyboard.press('Delete')
    await expect(page.locator('[data-index="ETHUSD_RTI"]')).toHaveCount(0)
    await expect(page.locator('[data-index="SOLUSD_RTI"]')).toBeFocused()
    await expect(page.getByRole('group', { name: 'Message' })).toContainText('ETHUSD_RTI removed')
    await page.keyboard.press('Control+z')
    await expect(page.getByRole('rowheader').nth(1)).toHaveText('ETHUSD_RTI')
  })
  await test.step('the row menu offers every tick only where the index publishes it', async () => {
    await page.locator('[data-index="XRPUSD_RTI"]').hover()
    await page.getByRole('button', { name: 'Actions for XRPUSD_RTI' }).click()
    await page.getByRole('menuitemcheckbox', { name: 'Every 200 ms' }).click()
    expect(fake.callsOf('setResolution')).toEqual([
      { listId: 'watchlist', indexId: 'XRPUSD_RTI', maxResolution: 'PER_200MS' },
    ])
    await page.locator('[data-index="BRR"]').click({ button: 'right' })
    await expect(page.getByRole('menu', { name: 'Actions for BRR' })).toBeVisible()
    await expect(page.getByRole('menuitemcheckbox')).toHaveCount(0)
    await page.locator('[data-index="NCI"]').click({ button: 'right' })
    await expect(page.getByRole('menu', { name: 'Actions for NCI' })).toBeVisible()
    await page.keyboard.press('Escape')
    await expect(page.getByRole('menu')).toHaveCount(0)
  })
  await test.step('a command that is refused says why and changes nothing', async () => {
    fake.handlers.removeRows = () => ({ ok: false, problem: { code: 'notSaved', message: 'The disk is full.' } })
    await page.locator('[data-index="BRTI"]').focus()
    await page.keyboard.press('Delete')
    await expect(page.getByRole('group', { name: 'Message' })).toContainText(
      'BRTI could not be removed: The disk is full.',
    )
    await expect(page.locator('[data-index="BRTI"]')).toBeVisible()
  })
  await test.step('the selection survives a reload', async () => {
    await page.locator('[data-index="NCI"]').click()
    await page.reload()
    await expect(page.locator('[data-index="NCI"]')).toHaveAttribute('aria-selected', 'true')
  })
})

test('an empty list says what it is for and offers one next step', async ({ page }) => {
  const snapshot = sampleSnapshot()
  snapshot.state.settings.watchlists = [{ id: 'watchlist', name: 'My list', entries: [] }]
  await openWindow(page, { snapshot })
  await page.getByRole('button', { name: 'Add index' }).click()
  await expect(page.getByRole('dialog', { name: 'Add index' })).toBeVisible()
})
