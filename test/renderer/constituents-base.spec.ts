import type { Page } from '@playwright/test'
import type { FakeDesktop } from '../support/fake-desktop'
import { ok, refused } from '../support/fake-desktop'
import { familyBase, manyConstituents } from '../support/many-constituents'
import { sampleOpened } from '../support/sample-opened'
import { expect, openWindow, test } from './window-page'

const tableOf = (page: Page, id = 'NCI') => page.getByRole('table', { name: `Constituents of ${id}`, exact: true })
const namesIn = (page: Page) => tableOf(page).getByRole('rowheader')
const header = (page: Page, name: string) => tableOf(page).getByRole('columnheader', { name, exact: true })
const cellOf = (page: Page, name: string, at: number) =>
  tableOf(page)
    .getByRole('row', { name: new RegExp(`^${name}`) })
    .getByRole('cell')
    .nth(at)

/** Chooses from the menu of baselines. */
async function choose(page: Page, name: string | RegExp): Promise<void> {
  await page.getByRole('button', { name: /^Changes since/ }).click()
  await page.getByRole('menu', { name: 'Changes since' }).getByText(name).click()
}

/** Opens NCI in an app that can store a baseline. */
async function openNci(page: Page, { hasBase = false } = {}): Promise<FakeDesktop> {
  const fake = await openWindow(page)
  const show = (base = familyBase()) => fake.push({ state: { opened: { ...sampleOpened('NCI'), base } } })
  fake.handlers.setConstituentsBase = async () => {
    await show()
    return ok(null)
  }
  fake.handlers.clearConstituentsBase = async () => {
    await fake.push({ state: { opened: sampleOpened('NCI') } })
    return ok(null)
  }
  await page.locator('[data-index="NCI"]').dblclick()
  await expect(tableOf(page)).toBeVisible()
  if (hasBase) await show()
  return fake
}

