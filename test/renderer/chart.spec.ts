import type { Locator, Page } from '@playwright/test'
import { formatDecimal } from '../../core/decimal'
import type { ChartPoint } from '../../protocol/responses'
import type { ConnectionState } from '../../core/model'
import { toJson } from '../../protocol/json'
import { ok, refused } from '../support/fake-desktop'
import { faults } from '../support/faults'
import { firedEvent, levelDraft } from '../support/sample-alerts'
import { chartAnswer, fixingsAnswer, sampleSeries } from '../support/sample-chart'
import { sampleNowMs, sampleSnapshot } from '../support/sample-window'
import { chartOf, openChart, readerOf } from './open-chart'
import { openByKey, panelOf } from './open-index'
import { expect, openStory, openWindow, test } from './window-page'

const lastMs = sampleNowMs - 600

function course(...values: string[]): ChartPoint[] {
  return values.map((value, at) => ({ value, publishedAtMs: lastMs - (values.length - 1 - at) * 1_000 }))
}

/** Number of colours in the drawing. An empty canvas has one. */
const inkOf = (page: Page): Promise<number> =>
  page.evaluate<number>(`{
    const canvas = document.querySelector('.chart canvas')
    const copy = new OffscreenCanvas(canvas.width, canvas.height).getContext('2d', { willReadFrequently: true })
    copy.drawImage(canvas, 0, 0)
    const { data } = copy.getImageData(0, 0, canvas.width, canvas.height)
    new Set(new Uint32Array(data.buffer)).size
  }`)

