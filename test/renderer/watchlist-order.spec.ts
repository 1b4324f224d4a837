import type { Page } from '@playwright/test'
import { sampleNowMs, sampleSnapshot } from '../support/sample-window'
import { expect, openWindow, test } from './window-page'

const own = ['BRTI', 'ETHUSD_RTI', 'SOLUSD_RTI', 'XRPUSD_RTI', 'NCI', 'UC5_RTI_TR', 'BRR', 'SHIBUSD_RTI', 'APT_SRR']
const byValue = ['SHIBUSD_RTI', 'APT_SRR', 'XRPUSD_RTI', 'SOLUSD_RTI', 'TSLAXUSD_RTI', 'UC5_RTI_TR', 'NCI']

async function expectFirst(page: Page, ids: readonly string[]): Promise<void> {
  await expect
    .poll(async () => (await page.getByRole('rowheader').allInnerTexts()).slice(0, ids.length))
    .toEqual([...ids])
}

test('rows are sorted by any column, and moved only in manual order', { tag: '@deep' }, async ({ page }) => {
  const fake = await openWindow(page)

  await test.step('a header sorts up, down and back to manual order, and rows without a value stay last', async () => {
    const header = page.getByRole('columnheader', { name: 'Value', exact: true })
    await expect(header).not.toHaveAttribute('aria-sort')
    await header.getByRole('button').click()
    await expectFirst(page, byValue)
    await expect(header).toHaveAttribute('aria-sort', 'ascending')
    await expect(page.getByRole('rowheader').last()).toHaveText('NOPE_RTI')
    await page.keyboard.press('Enter')
    await expectFirst(page, ['BRTI', 'BRR', 'ETHUSD_RTI', 'NCI', 'UC5_RTI_TR'])
    await expect(header).toHaveAttribute('aria-sort', 'descending')
    await expect(page.getByRole('rowheader').last()).toHaveText('NOPE_RTI')
    await page.keyboard.press('Enter')
    await expectFirst(page, own)
    await expect(header).not.toHaveAttribute('aria-sort')
    expect(fake.callsOf('arrangeList')).toEqual([
      { listId: 'watchlist', sort: { column: 'value', isDescending: false } },
      { listId: 'watchlist', sort: { column: 'value', isDescending: true } },
      { listId: 'watchlist', sort: null },
    ])
  })
  await test.step('rows are moved by keyboard, keep the focus and announce their position', async () => {
    fake.calls.length = 0
    const row = page.locator('[data-index="BRTI"]')
    await row.focus()
    await page.keyboard.press('Alt+ArrowDown')
    await expectFirst(page, ['ETHUSD_RTI', 'BRTI', 'SOLUSD_RTI'])
    await page.keyboard.press('Alt+ArrowDown')
    await expectFirst(page, ['ETHUSD_RTI', 'SOLUSD_RTI', 'BRTI'])
    await expect(row).toBeFocused()
    await expect(page.locator('[aria-live="polite"]')).toContainText('BRTI moved to place 3 of 11')
    await page.keyboard.press('Alt+End')
    await expect(page.getByRole('rowheader').last()).toHaveText('BRTI')
    await page.keyboard.press('Alt+Home')
    await expectFirst(page, own)
    await expect(row).toBeFocused()
    await page.keyboard.press('Alt+ArrowUp')
    expect(fake.callsOf('moveRows').map((args) => (args as { position: number }).position)).toEqual([1, 2, 10, 0])
  })
  await test.step('a row is dragged to the line, and Escape leaves it in place', async () => {
    fake.calls.length = 0
    const line = page.locator('.drop-line')
    const boxOf = async (id: string) => {
      const box = await page.locator(`[data-index="${id}"]`).boundingBox()
      if (box === null) throw new Error(`${id} is not on screen`)
      return box
    }
    const grab = async (id: string) => {
      await page.locator(`[data-index="${id}"]`).hover()
      await page.locator(`[data-index="${id}"] .grip`).hover()
      await page.mouse.down()
    }
    await grab('BRTI')
    const target = await boxOf('NCI')
    await page.mouse.move(target.x + 60, target.y + target.height - 4)
    await expect(line).toBeVisible()
    expect(Math.abs(((await line.boundingBox())?.y ?? 0) + 1 - (target.y + target.height))).toBeLessThan(2)
    await page.keyboard.press('Escape')
    await expect(line).toHaveCount(0)
    await page.mouse.up()
    expect(fake.callsOf('moveRows')).toEqual([])
    await page.mouse.move(20, 400)
    await grab('BRTI')
    await page.mouse.move(target.x + 60, target.y + target.height - 4)
    await page.mouse.up()
    await expectFirst(page, ['ETHUSD_RTI', 'SOLUSD_RTI', 'XRPUSD_RTI', 'NCI', 'BRTI', 'UC5_RTI_TR'])
    await grab('UC5_RTI_TR')
    const first = await boxOf('ETHUSD_RTI')
    await page.mouse.move(first.x + 60, first.y + 2)
    await page.mouse.up()
    await expectFirst(page, ['UC5_RTI_TR', 'ETHUSD_RTI'])
    expect(fake.callsOf('moveRows').map((args) => (args as { position: number }).position)).toEqual([4, 0])
  })
})

