import type { Locator, Page } from '@playwright/test'
import type { WindowSnapshot } from '../../protocol/desktop'
import { refused } from '../support/fake-desktop'
import { levelDraft, ruleView } from '../support/sample-alerts'
import { sampleSnapshot } from '../support/sample-window'
import { openChart, readerOf } from './open-chart'
import { panelOf } from './open-index'
import { expect, test } from './window-page'

const levels = (page: Page): Locator => page.getByRole('slider', { name: 'Alert when BRTI' })

/** Alerts on BRTI at these levels. */
function withLevels(...values: string[]): WindowSnapshot {
  const snapshot = sampleSnapshot()
  const others = snapshot.state.alerts.slice(1)
  snapshot.state.alerts = [...others, ...values.map((level, at) => ruleView(`b${at}`, levelDraft(level)))]
  return snapshot
}

test('levels are drawn as typed, or at the edge if they are outside the chart', async ({ page }) => {
  const snapshot = withLevels('68200.5', '68400')
  snapshot.state.alerts.push(ruleView('done', levelDraft('68300'), { phase: 'triggered' }))
  const fake = await openChart(page, { snapshot })

  await test.step('alerts of the index that are not done are drawn, with the level as typed', async () => {
    await expect(levels(page)).toHaveText(['68,200.5', '68,400'])
    await expect(levels(page).first()).toHaveAccessibleName('Alert when BRTI rises to')
    await expect(levels(page).first()).toHaveAttribute('aria-valuetext', '68,200.5')
    const plot = await page.locator('.level').first().boundingBox()
    for (const label of await page.locator('.level .label').all()) {
      expect((await label.boundingBox())?.x).toBeGreaterThan((plot?.x ?? Infinity) + (plot?.width ?? 0))
    }
  })
  await test.step('levels outside the plot stay at its edge with an arrow, and no labels overlap', async () => {
    const { alerts } = withLevels('70000', '71000', '68400', '68401', '68402', '100').state
    await fake.push({ state: { alerts } })
    await expect(levels(page)).toHaveCount(6)
    await expect(levels(page).first()).toHaveText('▲ 70,000')
    await expect(levels(page).last()).toHaveText('▼ 100')
    const boxes = await Promise.all((await page.locator('.level .label').all()).map((label) => label.boundingBox()))
    const plot = await readerOf(page).boundingBox()
    if (plot === null) throw new Error('the chart has no place')
    for (const [at, a] of boxes.entries()) {
      if (a === null) throw new Error('a label has no place')
      expect(a.y).toBeGreaterThanOrEqual(plot.y)
      expect(a.y + a.height).toBeLessThanOrEqual(plot.y + plot.height)
      for (const b of boxes.slice(at + 1)) {
        if (b === null) throw new Error('a label has no place')
        const isApart = a.y + a.height <= b.y || b.y + b.height <= a.y || a.x + a.width <= b.x || b.x + b.width <= a.x
        expect(isApart).toBe(true)
      }
    }
  })
  await test.step('a new alert is created at the level under the pointer, or at the value read by key', async () => {
    await fake.push({ state: { alerts: withLevels().state.alerts } })
    await expect(levels(page)).toHaveCount(0)
    const box = await readerOf(page).boundingBox()
    if (box === null) throw new Error('the chart has no place')
    await page.mouse.click(box.x + 200, box.y + 40, { button: 'right' })
    const item = page.getByRole('menuitem', { name: 'New alert at 68,' })
    await expect(item).toHaveText(/New alert at 68,4\d\d\.00/)
    const level = /68,4\d\d\.00/.exec(await item.innerText())?.[0] ?? ''
    await item.click()
    const dialog = page.getByRole('dialog')
    await expect(dialog.getByLabel('Level')).toHaveValue(level)
    await expect(dialog.getByLabel('Condition')).toHaveValue('risesTo')
    await page.keyboard.press('Escape')
    await expect(dialog).toHaveCount(0)
    await readerOf(page).focus()
    await page.mouse.move(box.x + 200, box.y + 41)
    await page.mouse.move(box.x + 200, box.y + 40)
    await page.keyboard.press('a')
    await expect(dialog.getByLabel('Level')).toHaveValue(level)
    await page.keyboard.press('Escape')
    await expect(dialog).toHaveCount(0)
    await readerOf(page).focus()
    await page.keyboard.press('End')
    await page.keyboard.press('a')
    await expect(dialog.getByLabel('Level')).toHaveValue('68,123.40')
    await page.keyboard.press('Escape')
    await page.getByRole('button', { name: 'New alert' }).click()
    await expect(dialog.getByLabel('Level')).toHaveValue('68,500')
  })
})