test('a chart is described, read by pointer, drawn in the theme and reloaded', async ({ page }) => {
  const fake = await openChart(page)

  await test.step('the series is described in words with exact values, its gaps and its marks', async () => {
    await expect(readerOf(page)).toHaveAccessibleDescription(
      /^BRTI over 1 hour: first 68,170\.00, last 68,123\.40, low 67,\d{3}\.\d\d, high 68,\d{3}\.\d\d, 2 gaps, 1 amended, 1 carried forward$/,
    )
    await expect(chartOf(page)).toContainText('2 gaps')
    await expect(chartOf(page)).toContainText('1 amended')
    await expect.poll(() => inkOf(page)).toBeGreaterThan(3)
  })
  await test.step('the pointer reads a value without an announcement', async () => {
    const before = await readerOf(page).getAttribute('aria-valuetext')
    const box = await readerOf(page).boundingBox()
    if (box === null) throw new Error('the chart has no place')
    await page.mouse.move(box.x + 4, box.y + box.height / 2)
    await expect(chartOf(page).locator('[data-reading]')).toHaveText(/^68,\d{3}\.\d\d$/)
    await expect(chartOf(page)).toContainText(/21 Nov 2026, 13:0\d:\d\d\.000/)
    expect(await readerOf(page).getAttribute('aria-valuetext')).toBe(before)
    await page.mouse.move(10, 10)
    await expect(chartOf(page).locator('[data-reading]')).toHaveCount(0)
  })
  await test.step('the drawing follows the theme', async () => {
    const picture = `document.querySelector('.chart canvas').toDataURL()`
    await expect.poll(() => inkOf(page)).toBeGreaterThan(3)
    const light = await page.evaluate<string>(picture)
    await fake.push({ state: { settings: { ...fake.snapshot.state.settings, theme: 'dark' } } })
    await expect.poll(() => page.evaluate<string>(picture)).not.toBe(light)
    await fake.push({ state: { settings: { ...fake.snapshot.state.settings, theme: 'light' } } })
    await expect.poll(() => page.evaluate<string>(picture)).toBe(light)
  })
  await test.step('offline the chart shows its time, and is requested again after a reconnect', async () => {
    fake.calls.length = 0
    const status = fake.snapshot.state.status
    const inState = (state: ConnectionState) => fake.snapshot.state.connections.map((each) => ({ ...each, state }))
    await expect(readerOf(page)).toBeVisible()
    await expect(chartOf(page)).not.toContainText('as of')
    await fake.push({ state: { status: { ...status, state: 'reconnecting' }, connections: inState('reconnecting') } })
    await expect(chartOf(page)).toContainText('as of 14:02:11')
    expect(fake.callsOf('getChart')).toHaveLength(0)
    await fake.push({ state: { status, connections: inState('live') } })
    await expect(chartOf(page)).not.toContainText('as of')
    await expect.poll(() => fake.callsOf('getChart').length).toBe(1)
  })
  await test.step('the chart is requested again after its own reconnect, although another is offline', async () => {
    fake.calls.length = 0
    await expect(readerOf(page)).toBeVisible()
    expect(fake.callsOf('getChart')).toHaveLength(0)
    const { status, connections } = fake.snapshot.state
    const away = { id: 'away', name: 'Away', isDemo: false, state: 'offline' as const, streamCount: 0, indexCount: 0 }
    const overall = { ...status, state: 'offline' as const }
    const lost = connections.map((each) => ({ ...each, state: 'reconnecting' as const }))
    await fake.push({ state: { status: overall, connections: [...lost, away] } })
    await expect(chartOf(page)).toContainText('as of')
    await fake.push({ state: { status: overall, connections: [...connections, away] } })
    await expect.poll(() => fake.callsOf('getChart').length).toBe(1)
    await fake.push({ state: { status, connections } })
  })
  await test.step('missing data are explained, in place of the chart or below it', async () => {
    const why = 'The provider has values of the last 24 hours only.'
    fake.handlers.getChart = chartAnswer([], { problem: why })
    await page.getByRole('radio', { name: '7 days' }).check()
    await expect(chartOf(page)).toContainText(why)
    await expect(readerOf(page)).toHaveCount(0)
    fake.handlers.getChart = chartAnswer(sampleSeries(), { problem: why })
    await page.getByRole('radio', { name: '24 hours' }).check()
    await expect(readerOf(page)).toBeVisible()
    await expect(chartOf(page)).toContainText(why)
    // Without any connection the banner says why.
    const { connections } = fake.snapshot.state
    await fake.push({ state: { connections: connections.map((each) => ({ ...each, state: 'offline' as const })) } })
    await expect(chartOf(page)).not.toContainText(why)
    await fake.push({ state: { connections } })
    await expect(chartOf(page)).toContainText(why)
    fake.handlers.getChart = chartAnswer([])
    await page.getByRole('radio', { name: '30 days' }).check()
    await expect(chartOf(page)).toContainText('Nothing was published in the last 30 days.')
  })
  await test.step('a chart that could not be loaded says why and can be requested again', async () => {
    await page.getByRole('radio', { name: '1 hour' }).check()
    fake.handlers.getChart = () => refused('unreachable', 'The provider did not answer.')
    await page.getByRole('radio', { name: '24 hours' }).check()
    await expect(chartOf(page)).toContainText('The chart could not be loaded. The provider did not answer.')
    fake.handlers.getChart = chartAnswer(sampleSeries())
    await page.getByRole('button', { name: 'Try again' }).click()
    await expect(readerOf(page)).toBeVisible()
  })
})

