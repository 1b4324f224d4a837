import { longId, longSnapshot } from '../support/list-commands'
import { sampleNowMs } from '../support/sample-window'
import { faults } from '../support/faults'
import { cellsBelowMessages } from './layout'
import { expect, openWindow, test } from './window-page'

const maxRows = 60
const inPage = 'tbody tr[data-index]'

test('of a thousand live rows only a few are in the page, and each shows its own value', async ({ page }) => {
  const fake = await openWindow(page, { snapshot: longSnapshot(1_000) })
  const rows = page.locator(inPage)
  await expect(page.getByRole('table')).toHaveAttribute('aria-rowcount', '1001')
  expect(await rows.count()).toBeLessThanOrEqual(maxRows)
  expect(await rows.count()).toBeGreaterThan(24)
  for (let round = 1; round <= 3; round++) {
    const quotes = Array.from({ length: 1_000 }, (_, at) => ({
      id: longId(at),
      value: `${at}.${round}0`,
      publishedAtMs: sampleNowMs + round,
      source: 'stream' as const,
      ageMs: 0,
    }))
    await fake.push({ quotes })
    await expect(page.locator(`[data-index="${longId(3)}"] [data-value]`)).toHaveText(`3.${round}0`)
  }
  await page.evaluate("document.querySelector('.scroll').scrollTop = 15000")
  const there = page.locator(`[data-index="${longId(505)}"]`)
  await expect(there.locator('[data-value]')).toHaveText('505.30')
  await expect(there).toHaveAttribute('aria-rowindex', '507')
  await expect(there.locator('.published')).toHaveText(/^14:02:11/)
  await expect(page.locator(`[data-index="${longId(3)}"]`)).toHaveCount(0)
  expect(await rows.count()).toBeLessThanOrEqual(maxRows)
})

test('a long list works with the keyboard, by dragging and at any density', { tag: '@deep' }, async ({ page }) => {
  const fake = await openWindow(page, { snapshot: longSnapshot(1_000) })

  await test.step('the keyboard reaches every row of a long list', async () => {
    const focused = (at: number) => page.locator(`[data-index="${longId(at)}"]`)
    const isSeen = async (at: number) => {
      await expect(focused(at)).toBeFocused()
      await expect(focused(at)).toBeInViewport({ ratio: 1 })
    }
    await focused(0).focus()
    await page.keyboard.press('End')
    await isSeen(999)
    await page.keyboard.press('ArrowUp')
    await isSeen(998)
    await page.keyboard.press('Home')
    await isSeen(0)
    await page.keyboard.press('PageDown')
    await page.keyboard.press('PageDown')
    const at = await page.evaluate<number>('Number(document.activeElement.getAttribute("aria-rowindex")) - 2')
    expect(at).toBeGreaterThan(30)
    await isSeen(at)
    await page.keyboard.press('PageUp')
    await page.keyboard.press('PageUp')
    await isSeen(0)
    // A row scrolled out of sight keeps the focus, and the next key starts there.
    await page.evaluate("document.querySelector('.scroll').scrollTop = 20000")
    await expect(focused(670)).toBeVisible()
    await expect(focused(0)).toBeFocused()
    await page.keyboard.press('ArrowDown')
    await isSeen(1)
    await page.keyboard.press('Home')
  })
  await test.step('a row dragged to the edge scrolls the list under it', async () => {
    await page.locator(`[data-index="${longId(2)}"]`).hover()
    await page.locator(`[data-index="${longId(2)}"] .grip`).hover()
    await page.mouse.down()
    await page.mouse.move(500, 815)
    await expect.poll(() => page.evaluate<number>("document.querySelector('.scroll').scrollTop")).toBeGreaterThan(900)
    await page.mouse.move(500, 400)
    await expect(page.locator('.drop-line')).toBeInViewport()
    await page.mouse.up()
    await expect.poll(() => fake.callsOf('moveRows').length).toBe(1)
    const [moved] = fake.callsOf('moveRows') as { rowIds: string[]; position: number }[]
    expect(moved?.rowIds).toEqual([longId(2)])
    expect(moved?.position).toBeGreaterThan(35)
    await expect(page.locator(`[data-index="${longId(2)}"]`)).toBeInViewport()
  })
  await test.step('rows have the height of the density', async () => {
    await page.evaluate("document.querySelector('.scroll').scrollTop = 3000")
    await expect(page.locator(`[data-index="${longId(100)}"]`)).toBeInViewport()
    await page.evaluate("document.documentElement.style.setProperty('--list-row', '38px')")
    await expect.poll(() => page.evaluate("document.querySelector('.scroll').scrollTop")).toBe(3_800)
    const row = page.locator(`[data-index="${longId(100)}"]`)
    await expect(row).toBeInViewport()
    expect((await row.boundingBox())?.height).toBe(38)
    const whole = '{ const s = document.querySelector(".scroll"); s.scrollHeight }'
    expect(await page.evaluate<number>(whole)).toBe(1_000 * 38 + 28)
  })
})

test('a long list keeps its scroll position after a reload', { tag: '@deep' }, async ({ page }) => {
  await openWindow(page, { snapshot: longSnapshot(1_000) })

  await test.step('a long list that is scrolled has no accessibility fault', async () => {
    await page.evaluate("document.querySelector('.scroll').scrollTop = 15000")
    await expect(page.locator(`[data-index="${longId(505)}"]`)).toBeVisible()
    expect(await faults(page, { part: 'main' })).toEqual([])
  })
  await test.step('scroll position and selection survive a reload', async () => {
    await page.evaluate("document.querySelector('.scroll').scrollTop = 12000")
    await page.locator(`[data-index="${longId(410)}"]`).click()
    await page.reload()
    const row = page.locator(`[data-index="${longId(410)}"]`)
    await expect(row).toHaveAttribute('aria-selected', 'true')
    await expect(row).toBeInViewport({ ratio: 1 })
    expect(await page.evaluate("document.querySelector('.scroll').scrollTop")).toBe(12_000)
  })
})

test('a message covers no row, and the row with the focus stays in view', { tag: '@deep' }, async ({ page }) => {
  await openWindow(page, { snapshot: longSnapshot(1_000) })
  await page.locator(`[data-index="${longId(0)}"]`).focus()
  await page.keyboard.press('End')
  await expect(page.locator(`[data-index="${longId(999)}"]`)).toBeFocused()
  await page.keyboard.press('Delete')
  const message = page.getByRole('group', { name: 'Message' })
  await expect(message).toContainText(`${longId(999)} removed`)
  // The message stays while the pointer is on it.
  await message.hover()
  const last = page.locator(`[data-index="${longId(998)}"]`)
  await expect(last).toBeFocused()
  await expect(last).toBeInViewport({ ratio: 1 })
  expect(await cellsBelowMessages(page)).toEqual([])
})
