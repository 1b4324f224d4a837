import type { Page } from '@playwright/test'
import { levelDraft, richRules, ruleView } from '../support/sample-alerts'
import { expect, openWindow, test } from './window-page'

const longId = 'CFDFMWLDN_RTI_TR'
const longLevel = '123456789012345678901234'

const table = `document.querySelector('[aria-label="Alerts"]')`

/** Texts that are cut off, by themselves or by the cell they are in, of those that never are. */
function cutTexts(page: Page): Promise<unknown> {
  return page.evaluate(`[...${table}.querySelectorAll('tbody :is(th, .level, .distance, .badge .text, .again)')]
    .filter((part) => {
      const { left, right } = part.getBoundingClientRect()
      const cell = part.closest('th, td').getBoundingClientRect()
      return part.scrollWidth > part.clientWidth || left < cell.left || right > cell.right
    })
    .map((part) => part.textContent.trim())`)
}

/** How far a level stands from the words before it, of the row where that is most, in CSS pixels. */
function maxGap(page: Page): Promise<unknown> {
  return page.evaluate(`Math.max(...[...${table}.querySelectorAll('tbody .words')].map((words) =>
    words.nextElementSibling.getBoundingClientRect().left - words.getBoundingClientRect().right))`)
}

/** How wide the column of states is, in CSS pixels. */
function stateWidth(page: Page): Promise<unknown> {
  return page.evaluate(`[...${table}.querySelectorAll('thead th')]
    .find((head) => head.textContent.trim() === 'State').getBoundingClientRect().width`)
}

/** How wide the condition stands, in CSS pixels. */
function conditionWidth(page: Page): Promise<unknown> {
  return page.evaluate(`[...${table}.querySelectorAll('thead th')]
    .find((head) => head.textContent.trim() === 'Condition').getBoundingClientRect().width`)
}

function scrollsSideways(page: Page): Promise<unknown> {
  return page.evaluate(`${table}.parentElement.scrollWidth > ${table}.parentElement.clientWidth`)
}

const sizes = [
  { width: 1900, height: 1000 },
  { width: 1280, height: 820 },
  { width: 1100, height: 700 },
  { width: 900, height: 600 },
]

test(
  'at no width of the window is an id, a level, a distance or a state cut, or a condition unreadable',
  { tag: '@deep' },
  async ({ page }) => {
    const fake = await openWindow(page, { view: 'alerts' })

    await test.step('every kind of rule', async () => {
      const band = { condition: 'entersBand', low: '70000', high: '71000.50' } as const
      const share = { condition: 'exchangeShareAtOrBelow', constituent: 'BTC', exchange: 'LMAX Digital' } as const
      const rules = [
        ...richRules,
        ruleView('s1', { ...levelDraft('', { indexId: 'NCI' }), terms: { ...share, sharePercent: '10.25' } }),
        ruleView('b1', { ...levelDraft(), terms: band }),
        ruleView('b2', levelDraft('1', { indexId: longId })),
      ]
      await fake.push({ state: { alerts: rules } })
      for (const size of sizes) {
        await page.setViewportSize(size)
        await expect(page.getByRole('rowheader', { name: 'NOPE_RTI' })).toBeVisible()
        await expect.poll(() => conditionWidth(page)).toBeGreaterThanOrEqual(140)
        await expect.poll(() => cutTexts(page)).toEqual([])
        await expect.poll(() => scrollsSideways(page)).toBe(false)
        await expect.poll(() => stateWidth(page)).toBe(184)
        expect(await maxGap(page)).toBeLessThanOrEqual(4)
        for (const again of await page.getByRole('button', { name: /^Re-arm/ }).all()) {
          await again.scrollIntoViewIfNeeded()
          await expect(again).toBeInViewport({ ratio: 1 })
        }
        await expect(page.getByRole('button', { name: /^Re-arm/ })).toHaveCount(2)
      }
    })
    await test.step('where the reason of a state has no room', async () => {
      const reach = { cannotFire: 'the provider does not list BRTI for this key', sinceMs: 0 }
      await fake.push({ state: { alerts: [ruleView('c1', levelDraft(), { reach })] } })
      const state = page.getByRole('row', { name: /BRTI/ }).getByText('cannot fire')
      await expect(state).toBeVisible()
      expect(await cutTexts(page)).toEqual([])
    })
    await test.step('for a level of 24 digits other columns give way, and what is far away is shown in percent', async () => {
      await page.setViewportSize({ width: 1280, height: 820 })
      await fake.push({ state: { alerts: [ruleView('l1', levelDraft(longLevel))] } })
      const row = page.getByRole('row', { name: /BRTI/ })
      await expect(row).toContainText('123,456,789,012,345,678,901,234')
      await expect(row).toContainText('more than 1,000 %')
      await expect.poll(() => conditionWidth(page)).toBeGreaterThanOrEqual(140)
      await expect.poll(() => cutTexts(page)).toEqual([])
      await page.setViewportSize({ width: 900, height: 600 })
      await expect.poll(() => conditionWidth(page)).toBeGreaterThanOrEqual(140)
      await expect.poll(() => cutTexts(page)).toEqual([])
      await expect.poll(() => scrollsSideways(page)).toBe(false)
    })
  },
)