test(
  'a baseline is set, used for changes and sorting, replaced, cleared and saved',
  { tag: '@deep' },
  async ({ page }) => {
    // Wide enough for all columns.
    await page.setViewportSize({ width: 1440, height: 900 })
    const fake = await openNci(page)

    await test.step('a baseline that could not be saved is reported', async () => {
      const { setConstituentsBase } = fake.handlers
      fake.handlers.setConstituentsBase = () => refused('diskFull', 'Disk full: changes not saved.')
      await choose(page, 'Set baseline')
      await expect(page.getByRole('group', { name: 'Message' })).toContainText('could not be set: Disk full')
      if (setConstituentsBase) fake.handlers.setConstituentsBase = setConstituentsBase
    })
    await test.step('the current constituents become the baseline of changes and drifts', async () => {
      fake.calls.length = 0
      await expect(header(page, 'Drift')).toHaveCount(0)
      await choose(page, 'Set baseline')
      expect(fake.callsOf('setConstituentsBase')).toEqual([{ indexId: 'NCI' }])
      await expect(page.getByRole('group', { name: 'Message' })).toContainText('Baseline of NCI set')
      await expect(header(page, 'Since your baseline')).toBeVisible()
      await expect(header(page, 'Drift')).toBeVisible()
      // Exact to the last published place: 68123.40 relative to 65000.00, 58.214 - 58.000, 24.880 - 25.1, 5.031 -
      // 5.0305.
      await expect(cellOf(page, 'BTC', 1)).toContainText('4.81 %')
      await expect(cellOf(page, 'BTC', 2)).toHaveText('+0.214')
      await expect(cellOf(page, 'ETH', 2)).toHaveText('−0.220')
      await expect(cellOf(page, 'SOL', 2)).toHaveText('0.000')
      await expect(cellOf(page, 'XRP', 2)).toHaveText('+0.0005')
      await expect(cellOf(page, 'LINK', 1)).toHaveText('added')
      await expect(page.getByRole('tabpanel')).toContainText(
        'Change +135.45 since your baseline (20 Nov 12:02:11.200) = contributions',
      )
      await expect(page.getByRole('tabpanel')).toContainText(/212\.3109\s*since your baseline/)
    })
    await test.step('additions and deletions are shown with weights, since the baseline or the opening', async () => {
      const sinceBase = page.getByRole('list', { name: 'Constituent changes since your baseline' })
      await expect(sinceBase.getByRole('listitem')).toHaveText([
        'Since your baseline',
        'LINK added at 3.460 %',
        'UNI removed (was 0.26 %)',
      ])
      await choose(page, 'Page opened')
      const sinceOpened = page.getByRole('list', { name: 'Constituent changes since page opened' })
      await expect(sinceOpened.getByRole('listitem')).toHaveText([
        'Since page opened',
        'LINK added at 3.460 %',
        'BCH removed (was 3.570 %)',
      ])
      await expect(header(page, 'Since page opened')).toBeVisible()
      await expect(header(page, 'Drift')).toHaveCount(0)
      await expect(cellOf(page, 'BTC', 1)).toContainText('0.61 %')
      await choose(page, /^Your baseline of 20 Nov 12:02/)
    })
    await test.step('Right expands, Left collapses, Down and Up go from row to row, and all expand at once', async () => {
      const btc = page.getByRole('button', { name: 'BTC', exact: true })
      await btc.focus()
      await page.keyboard.press('ArrowRight')
      await expect(btc).toHaveAttribute('aria-expanded', 'true')
      await page.keyboard.press('ArrowRight')
      await expect(btc).toHaveAttribute('aria-expanded', 'true')
      await page.keyboard.press('ArrowLeft')
      await expect(btc).toHaveAttribute('aria-expanded', 'false')
      await page.keyboard.press('ArrowDown')
      await expect(page.getByRole('button', { name: 'ETH', exact: true })).toBeFocused()
      await page.keyboard.press('ArrowUp')
      await expect(btc).toBeFocused()
      await page.getByRole('button', { name: 'Expand all exchanges' }).click()
      await expect(namesIn(page)).toHaveCount(17)
      await page.getByRole('button', { name: 'Collapse all exchanges' }).click()
      await expect(namesIn(page)).toHaveCount(5)
    })
    await test.step('an exported table is named, and a cancelled one shows no message', async () => {
      const save = async (name: string) => {
        await page.getByRole('button', { name: 'Export', exact: true }).click()
        await page.getByRole('menuitem', { name }).click()
        await page
          .getByRole('dialog', { name: /^Export .* of NCI$/ })
          .getByRole('button', { name: 'Export…' })
          .click()
      }
      fake.handlers.saveConstituentsTable = () => ok(null)
      await save('Constituents')
      await expect.poll(() => fake.callsOf('saveConstituentsTable')).toEqual([{ indexId: 'NCI' }])
      await expect(page.getByRole('group', { name: 'Message' }).filter({ hasText: /saved/i })).toHaveCount(0)
      fake.handlers.saveConstituentsTable = () => ok({ fileName: 'NCI-constituents.csv' })
      await save('Constituents')
      await expect(page.getByRole('group', { name: 'Message' })).toContainText('Saved as NCI-constituents.csv')
      fake.handlers.savePointsTable = () => ok({ fileName: 'NCI-in-points.csv' })
      await save('Contributions since your baseline')
      await expect(page.getByRole('group', { name: 'Message' })).toContainText('Saved as NCI-in-points.csv')
      expect(fake.callsOf('savePointsTable')).toEqual([{ indexId: 'NCI', since: 'base' }])
    })
    await test.step('a baseline is replaced or cleared only after a warning', async () => {
      fake.calls.length = 0
      await choose(page, 'Clear baseline…')
      const dialog = page.getByRole('dialog', { name: 'Clear the baseline of NCI' })
      await expect(dialog).toContainText('cannot be restored')
      await dialog.getByRole('button', { name: 'Cancel' }).click()
      expect(fake.callsOf('clearConstituentsBase')).toEqual([])
      await choose(page, 'Set baseline')
      await page.getByRole('dialog').getByRole('button', { name: 'Replace baseline' }).click()
      await expect.poll(() => fake.callsOf('setConstituentsBase')).toEqual([{ indexId: 'NCI' }])
      await choose(page, 'Clear baseline…')
      await dialog.getByRole('button', { name: 'Clear baseline' }).click()
      await expect(header(page, 'Drift')).toHaveCount(0)
      await page.getByRole('button', { name: /^Changes since/ }).click()
      await expect(page.getByRole('menuitem', { name: 'Clear baseline…' })).toHaveCount(0)
      await expect(page.getByRole('menuitem', { name: 'Set baseline' })).toBeVisible()
      await page.keyboard.press('Escape')
    })
  },
)