test('a sorted list does not move while it is in use, and sorts again afterwards', async ({ page }) => {
  const snapshot = sampleSnapshot()
  const [list] = snapshot.state.settings.watchlists
  if (list) list.sort = { column: 'value', isDescending: false }
  await page.clock.install({ time: sampleNowMs })
  const fake = await openWindow(page, { snapshot })
  await page.clock.runFor(100)
  await expectFirst(page, byValue)
  const push = async (value: string, publishedAtMs: number) => {
    await fake.push({ quotes: [{ id: 'XRPUSD_RTI', value, publishedAtMs, source: 'stream', ageMs: 0 }] })
    await page.clock.runFor(100)
    await expect(page.locator('[data-index="XRPUSD_RTI"] [data-value]')).toHaveAttribute('data-value', value)
  }
  await page.locator('[data-index="BRR"]').hover()
  await push('0.00000001', sampleNowMs)
  await page.clock.runFor(20_000)
  await expectFirst(page, byValue)
  await page.mouse.move(20, 400)
  await page.clock.runFor(5_000)
  await expectFirst(page, ['XRPUSD_RTI', 'SHIBUSD_RTI', 'APT_SRR', 'SOLUSD_RTI'])
  // The focus keeps the order, like the pointer.
  await page.locator('[data-index="BRR"]').focus()
  await push('0.5', sampleNowMs + 100)
  await page.clock.runFor(20_000)
  await expectFirst(page, ['XRPUSD_RTI', 'SHIBUSD_RTI', 'APT_SRR', 'SOLUSD_RTI'])
})

test('a first click on a change sorts the greatest first, a second the least', async ({ page }) => {
  await openWindow(page)
  for (const name of ['Change', 'Change %']) {
    const head = page.getByRole('columnheader', { name, exact: true })
    await head.getByRole('button').click()
    await expect(head).toHaveAttribute('aria-sort', 'descending')
    await expectFirst(page, [name === 'Change' ? 'BRR' : 'SOLUSD_RTI'])
    await head.getByRole('button').click()
    await expect(head).toHaveAttribute('aria-sort', 'ascending')
    await head.getByRole('button').click()
    await expectFirst(page, own)
  }
})

test(
  'rows of a sorted list do not move, and a button restores the manual order',
  { tag: '@deep' },
  async ({ page }) => {
    const fake = await openWindow(page)
    await test.step('in a sorted list rows are not moved, and manual order is offered', async () => {
      await page.getByRole('columnheader', { name: 'Change %' }).getByRole('button').click()
      await expectFirst(page, ['SOLUSD_RTI'])
      const note = page.getByText('Sorted by Change %. Switch to manual order to move rows.')
      await expect(note).toHaveCount(0)
      await page.locator('[data-index="SOLUSD_RTI"]').focus()
      await page.keyboard.press('Alt+ArrowDown')
      await expect(note).toBeVisible()
      await page.locator('[data-index="NCI"] .grip').hover()
      await page.mouse.down()
      await page.mouse.move(400, 500)
      await page.mouse.up()
      expect(fake.callsOf('moveRows')).toEqual([])
      await page.getByRole('button', { name: 'Manual order' }).click()
      await expectFirst(page, own)
      await expect(note).toHaveCount(0)
      await expect(page.locator('[data-index="NCI"]')).toBeFocused()
      await page.keyboard.press('Alt+ArrowUp')
      await expectFirst(page, ['BRTI', 'ETHUSD_RTI', 'SOLUSD_RTI', 'NCI', 'XRPUSD_RTI'])
    })
  },
)