test('a chart shows its exact low and high, and is read by keys and as a table', async ({ page }) => {
  const fake = await openChart(page, { points: course('68000.100', '67801.020000000001', '68544.90') })
  /** Makes the page request the chart again and answers with these points. */
  const draw = async (points: ChartPoint[]) => {
    fake.handlers.getChart = chartAnswer(points)
    await fake.push({}, { skip: 1 })
  }

  await test.step('low and high are published values, with every digit', async () => {
    await expect(chartOf(page).locator('.extremes')).toHaveText(
      /0\.80 % since 14:02:09\s+low 67,801\.020000000001 – high 68,544\.90\s*$/,
    )
  })
  await test.step('the newest values are shown as a table, every digit', async () => {
    const [amended, ...others] = course('101.500', '102.25', '103.0')
    if (amended === undefined) throw new Error('no point')
    await draw([{ ...amended, amendedAtMs: lastMs }, ...others])
    await expect(readerOf(page)).toHaveAccessibleDescription(/last 103\.0,/)
    await page.getByRole('button', { name: 'Values as a table' }).click()
    const dialog = page.getByRole('dialog', { name: 'Values of BRTI' })
    await expect(dialog.locator('tbody .number')).toHaveText(['103.0', '102.25', '101.500'])
    await expect(dialog.getByRole('row').last()).toContainText('amended 21 Nov 2026')
    // In a narrow window the tables of the panel stick below its header. The table of a dialog must not.
    await page.setViewportSize({ width: 900, height: 600 })
    const top = async (inside: Locator) => (await inside.boundingBox())?.y
    expect(await top(dialog.getByRole('columnheader').first())).toBe(await top(dialog.getByRole('region')))
    await page.setViewportSize({ width: 1280, height: 820 })
    expect(await faults(page, { part: 'dialog' })).toEqual([])
    await page.keyboard.press('Escape')
    await expect(dialog).toHaveCount(0)
  })
  await test.step('after missed updates the chart is requested again', async () => {
    await draw(course('1.00', '2.00'))
    await expect(readerOf(page)).toHaveAccessibleDescription(/last 2\.00/)
    fake.calls.length = 0
    fake.handlers.getChart = chartAnswer(course('1.00', '2.00', '3.00'))
    await fake.push({}, { skip: 1 })
    await expect(readerOf(page)).toHaveAccessibleDescription(/last 3\.00/)
    expect(fake.callsOf('getChart')).toEqual([{ indexId: 'BRTI', range: '1h' }])
  })
  await test.step('keys read the values one by one and announce them', async () => {
    const points = course(...Array.from({ length: 30 }, (_, at) => `${100 + at}.50`))
    const [first] = points
    if (first === undefined) throw new Error('no point')
    points[0] = { ...first, amendedAtMs: lastMs }
    await draw(points)
    const reader = readerOf(page)
    await expect(reader).toHaveAccessibleDescription(/last 129\.50/)
    await reader.focus()
    for (const [key, value] of [
      ['ArrowLeft', '129.50'],
      ['ArrowLeft', '128.50'],
      ['PageUp', '118.50'],
      ['PageDown', '128.50'],
      ['Shift+ArrowLeft', '118.50'],
      ['Shift+ArrowRight', '128.50'],
      ['ArrowRight', '129.50'],
      ['ArrowRight', '129.50'],
      ['Home', '100.50'],
    ] as const) {
      await page.keyboard.press(key)
      await expect(chartOf(page).locator('[data-reading]')).toHaveText(value)
      await expect(reader).toHaveAttribute(
        'aria-valuetext',
        new RegExp(`^${value.replace('.', '\\.')}, 21 Nov 2026, 14:0`),
      )
    }
    await expect(reader).toHaveAttribute('aria-valuetext', /amended 21 Nov 2026, 14:02:11/)
    await page.keyboard.press('Escape')
    await expect(chartOf(page).locator('[data-reading]')).toHaveCount(0)
    await expect(panelOf(page, 'BRTI')).toBeVisible()
  })
})

test('a value received while the chart loads is not lost', async ({ page }) => {
  const fake = await openWindow(page)
  let answer = (): void => undefined
  const asked = new Promise<void>((resolve) => (answer = resolve))
  fake.handlers.getChart = async (args) => {
    await asked
    return chartAnswer(course('1.00', '2.00'))(args)
  }
  await openByKey(page, 'BRTI')
  await expect(chartOf(page)).toContainText('Loading')
  await fake.push({ points: [{ indexId: 'BRTI', point: { value: '3.00', publishedAtMs: lastMs + 1_000 } }] })
  answer()
  await expect(readerOf(page)).toHaveAccessibleDescription(/first 1\.00, last 3\.00/)
})