test('the value tag of the crosshair never covers a part of a level’s label', { tag: '@deep' }, async ({ page }) => {
  await openChart(page, { snapshot: withLevels('68200.5', '68400') })
  const box = await readerOf(page).boundingBox()
  if (box === null) throw new Error('the chart has no place')
  const overlap = `(() => {
    const tag = document.querySelector('.plot-tag.value').getBoundingClientRect()
    const labels = [...document.querySelectorAll('.level .label')]
    const shown = labels.filter((label) => label.checkVisibility({ visibilityProperty: true }))
    const covered = shown.map((label) => label.getBoundingClientRect()).filter(({ top, bottom }) => top < tag.bottom && bottom > tag.top)
    return { shown: shown.length, covered: covered.length }
  })()`
  const counts = new Set<number>()
  for (let x = 10; x < 340; x += 6) {
    await page.mouse.move(box.x + x, box.y + 100)
    await expect(page.locator('.plot-tag.value')).toBeVisible()
    const { shown, covered } = await page.evaluate<{ shown: number; covered: number }>(overlap)
    expect(covered).toBe(0)
    counts.add(shown)
  }
  // On the way it passes one of the labels, and none.
  expect([...counts].sort()).toEqual([1, 2])
  await page.mouse.move(0, 0)
  await expect(levels(page).first().locator('.label')).toBeVisible()
})

test('a level is dragged or moved by keys, and put back by Escape, Undo or a refusal', async ({ page }) => {
  const fake = await openChart(page, { snapshot: withLevels('68200.5') })

  await test.step('a click on a level moves nothing', async () => {
    await levels(page).locator('.label').click()
    await expect(levels(page)).toHaveAttribute('aria-valuetext', '68,200.5')
    expect(fake.callsOf('setAlertLevel')).toEqual([])
  })
  await test.step('a level is dragged, saved on release with the decimals of the index, and put back by Undo', async () => {
    const label = levels(page).locator('.label')
    const box = await label.boundingBox()
    if (box === null) throw new Error('the label has no place')
    await page.mouse.move(box.x + 20, box.y + box.height / 2)
    await page.mouse.down()
    await page.mouse.move(box.x + 20, box.y + box.height / 2 - 20, { steps: 4 })
    await expect(label).toHaveText(/^68,[23]\d\d\.00$/)
    expect(fake.callsOf('setAlertLevel')).toEqual([])
    await page.mouse.up()
    await expect.poll(() => fake.callsOf('setAlertLevel').length).toBe(1)
    const [{ level }] = fake.callsOf('setAlertLevel') as [{ level: string }]
    expect(level).toMatch(/^68[23]\d\d\.00$/)
    await expect(page.getByRole('group', { name: 'Message' })).toContainText('Alert on BRTI moved to 68,')
    await page.getByRole('button', { name: 'Undo' }).click()
    await expect(label).toHaveText('68,200.5')
    expect(fake.callsOf('setAlertLevel')[1]).toEqual({ ruleId: 'b0', level: '68200.5' })
  })
  await test.step('keys move a level: Enter applies, Escape puts it back and closes nothing', async () => {
    await fake.push({ state: { alerts: withLevels('68200.00').state.alerts } })
    fake.calls.length = 0
    const level = levels(page)
    await level.focus()
    await page.keyboard.press('ArrowUp')
    await expect(level).toHaveAttribute('aria-valuetext', /^68,20[1-9]\.00, Enter applies, Escape restores$|^68,210/)
    await page.keyboard.press('Escape')
    await expect(level).toHaveAttribute('aria-valuetext', '68,200.00')
    await expect(panelOf(page, 'BRTI')).toBeVisible()
    expect(fake.callsOf('setAlertLevel')).toEqual([])
    await page.keyboard.press('PageDown')
    await page.keyboard.press('Enter')
    await expect(page.getByRole('group', { name: 'Message' })).toContainText('Alert on BRTI moved to 68,1')
    expect(fake.callsOf('setAlertLevel')).toHaveLength(1)
    await expect(level).toHaveAttribute('aria-valuetext', /^68,1\d\d\.00$/)
  })
  await test.step('a refused move says why and puts the level back', async () => {
    await fake.push({ state: { alerts: withLevels('68200.00').state.alerts } })
    fake.handlers.setAlertLevel = () => refused('notSaved', 'The disk is full.')
    await levels(page).focus()
    await page.keyboard.press('ArrowUp')
    await page.keyboard.press('Enter')
    await expect(page.getByRole('group', { name: 'Message' })).toContainText(
      'The alert on BRTI could not be moved: The disk is full.',
    )
    await expect(levels(page)).toHaveAttribute('aria-valuetext', '68,200.00')
  })
})