test(
  'the bar of weights can be hidden, and among many constituents a row keeps the focus',
  { tag: '@deep' },
  async ({ page }) => {
    const fake = await openNci(page)

    await test.step('the bar of weights shows each name and weight as published, and can be hidden', async () => {
      const chart = page.getByRole('img', { name: /^Weights of NCI/ })
      await expect(chart).toHaveAccessibleName(/BTC 58\.214 %, ETH 24\.880 %.*in total 99\.997 %/)
      await expect(chart).toContainText('58.214 %')
      const opened = sampleOpened('NCI')
      await fake.push({ state: { opened: { ...opened, constituents: manyConstituents(17, 1) } } })
      await expect(chart).toHaveAccessibleName(/others \(12\) 2\.\d+ %/)
      await page.getByRole('button', { name: 'Weight chart' }).click()
      await expect(chart).toHaveCount(0)
      await page.reload()
      await expect(tableOf(page)).toBeVisible()
      await expect(chart).toHaveCount(0)
      await page.getByRole('button', { name: 'Weight chart' }).click()
      await expect(chart).toBeVisible()
    })
    await test.step('a row keeps the focus when scrolled away, and many constituent changes are shortened', async () => {
      const opened = sampleOpened('NCI')
      const many = manyConstituents(300, 1)
      const exchanges = [{ exchange: 'Kraken', weightPercent: '100' }]
      const constituents = many.constituents.map((each) => ({ ...each, exchanges }))
      await fake.push({ state: { opened: { ...opened, constituents: { ...many, constituents } } } })
      const moved = page.getByRole('list', { name: 'Constituent changes since page opened' })
      await expect(moved.getByRole('listitem')).toHaveCount(10)
      await moved.getByRole('button', { name: 'and 297 more' }).click()
      await expect(moved.getByRole('listitem').last()).toHaveText('BCH removed (was 3.570 %)')
      const first = page.getByRole('button', { name: 'M0', exact: true })
      await first.focus()
      await page.keyboard.press('ArrowRight')
      await expect(namesIn(page).nth(1)).toHaveText('Kraken')
      await page.evaluate("document.querySelector('.panel').scrollTop = 1e6")
      await expect(namesIn(page).last()).toHaveText('M299')
      await expect(namesIn(page).nth(1)).not.toHaveText('M1')
      await expect(first).toBeFocused()
    })
  },
)

test('weights of more than 100 % are drawn as published, with a mark where 100 % is', async ({ page }) => {
  const fake = await openNci(page)
  const opened = sampleOpened('NCI')
  const constituents = opened.constituents?.constituents.map((each) => ({ ...each, weightPercent: '50.0' })) ?? []
  await expect(page.locator('.chart .hundred')).toHaveCount(0)
  const now = { value: '1', publishedAtMs: opened.constituents?.publishedAtMs ?? 0, constituents }
  await fake.push({ state: { opened: { ...opened, constituents: now } } })
  await expect(page.getByRole('img', { name: /in total 250\.0 %/ })).toBeVisible()
  const places = await page.evaluate<number[]>(
    "['.chart .bar', '.chart .hundred'].map((each) => document.querySelector(each).getBoundingClientRect().left)",
  )
  const width = await page.evaluate<number>("document.querySelector('.chart .bar').getBoundingClientRect().width")
  expect(((places[1] ?? 0) - (places[0] ?? 0)) / width).toBeCloseTo(0.4, 1)
})

test('of 500 constituents only those near the screen are drawn', async ({ page }) => {
  const fake = await openNci(page)
  const opened = sampleOpened('NCI')
  const push = (tick: number) =>
    fake.push({ state: { opened: { ...opened, constituents: manyConstituents(500, tick) } } })
  await push(1)
  await expect(tableOf(page)).toHaveAttribute('aria-rowcount', '501')
  await expect(tableOf(page).locator('tbody tr[aria-rowindex]').first()).toHaveAttribute('aria-rowindex', '2')
  expect(await tableOf(page).locator('tbody tr[aria-rowindex]').count()).toBeLessThan(80)
  // A new value keeps the nodes and writes few cells.
  await page.evaluate(`{
    window.added = 0
    new MutationObserver((all) => { for (const each of all) if (each.type === 'childList') window.added += each.addedNodes.length })
      .observe(document.querySelector('.panel table'), { subtree: true, childList: true })
  }`)
  for (let tick = 2; tick < 8; tick++) await push(tick)
  await expect(cellOf(page, 'M3', 0)).toHaveText('121.07')
  expect(await page.evaluate<number>('window.added')).toBe(0)
  // Scrolling to the end shows the last constituent.
  await page.evaluate("document.querySelector('.panel').scrollTop = 1e6")
  await expect(namesIn(page).last()).toHaveText('M499')
  await expect(namesIn(page).last()).toBeInViewport()
  expect(await tableOf(page).locator('tbody tr[aria-rowindex]').count()).toBeLessThan(80)
  await push(9)
  await expect(cellOf(page, 'M499', 0)).toHaveText('3,593.09')
  await page.getByLabel('Filter constituents').fill('m49')
  await expect(namesIn(page)).toHaveCount(11)
})