test('the range is remembered, separately for indices that publish rarely', { tag: '@deep' }, async ({ page }) => {
  const fake = await openChart(page)
  await expect(page.getByRole('radio', { name: '1 hour' })).toBeChecked()
  await page.getByRole('radio', { name: '24 hours' }).check()
  await openByKey(page, 'BRR')
  await expect(page.getByRole('radio', { name: '1 year' })).toBeChecked()
  for (const name of ['1 hour', '24 hours']) {
    const range = page.getByRole('radio', { name })
    await expect(range).toBeDisabled()
    await expect(range).toHaveAccessibleDescription('BRR is published daily: choose a longer range')
  }
  await openByKey(page, 'NCI')
  await expect(page.getByRole('radio', { name: '24 hours' })).toBeChecked()
  await page.reload()
  await openByKey(page, 'ETHUSD_RTI')
  await expect(page.getByRole('radio', { name: '24 hours' })).toBeChecked()
  expect(fake.callsOf('getChart').slice(0, 3)).toEqual([
    { indexId: 'BRTI', range: '1h' },
    { indexId: 'BRTI', range: '24h' },
    { indexId: 'BRR', range: '1y' },
  ])
})

test('the drawing is as sharp as the screen', { tag: '@deep' }, async ({ browser, baseURL }) => {
  const page = await browser.newPage({ deviceScaleFactor: 2, ...(baseURL === undefined ? {} : { baseURL }) })
  await page.clock.setSystemTime(sampleNowMs)
  await openChart(page)
  await expect(readerOf(page)).toBeVisible()
  const ratio = `{ const canvas = document.querySelector('.chart canvas'); canvas.width / canvas.clientWidth }`
  expect(await page.evaluate<number>(ratio)).toBeCloseTo(2, 1)
  await page.close()
})

test('a custom range is typed, drawn exactly, named, and removed by a button', { tag: '@deep' }, async ({ page }) => {
  const fake = await openStory(page, 'index, chart and market conditions')
  const chart = page.getByRole('group', { name: 'Chart of BRTI' })
  const custom = chart.getByRole('button', { name: 'Custom range' })
  await custom.click()
  const dialog = page.getByRole('dialog', { name: 'Custom range' })
  expect(await faults(page, { part: 'dialog' })).toEqual([])
  await dialog.getByLabel('From').fill('today 12:00')
  await dialog.getByLabel('To').fill('today 11:00')
  await page.keyboard.press('Enter')
  await expect(dialog.getByRole('alert')).toHaveText('The range ends before it begins. Choose an end after its start.')
  expect(await faults(page, { part: 'dialog' })).toEqual([])
  await dialog.getByLabel('To').fill('today 13:30')
  await page.keyboard.press('Enter')
  await expect(dialog).toHaveCount(0)
  await expect(custom).toHaveAttribute('aria-pressed', 'true')
  await expect(chart.getByRole('radio', { checked: true })).toHaveCount(0)
  const range = { fromMs: Date.UTC(2026, 10, 21, 12), toMs: Date.UTC(2026, 10, 21, 13, 30) }
  await expect.poll(() => fake.callsOf('getChart').at(-1)).toEqual({ indexId: 'BRTI', range })
  await expect(page.getByLabel('Chart of BRTI over 21 Nov 2026 12:00 to 21 Nov 2026 13:30')).toBeVisible()
  await chart.getByRole('radio', { name: '24 hours' }).check()
  await expect(custom).toHaveAttribute('aria-pressed', 'false')
  await expect.poll(() => fake.callsOf('getChart').at(-1)).toEqual({ indexId: 'BRTI', range: '24h' })
})

test('known values are drawn before the service answers, with the alerts that fired', async ({ page }) => {
  const fake = await openWindow(page)
  let answer = (): void => undefined
  const asked = new Promise<void>((resolve) => (answer = resolve))
  const points = course('100.00', '101.00', '102.00')
  fake.handlers.getKnownChart = chartAnswer(points)
  fake.handlers.getChart = async (args) => {
    await asked
    return chartAnswer([...points, { value: '103.00', publishedAtMs: lastMs + 1_000 }])(args)
  }
  const firing = (number: number, at: number) =>
    firedEvent(number, levelDraft('101'), {
      inputs: { value: `10${at}.00`, publishedAtMs: points[at]?.publishedAtMs ?? 0, direction: 'up' },
    })
  fake.handlers.getIndexEvents = () => ok(toJson([firing(900, 1), firing(901, 1)]))
  await openByKey(page, 'BRTI')
  await expect(readerOf(page)).toHaveAccessibleDescription(/first 100\.00, last 102\.00, .*, 2 alert events$/)
  await fake.push({ state: { inbox: [firing(902, 2), ...fake.snapshot.state.inbox] } })
  await expect(readerOf(page)).toHaveAccessibleDescription(/3 alert events$/)
  await readerOf(page).focus()
  await page.keyboard.press('Home')
  await expect(chartOf(page)).not.toContainText('rose to')
  await page.keyboard.press('ArrowRight')
  // Two rules have the same level.
  await expect(chartOf(page).getByTitle('rose to 101.00 (level 101)')).toHaveCount(2)
  await expect(readerOf(page)).toHaveAttribute('aria-valuetext', /alert rose to 101\.00 \(level 101\)$/)
  answer()
  await expect(readerOf(page)).toHaveAccessibleDescription(/last 103\.00, .*, 3 alert events$/)
})

