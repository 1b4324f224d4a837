import { isCut } from './layout'
import { panelOf } from './open-index'
import { sampleSnapshot } from '../support/sample-window'
import { expect, openAsNewUser, openWindow, test } from './window-page'

test.use({ isNewUser: true })

/** The texts that are cut in the list and in the head of the page. Runs inside the page. */
const cutTexts = `[...document.querySelectorAll('.view > .list tbody :is(td:not(.flags), .marks, .under > span), .panel .value')]
  .filter(${isCut})
  .map((each) => each.textContent)`

test('from 1180 pixels the page of the first row is open beside a list of at least 600', async ({ page }) => {
  for (const width of [1180, 1280, 1900]) {
    await page.setViewportSize({ width, height: 820 })
    await openAsNewUser(page)
    await expect(panelOf(page, 'BRTI')).toBeVisible()
    await expect(page.locator('html')).toHaveAttribute('data-density', 'comfortable')
    const list = await page.locator('.view > .list').boundingBox()
    expect(list?.width).toBeGreaterThanOrEqual(600)
    const row = await page.locator('[data-index="BRTI"]').boundingBox()
    expect(row?.height).toBe(44)
    await expect.poll(() => page.evaluate<string[]>(cutTexts)).toEqual([])
  }
})

test('in compact rows no name and no number is cut, beside the page or not', { tag: '@deep' }, async ({ page }) => {
  const snapshot = sampleSnapshot()
  snapshot.state.settings.density = 'compact'
  await openWindow(page, { snapshot })
  for (const [width, columns] of [
    [900, ['Index', 'Value', 'Change', 'Change %', 'Trend', 'Status']],
    [1179, ['Index', 'Value', 'Change', 'Change %', 'Trend', 'Published', 'Status']],
    [1280, ['Index', 'Value', 'Change %', 'Trend', 'Status']],
    [1900, ['Index', 'Name', 'Value', 'Change', 'Change %', 'Trend', 'Published', 'Status']],
  ] as const) {
    await page.setViewportSize({ width, height: 820 })
    const heads = page.locator('.view > .list thead').getByRole('columnheader')
    await expect(heads).toHaveText([...columns, 'Actions'].map((name) => new RegExp(`^${name}\\s*$`)))
    await expect.poll(() => page.evaluate<string[]>(cutTexts)).toEqual([])
  }
})

test('in windows of all sizes the room below eleven rows is less than a third', { tag: '@deep' }, async ({ page }) => {
  for (const [width, height] of [
    [900, 600],
    [1280, 820],
    [1900, 1000],
    [2560, 1440],
  ] as const) {
    await page.setViewportSize({ width, height })
    await openAsNewUser(page)
    const list = await page.locator('.view > .list').boundingBox()
    const last = await page.locator('.view > .list tbody tr').last().boundingBox()
    if (list === null || last === null) throw new Error('the list has no place')
    const room = list.width * Math.max(0, height - last.y - last.height)
    expect(room / width / height, `${width} × ${height}`).toBeLessThan(1 / 3)
  }
})

test(
  'a daily row says at any width that its change is since the previous fixing',
  { tag: '@deep' },
  async ({ page }) => {
    const fake = await openAsNewUser(page)
    const basisOf = (id: string) => page.locator(`[data-index="${id}"] .basis`)
    const cut = `[...document.querySelectorAll('.basis')].filter(${isCut}).length`
    for (const density of ['comfortable', 'compact'] as const) {
      const { settings } = fake.snapshot.state
      await fake.push({ state: { settings: { ...settings, density } } })
      for (const [width, height] of [
        [900, 600],
        [1280, 820],
        [1900, 1000],
      ] as const) {
        await page.setViewportSize({ width, height })
        // In compact rows the words follow the number. They give way before a name is cut.
        if (density === 'comfortable') await expect(basisOf('BRR')).toHaveText('vs prev. fixing')
        else await expect(basisOf('BRR').and(page.getByRole('img', { name: 'vs previous fixing' }))).toHaveText('fix')
        await expect(basisOf('APT_SRR')).toBeVisible()
        // The menu above the table names the basis of the other rows.
        await expect(basisOf('BRTI')).toHaveCount(0)
        expect(await page.evaluate<number>(cut)).toBe(0)
        const percents = `['BRR', 'BRTI'].map((id) => {
        const cell = document.querySelector('[data-index=' + id + '] .basis, [data-index=' + id + '] .arrow')?.closest('td')
        const { top } = cell.closest('tr').getBoundingClientRect()
        return cell.querySelector('.arrow').getBoundingClientRect().top - top
      })`
        const [daily, other] = await page.evaluate<number[]>(percents)
        expect(daily).toBeCloseTo(other ?? NaN, 0)
        const room = `(() => {
        const basis = document.querySelector('[data-index=BRR] .basis')
        const cell = basis.closest('td').getBoundingClientRect()
        return basis.getBoundingClientRect().left - cell.left
      })()`
        expect(await page.evaluate<number>(room)).toBeGreaterThanOrEqual(0)
      }
    }
  },
)

