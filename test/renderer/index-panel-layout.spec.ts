import { isCut } from './layout'
import { sampleOpened } from '../support/sample-opened'
import { sampleNowMs } from '../support/sample-window'
import { openByKey, panelOf } from './open-index'
import { atEachSize, expect, openWindow, test } from './window-page'

test(
  'in a narrow window the index takes the place of the list, until Back or any link gives it back',
  { tag: '@deep' },
  async ({ page }) => {
    await page.setViewportSize({ width: 900, height: 300 })
    const fake = await openWindow(page)

    await test.step('Back gives it back as it was', async () => {
      const row = page.locator('[data-index="UC5_RTI_TR"]')
      await row.scrollIntoViewIfNeeded()
      const before = await row.boundingBox()
      await row.dblclick()
      await expect(page.getByRole('heading', { level: 1 })).toHaveText('UC5_RTI_TR')
      await expect(page.getByRole('button', { name: 'Back' })).toBeFocused()
      await expect(row).not.toBeVisible()
      await page.getByRole('button', { name: 'Back' }).click()
      await expect(row).toBeFocused()
      expect(await row.boundingBox()).toEqual(before)
    })
    await test.step('following any link gives the list back', async () => {
      await page.setViewportSize({ width: 900, height: 600 })
      const main = page.getByRole('navigation', { name: 'Main' })
      for (const [name, heading] of [
        ['Watchlists', 'My list'],
        ['Indices', 'Indices'],
      ] as const) {
        await main.getByRole('link', { name: 'Watchlists' }).click()
        await page.locator('[data-index="NCI"]').dblclick()
        await main.getByRole('link', { name }).click()
        await expect(page.getByRole('heading', { level: 1 })).toHaveText(heading)
        await expect(panelOf(page, 'NCI')).toHaveCount(0)
      }
      await main.getByRole('link', { name: 'Watchlists' }).click()
    })
    await test.step('what ticks in the list below shows nothing through the page above it', async () => {
      await page.locator('[data-index="NCI"]').dblclick()
      await fake.push({
        quotes: [{ id: 'BRTI', value: '68124.00', publishedAtMs: sampleNowMs, source: 'stream', ageMs: 0 }],
      })
      const arrow = `[...document.querySelectorAll('[data-index="BRTI"] .marked')]
      .map((place) => getComputedStyle(place, '::after').visibility)`
      await expect.poll(() => page.evaluate(arrow)).toEqual(['hidden'])
      await page.getByRole('button', { name: 'Back' }).click()
    })
    await test.step('what is typed into is not left when the window becomes narrow', async () => {
      await page.setViewportSize({ width: 1280, height: 820 })
      await openByKey(page, 'NCI')
      await page.getByLabel('Filter constituents').fill('b')
      await page.setViewportSize({ width: 900, height: 600 })
      await expect(page.getByRole('button', { name: 'Back' })).toBeVisible()
      await expect(page.getByLabel('Filter constituents')).toBeFocused()
    })
  },
)

test(
  'in no window is a number of an open index cut off, and nothing lies on anything else',
  { tag: '@deep' },
  async ({ page }) => {
    const fake = await openWindow(page)
    await openByKey(page, 'NCI')
    await page.getByRole('button', { name: 'BTC', exact: true }).click()
    const opened = sampleOpened('NCI')
    const constituents = opened.constituents?.constituents.map((each, at) =>
      at === 1 ? { ...each, value: '0.000000000000000135', weightPercent: '24.88000000000000001' } : each,
    )
    if (opened.constituents === undefined || constituents === undefined) throw new Error('the sample has none')
    await fake.push({
      quotes: [
        { id: 'NCI', value: '12345678901234.1234567890', publishedAtMs: sampleNowMs, source: 'stream', ageMs: 0 },
      ],
      state: { opened: { ...opened, constituents: { ...opened.constituents, constituents } } },
    })
    await expect(panelOf(page, 'NCI').locator('.value')).toHaveText('12,345,678,901,234.1234567890')
    const cut = `[...document.querySelectorAll('.panel .number, .panel .value, .panel dd, .panel .facts span')]
    .filter((each) => getComputedStyle(each).display !== 'inline' && !each.matches('.visually-hidden'))
    .filter(${isCut})
    .map((each) => each.textContent)`
    const overlapping = `{
    const boxes = [...document.querySelectorAll('.panel :is(h1, h2, .end, .name, .value, .facts, [role=tablist], .totals dl, .totals input, table)')]
      .map((each) => ({ name: each.className || each.tagName, box: each.getBoundingClientRect() }))
    boxes.flatMap((a, at) => boxes.slice(at + 1)
      .filter((b) => a.box.left < b.box.right - 0.5 && b.box.left < a.box.right - 0.5 &&
        a.box.top < b.box.bottom - 0.5 && b.box.top < a.box.bottom - 0.5)
      .map((b) => a.name + ' on ' + b.name))
  }`
    await atEachSize(page, async () => {
      await expect.poll(() => page.evaluate<string[]>(cut)).toEqual([])
      // What is scrolled goes below the head, which stays.
      await page.evaluate("document.querySelector('.panel').scrollTop = 0")
      await expect.poll(() => page.evaluate<string[]>(overlapping)).toEqual([])
    })
    // The checks themselves: a number made too long and a moved name are found.
    await page.evaluate(`document.querySelector('.panel td.number > div').textContent = '1'.repeat(90)`)
    await page.evaluate(`document.querySelector('.panel .name').style.setProperty('translate', '0 24px')`)
    expect(await page.evaluate<string[]>(cut)).toHaveLength(1)
    expect(await page.evaluate<string[]>(overlapping)).not.toEqual([])
  },
)

test(
  'the panel slides in when it comes, another index takes its place at once, and with reduced motion nothing moves',
  { tag: '@deep' },
  async ({ page }) => {
    await openWindow(page)
    await page.evaluate(`{
    globalThis.slides = []
    document.addEventListener('animationstart', ({ animationName }) => slides.push(animationName))
  }`)
    const slides = () => page.evaluate<number>("slides.filter((name) => name.endsWith('slide-in')).length")
    const still = () => page.evaluate<number>('document.getAnimations().length')

    // The first index opened by itself.
    await page.getByRole('button', { name: 'Close BRTI' }).click()
    await openByKey(page, 'NCI')
    await expect.poll(slides).toBe(1)
    await openByKey(page, 'BRTI')
    await expect.poll(still).toBe(0)
    expect(await slides()).toBe(1)
    await page.getByRole('button', { name: 'Collapse BRTI' }).click()
    await page.getByRole('button', { name: 'Expand BRTI' }).click()
    await expect.poll(slides).toBe(2)
    await page.emulateMedia({ reducedMotion: 'reduce' })
    await page.getByRole('button', { name: 'Close BRTI' }).click()
    await expect(panelOf(page, 'BRTI')).toHaveCount(0)
    await openByKey(page, 'NCI')
    await page.evaluate('new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(resolve)))')
    expect(await still()).toBe(0)
    expect(await slides()).toBe(2)
  },
)