/** Labels of the value axis from the top, with their y in CSS pixels. */
const axisLabels = `(async () => {
  const canvas = document.querySelector('.chart canvas')
  const context = CanvasRenderingContext2D.prototype
  const fillText = context.fillText
  const found = new Map()
  context.fillText = function (text, x, y) {
    if (this.canvas === canvas && /^[\\d,.]+$/.test(text)) found.set(text, this.getTransform().transformPoint({ x, y }).y)
    return fillText.apply(this, [text, x, y])
  }
  // A new width makes the chart draw again.
  const { style } = document.querySelector('.chart .place')
  style.paddingRight = style.paddingRight === '1px' ? '0' : '1px'
  await new Promise((resolve) => setTimeout(resolve, 300))
  context.fillText = fillText
  return [...found].map(([text, y]) => ({ text, y })).sort((a, b) => a.y - b.y)
})()`

/** Keeps the texts of the latest drawing, and makes the chart draw again. Runs inside the page. */
const keepTexts = `{
  const canvas = document.querySelector('.chart canvas')
  const context = CanvasRenderingContext2D.prototype
  const { fillText, clearRect } = context
  context.clearRect = function (...box) {
    if (this.canvas === canvas) window.drawnTexts = []
    return clearRect.apply(this, box)
  }
  context.fillText = function (text, x, y) {
    const { width } = this.measureText(text)
    const left = x - ({ right: width, center: width / 2 }[this.textAlign] ?? 0)
    if (this.canvas === canvas) window.drawnTexts.push({ text, left, right: left + width, y })
    return fillText.apply(this, [text, x, y])
  }
  document.querySelector('.chart .place').style.paddingRight = '1px'
}`

/** The kept texts that a tag of the crosshair covers, in whole or in part. Runs inside the page. */
const coveredTexts = `[...document.querySelectorAll('.chart .plot-tag')].flatMap((tag) => {
  const frame = document.querySelector('.chart canvas').getBoundingClientRect()
  const { left, right, top, bottom } = tag.getBoundingClientRect()
  return window.drawnTexts
    .filter((text) => text.right > left - frame.left && text.left < right - frame.left)
    .filter((text) => text.y + 4 > top - frame.top && text.y - 4 < bottom - frame.top)
    .map(({ text }) => text + ' under ' + tag.textContent)
})`

test(
  'the axis of a chart has four labels or more, at least 28 pixels apart, at any height',
  { tag: '@deep' },
  async ({ page }) => {
    const points = (high: number): ChartPoint[] =>
      Array.from({ length: 600 }, (_, at) => ({
        value: (86_100 + (high * (at % 60)) / 59).toFixed(2),
        publishedAtMs: sampleNowMs - (600 - at) * 1_000,
      }))
    const snapshot = sampleSnapshot()
    // The level of an alert would cover a label.
    snapshot.state.alerts = []
    const fake = await openChart(page, { points: points(700), snapshot })
    for (const height of [600, 1_000]) {
      await page.setViewportSize({ width: 1280, height })
      for (const [at, high] of [700, 730, 301, 12.4].entries()) {
        fake.handlers.getChart = chartAnswer(points(high))
        await page.getByRole('radio', { name: at % 2 === 0 ? '24 hours' : '1 hour' }).check()
        await expect(readerOf(page)).toBeVisible()
        await expect(readerOf(page)).toHaveAccessibleDescription(
          new RegExp(`high ${formatDecimal((86_100 + high).toFixed(2))}`),
        )
        const found = await page.evaluate<{ text: string; y: number }[]>(axisLabels)
        // The tag of the last value hides a label that it would cover.
        expect(found.length, JSON.stringify({ height, high, found })).toBeGreaterThanOrEqual(4)
        const labels = found.filter(({ text }) => text !== formatDecimal((86_100 + high).toFixed(2)))
        for (const [place, { y }] of labels.entries())
          if (place > 0) expect(y - (labels[place - 1]?.y ?? 0)).toBeGreaterThanOrEqual(27.5)
      }
    }
  },
)