test(
  'a panel that opened by itself closes in a narrow window and never covers the list',
  { tag: '@deep' },
  async ({ page }) => {
    const fake = await openAsNewUser(page)
    await expect(panelOf(page, 'BRTI')).toBeVisible()
    const { opened } = fake.snapshot.state
    await page.setViewportSize({ width: 1179, height: 820 })
    await expect(panelOf(page, 'BRTI')).toHaveCount(0)
    await expect.poll(() => fake.callsOf('closeIndex')).toHaveLength(1)
    // The app was closed to the tray with a wide window and now opens with a narrow one.
    if (opened !== undefined) fake.snapshot.state.opened = opened
    await page.reload()
    await expect(page.locator('[data-index="BRTI"]')).toBeVisible()
    await expect.poll(() => fake.callsOf('closeIndex')).toHaveLength(2)
    await expect(page.locator('[data-index="BRTI"]')).toBeVisible()
  },
)

test('a strip says that values are simulated, until it is dismissed or the demo ends', async ({ page }) => {
  const fake = await openAsNewUser(page)
  const strip = page.getByRole('region', { name: 'Simulated values' })
  await expect(strip).toContainText('Simulated values. Add your key to see real ones.')
  expect((await strip.boundingBox())?.height).toBe(40)
  await strip.getByRole('button', { name: 'Add connection' }).click()
  await expect(page.getByRole('dialog', { name: 'Add connection' })).toBeVisible()
  await page.keyboard.press('Escape')
  await expect(page.getByRole('dialog')).toHaveCount(0)
  const { status } = fake.snapshot.state
  await fake.push({ state: { status: { ...status, isDemo: false } } })
  await expect(strip).toHaveCount(0)
  await fake.push({ state: { status } })
  await strip.getByRole('button', { name: 'Dismiss' }).click()
  await expect(strip).toHaveCount(0)
  await page.reload()
  await expect(page.locator('[data-index="BRTI"]')).toBeVisible()
  await expect(strip).toHaveCount(0)
})

test('the panel follows the selected row by click and by arrow keys, and New alert is for it', async ({ page }) => {
  await page.setViewportSize({ width: 1180, height: 820 })
  await openAsNewUser(page)
  await expect(panelOf(page, 'BRTI')).toBeVisible()
  await page.locator('[data-index="NCI"]').click()
  await expect(panelOf(page, 'NCI')).toBeVisible()
  await page.keyboard.press('ArrowDown')
  await expect(page.locator('tr[aria-selected="true"]')).toHaveAttribute('data-index', 'UC5_RTI_TR')
  await expect(panelOf(page, 'UC5_RTI_TR')).toBeVisible()
  await panelOf(page, 'UC5_RTI_TR').getByRole('button', { name: 'New alert' }).click()
  await expect(page.getByRole('dialog', { name: 'New alert' }).getByLabel('Index')).toHaveValue(/UC5_RTI_TR/)
})

test(
  'the tabs of an index are in one line at every width, and the selected one is in view',
  { tag: '@deep' },
  async ({ page }) => {
    await openAsNewUser(page)
    const tabs = panelOf(page, 'BRTI').getByRole('tab')
    await expect(tabs.first()).toBeVisible()
    for (const width of [1180, 1280]) {
      await page.setViewportSize({ width, height: 820 })
      const boxes = await Promise.all((await tabs.all()).map((tab) => tab.boundingBox()))
      expect(new Set(boxes.map((box) => box?.y)).size).toBe(1)
      const last = boxes.at(-1)
      expect((last?.x ?? 0) + (last?.width ?? 0)).toBeLessThanOrEqual(width)
      await tabs.last().click()
      await expect(tabs.last()).toBeInViewport({ ratio: 1 })
      await tabs.first().click()
    }
  },
)

test('in comfortable rows the column heads of names and ids are side by side', { tag: '@deep' }, async ({ page }) => {
  await page.setViewportSize({ width: 1179, height: 820 })
  await openAsNewUser(page)
  const boxOf = (name: string) =>
    page.getByRole('columnheader', { name, exact: true }).getByRole('button').boundingBox()
  const [index, name, value] = await Promise.all(['Index', 'Name', 'Value'].map(boxOf))
  const end = (index?.x ?? 0) + (index?.width ?? 0)
  expect(name?.x).toBeGreaterThan(end)
  expect(name?.x).toBeLessThan(end + 40)
  expect((name?.x ?? 0) + (name?.width ?? 0)).toBeLessThan(value?.x ?? 0)
})