test('no text of an axis is under a tag of the crosshair', { tag: '@deep' }, async ({ page }) => {
  await openChart(page)
  const box = await readerOf(page).boundingBox()
  if (box === null) throw new Error('the chart has no place')
  await page.evaluate(keepTexts)
  await expect.poll(() => page.evaluate('window.drawnTexts?.length')).toBeGreaterThan(8)
  const found = []
  for (let x = 8; x < box.width - 90; x += 24) {
    await page.mouse.move(box.x + x, box.y + 90)
    await page.evaluate('new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(resolve)))')
    found.push(...(await page.evaluate<string[]>(coveredTexts)))
  }
  expect(found).toEqual([])
})

test('a range without real-time history shows the daily rate, or is off', async ({ page }) => {
  const fake = await openChart(page)
  fake.handlers.getChart = (args) => (args.indexId === 'BRR' ? fixingsAnswer() : chartAnswer(sampleSeries()))(args)
  const week = page.getByRole('radio', { name: '7 days' })
  await week.check()
  await expect(page.getByRole('slider', { name: 'Chart of BRTI over 7 days: BRR, daily' })).toBeVisible()
  // Low, high and change are those of the line.
  await expect(chartOf(page).locator('.extremes')).toHaveText(/% +low 66,795\.66 – high 68,\d+\.\d\d\s*$/)
  await expect(chartOf(page)).toContainText('BRR, daily')
  await expect(readerOf(page)).toHaveAccessibleDescription(/^BRR .*last 67,999\.99, low 66,795\.66/)
  await expect.poll(() => fake.callsOf('followIndices').at(-1)).toEqual({ indexIds: ['BRR'] })
  const { opened } = fake.snapshot.state
  await fake.push({ state: { opened: { id: 'BRTI', problems: [], ...opened, wholeRanges: ['7d'] } } })
  await expect(chartOf(page)).not.toContainText('BRR, daily')
  await openByKey(page, 'SOLUSD_RTI')
  await expect(page.getByRole('radio', { name: '1 hour' })).toBeChecked()
  await expect(week).toBeDisabled()
  await expect(week).toHaveAccessibleDescription('24 h known')
})

test('a one-year chart with one day of data says since when its change counts', { tag: '@deep' }, async ({ page }) => {
  const points = Array.from({ length: 1_440 }, (_, at) => ({
    value: (88_000 - at).toFixed(2),
    publishedAtMs: sampleNowMs - (1_440 - at) * 60_000,
  }))
  const fake = await openChart(page, { points, more: { gapAfterMs: 240_000 } })
  fake.handlers.getChart = chartAnswer(points, { gapAfterMs: 240_000, spacingMs: 60_000 })
  await page.getByRole('radio', { name: '1 year' }).check()
  await expect(chartOf(page)).toContainText(/1\.64 % since 20 Nov 14:02/)
  await expect(chartOf(page)).toContainText('low 86,561.00 – high 88,000.00')
  // Points six hours apart may miss the lowest and the highest value.
  fake.handlers.getChart = chartAnswer(points, { gapAfterMs: 240_000, spacingMs: 21_600_000 })
  await page.getByRole('radio', { name: '24 hours' }).check()
  await page.getByRole('radio', { name: '1 year' }).check()
  await expect(chartOf(page)).toContainText(/ since 20 Nov 14:02/)
  await expect(chartOf(page)).not.toContainText('–')
})
