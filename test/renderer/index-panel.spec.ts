import { faults } from '../support/faults'
import { chartAnswer, sampleSeries } from '../support/sample-chart'
import { sampleOpened } from '../support/sample-opened'
import { sampleNowMs } from '../support/sample-window'
import { refused } from '../support/fake-desktop'
import { expect, openStory, openWindow, test } from './window-page'
import { openByKey, panelOf } from './open-index'

test('an index opens in every way but by the button of its row, and a refusal says why', async ({ page }) => {
  const fake = await openWindow(page)

  await test.step('a double click on the button of a row opens nothing', async () => {
    await page.locator('[data-index="BRTI"]').hover()
    await page.getByRole('button', { name: 'Actions for BRTI' }).dblclick()
    expect(fake.callsOf('openIndex')).toEqual([])
    await page.keyboard.press('Escape')
    await page.locator('[data-index="BRTI"]').dblclick()
    await expect(panelOf(page, 'BRTI')).toBeVisible()
  })
  await test.step('an index opens by Enter, by double click, by the menu and by its name among the indices', async () => {
    fake.calls.length = 0
    await openByKey(page, 'NCI')
    await page.locator('[data-index="BRTI"]').dblclick()
    await expect(panelOf(page, 'BRTI')).toBeVisible()
    await expect(panelOf(page, 'NCI')).toHaveCount(0)
    await page.locator('[data-index="BRR"]').click({ button: 'right' })
    await page.getByRole('menuitem', { name: 'Open', exact: true }).click()
    await expect(panelOf(page, 'BRR')).toBeVisible()
    await page.getByRole('link', { name: 'Indices' }).click()
    await page.getByRole('button', { name: 'DOGEUSD_RTI', exact: true }).click()
    await expect(panelOf(page, 'DOGEUSD_RTI')).toBeVisible()
    // The panel also follows the selection.
    const opened = (fake.callsOf('openIndex') as { indexId: string }[]).map(({ indexId }) => indexId)
    expect([...new Set(opened)]).toEqual(['NCI', 'BRTI', 'BRR', 'DOGEUSD_RTI'])
  })
  await test.step('a refusal to open says why', async () => {
    await page.getByRole('link', { name: 'Watchlists' }).click()
    fake.handlers.openIndex = () => refused('badArguments', 'An index id has letters.')
    await page.locator('[data-index="BRTI"]').dblclick()
    await expect(page.getByRole('group', { name: 'Message' })).toContainText('BRTI could not be opened')
    await expect(panelOf(page, 'BRTI')).toHaveCount(0)
  })
})

test('an open index shows every digit, and stays open with its tab after a reload', async ({ page }) => {
  const fake = await openWindow(page)
  await openByKey(page, 'NCI')

  await test.step('value, change, times and the last 24 hours are shown, every digit', async () => {
    const panel = panelOf(page, 'NCI')
    await expect(panel.locator('[data-value="2835.55"]').first()).toHaveText('2,835.55')
    await expect(panel).toContainText('Exchange-Family Crypto Index')
    await expect(panel).toContainText(/▲\s*\+\s*9\.12\s*0\.32 %/)
    await expect(panel).toContainText('Published 14:02:11')
    await expect(panel).toContainText(/\b\d s ago/)
    await expect(panel).toContainText('amended')
    await expect(panel).toContainText('low 2,821.37')
    await expect(panel).toContainText('high 2,849.59')
  })
  await test.step('the last 24 hours arrive later and move nothing', async () => {
    const panel = panelOf(page, 'NCI')
    const range = panel.getByRole('radiogroup', { name: 'Range of the chart' })
    const withoutDay = sampleOpened('NCI')
    delete withoutDay.summary
    await fake.push({ state: { opened: withoutDay } })
    await expect(panel).not.toContainText('low')
    // Waits until the panel has slid in.
    await expect.poll(() => page.evaluate('document.getAnimations().length')).toBe(0)
    const before = await range.boundingBox()
    await fake.push({ state: { opened: sampleOpened('NCI') } })
    await expect(panel).toContainText('low 2,821.37')
    expect(await range.boundingBox()).toEqual(before)
  })
  await test.step('Escape closes a dialog, empties a field, then closes the index and focuses its row', async () => {
    await page.getByRole('button', { name: 'New alert' }).click()
    await page.keyboard.press('Escape')
    await expect(page.getByRole('dialog')).toHaveCount(0)
    await page.getByLabel('Filter constituents').fill('eth')
    await page.keyboard.press('Escape')
    await expect(page.getByLabel('Filter constituents')).toHaveValue('')
    expect(fake.callsOf('closeIndex')).toHaveLength(0)
    await page.keyboard.press('Escape')
    await expect(panelOf(page, 'NCI')).toHaveCount(0)
    expect(fake.callsOf('closeIndex')).toHaveLength(1)
    await expect(page.locator('[data-index="NCI"]')).toBeFocused()
  })
})

test('the panel follows the selected row, until it is pinned', async ({ page }) => {
  await openWindow(page)
  await openByKey(page, 'BRTI')
  await page.keyboard.press('ArrowDown')
  await expect(panelOf(page, 'ETHUSD_RTI')).toBeVisible()
  await page.locator('[data-index="NCI"]').click()
  await expect(panelOf(page, 'NCI')).toBeVisible()
  const pin = page.getByRole('button', { name: 'Pin NCI' })
  await pin.click()
  await expect(page.locator('[aria-live]').filter({ hasText: /^Pinned$/ })).toBeAttached()
  await page.locator('[data-index="BRTI"]').click()
  await page.keyboard.press('ArrowDown')
  // Longer than a selection rests before it is followed.
  await page.waitForTimeout(300)
  await expect(pin).toHaveAttribute('aria-pressed', 'true')
  await page.reload()
  await expect(pin).toHaveAttribute('aria-pressed', 'true')
  await pin.click()
  await page.locator('[data-index="BRTI"]').click()
  await expect(panelOf(page, 'BRTI')).toBeVisible()
})

test(
  'the divider is dragged, moved by keys, reset and kept, and selects no text',
  { tag: '@deep' },
  async ({ page }) => {
    await page.setViewportSize({ width: 1440, height: 820 })
    await openWindow(page)
    await openByKey(page, 'BRTI')
    const divider = page.getByRole('separator', { name: 'Width of the index page' })
    await expect(divider).toHaveAttribute('aria-valuenow', '547')
    const drag = async (byPx: number) => {
      const box = await divider.boundingBox()
      if (box === null) throw new Error('the divider has no place')
      await page.mouse.move(box.x + 4, 400)
      await page.mouse.down()
      await page.mouse.move(box.x + 4 + byPx, 420, { steps: 4 })
      await page.mouse.up()
    }
    await drag(-100)
    await expect(divider).toHaveAttribute('aria-valuenow', '647')
    expect(await page.evaluate<string>('String(getSelection())')).toBe('')
    await drag(600)
    await expect(divider).toHaveAttribute('aria-valuenow', '400')
    await divider.press('ArrowLeft')
    await expect(divider).toHaveAttribute('aria-valuenow', '416')
    await divider.press('Home')
    await expect(divider).toHaveAttribute('aria-valuenow', '720')
    await page.reload()
    await expect(divider).toHaveAttribute('aria-valuenow', '720')
    expect(await faults(page)).toEqual([])
    await divider.dblclick()
    await expect(divider).toHaveAttribute('aria-valuenow', '547')
    await page.setViewportSize({ width: 1280, height: 820 })
    await expect(divider).toHaveAttribute('aria-valuenow', '480')
  },
)

test('a window opened again shows the page that was open', async ({ page }) => {
  const fake = await openWindow(page)
  await openByKey(page, 'BRTI')
  await page.locator('[data-index="NCI"]').click()
  await expect(panelOf(page, 'NCI')).toBeVisible()
  // A new window has no session.
  await page.evaluate('sessionStorage.removeItem("selected-index:watchlist")')
  fake.calls.length = 0
  await page.reload()
  await expect(panelOf(page, 'NCI')).toBeVisible()
  expect(fake.callsOf('openIndex')).toEqual([])
})

test('the value of an index in no list is a dash until it is published', async ({ page }) => {
  const fake = await openWindow(page, { view: 'indices' })

  await test.step('a value that was not published yet is a dash', async () => {
    await page.getByRole('button', { name: 'LINKUSD_RTI', exact: true }).click()
    await expect(panelOf(page, 'LINKUSD_RTI').locator('.value')).toHaveText('—')
    await expect(panelOf(page, 'LINKUSD_RTI')).toContainText('No value yet')
  })
  await test.step('an alert is created for the open index, also if it is in no list', async () => {
    await page.getByRole('button', { name: 'DOGEUSD_RTI', exact: true }).click()
    await page.getByRole('button', { name: 'New alert' }).click()
    await expect(page.getByRole('dialog').getByLabel('Index')).toHaveValue('DOGEUSD_RTI')
    await page.keyboard.press('Escape')
    await expect(page.getByRole('dialog')).toHaveCount(0)
  })
  await test.step('an index that is in no list can be added to one', async () => {
    await page.getByRole('button', { name: 'DOGEUSD_RTI', exact: true }).click()
    await panelOf(page, 'DOGEUSD_RTI').getByRole('button', { name: 'Add to watchlist' }).click()
    await expect(page.getByRole('button', { name: 'Add to watchlist' })).toHaveCount(0)
    expect(fake.callsOf('addIndex')).toEqual([{ listId: 'watchlist', indexId: 'DOGEUSD_RTI' }])
  })
})

test('in a small window Space shows value and chart of a row over the list', { tag: '@deep' }, async ({ page }) => {
  await page.setViewportSize({ width: 900, height: 600 })
  const fake = await openWindow(page)
  fake.handlers.getChart = chartAnswer(sampleSeries(), {})
  const row = page.locator('tr[data-index="BRTI"]')
  const dialog = page.getByRole('dialog', { name: 'BRTI' })
  await row.focus()
  await page.keyboard.press('Space')
  await expect(dialog).toContainText('68,123.40')
  await expect(dialog.getByRole('slider', { name: 'Chart of BRTI' })).toBeVisible()
  await expect(panelOf(page, 'BRTI')).toHaveCount(0)
  expect(await faults(page, { part: 'dialog' })).toEqual([])
  await page.keyboard.press('Escape')
  await expect(dialog).toHaveCount(0)
  await expect(row).toBeFocused()
  await expect.poll(() => fake.callsOf('closeIndex')).toHaveLength(1)
  await page.keyboard.press('Space')
  await dialog.getByRole('button', { name: 'Open', exact: true }).click()
  await expect(panelOf(page, 'BRTI')).toBeVisible()
  await expect(dialog).toHaveCount(0)
})

test(
  'the tabs of an index, its reference data, its corporate action and its resolution',
  { tag: '@deep' },
  async ({ page }) => {
    const fake = await openWindow(page)

    await test.step('an error that a new connection clears does not make the panel jump', async () => {
      await openByKey(page, 'BRTI')
      const selected = page.getByRole('tab', { selected: true })
      await expect(selected).toHaveText('Reference data')
      await fake.push({ state: { opened: { ...sampleOpened('BRTI'), problems: [] } } })
      await expect(selected).toHaveText('Reference data')
      await openByKey(page, 'NCI')
      await expect(selected).toHaveText('Constituents')
    })
    await test.step('the tabs are walked through by keyboard, and each names its panel', async () => {
      await openByKey(page, 'BRTI')
      const tabs = page.getByRole('tablist', { name: 'About BRTI' }).getByRole('tab')
      // The index is known to have no constituents.
      await expect(tabs).toHaveText(['Reference data', 'Amendments', 'Fixings', 'Settlement', 'Market'])
      await expect(tabs.first()).toHaveAttribute('aria-selected', 'true')
      await tabs.first().focus()
      await page.keyboard.press('ArrowRight')
      await expect(page.getByRole('tabpanel', { name: 'Amendments' })).toBeVisible()
      await page.keyboard.press('ArrowRight')
      await expect(page.getByRole('tabpanel', { name: 'Fixings' })).toBeVisible()
      await page.keyboard.press('ArrowRight')
      await expect(page.getByRole('tabpanel', { name: 'Settlement' })).toBeVisible()
      await page.keyboard.press('ArrowRight')
      await expect(tabs.nth(4)).toBeFocused()
      await expect(page.getByRole('tabpanel', { name: 'Market' })).toContainText('68,123.7025')
      await page.keyboard.press('ArrowRight')
      await expect(tabs.first()).toBeFocused()
      await page.keyboard.press('End')
      await expect(tabs.nth(4)).toBeFocused()
    })
    await test.step('reference data is shown whole, and an index without base and quote says so', async () => {
      await openByKey(page, 'NCI')
      await page.getByRole('tab', { name: 'Reference data' }).click()
      const definition = (term: string) =>
        page.locator('dl > div', { has: page.getByRole('term').filter({ hasText: term }) }).getByRole('definition')
      await expect(definition('Base')).toHaveText('none')
      await expect(definition('Quote')).toHaveText('none')
      await expect(definition('Publication time zone')).toHaveText('Europe/London')
      const nci = sampleOpened('NCI')
      const tiers = JSON.stringify(Array.from({ length: 100 }, (_, at) => ({ feeRate: at })))
      const facts = [{ name: 'feeTiers', text: tiers }]
      await fake.push({ state: { opened: { ...nci, detail: { id: 'NCI', maxResolution: 'PER_SECOND', facts } } } })
      const whole = definition('Fee tiers').getByRole('group')
      await expect(whole).toHaveJSProperty('open', false)
      await whole.getByText('Show all').click()
      await expect(whole).toHaveJSProperty('open', true)
      await expect(whole).toContainText('fee rate 99')
      await openByKey(page, 'BRTI')
      await expect(definition('Base')).toHaveText('BTC')
      const message = 'The reference data could not be asked for: too many requests.'
      await fake.push({ state: { opened: { ...sampleOpened('BRTI'), problems: [{ part: 'detail', message }] } } })
      await expect(page.getByRole('tabpanel')).toContainText(message)
      await expect(definition('Base')).toHaveText('BTC')
      // Without any connection, only the banner reports it.
      const { status, connections } = fake.snapshot.state
      const problems = [
        { part: 'detail' as const, message },
        { part: 'summary' as const, message },
      ]
      await fake.push({ state: { opened: { ...sampleOpened('BRTI'), problems } } })
      await expect(page.getByText(message)).toHaveCount(2)
      const offline = { ...status, state: 'offline' as const }
      const gone = connections.map((each) => ({ ...each, state: 'offline' as const }))
      await fake.push({ state: { status: offline, connections: gone } })
      await expect(page.getByText(message)).toHaveCount(0)
      // While another connection is live, the refusals are shown.
      await fake.push({ state: { status: offline, connections: [...connections, ...gone] } })
      await expect(page.getByText(message)).toHaveCount(2)
      await fake.push({ state: { status, connections } })
    })
    await test.step('a corporate action is shown unchanged, with its state in words', async () => {
      await openByKey(page, 'TSLAXUSD_RTI')
      await page.getByRole('tab', { name: 'Corporate actions' }).click()
      const part = page.getByRole('tabpanel')
      await expect(part).toContainText('Announced, not yet in effect.')
      await expect(part.getByRole('term').filter({ hasText: 'New multiplier' })).toBeVisible()
      await expect(part).toContainText('10.000000')
      await expect(part.getByTitle('1795444200000')).toHaveText('23 Nov 2026 14:30')
      const opened = sampleOpened('TSLAXUSD_RTI')
      const facts = [
        { name: 'Status', text: 'EFFECTIVE' },
        { name: 'x-unknown', text: '<b>7</b>' },
        { name: 'x-unknown', text: '8' },
      ]
      await fake.push({ state: { opened: { ...opened, corporateAction: { publishedAtMs: sampleNowMs, facts } } } })
      await expect(part).toContainText('In effect.')
      await expect(part.getByRole('definition')).toHaveText(['EFFECTIVE', '<b>7</b>', '8'])
      await fake.push({ state: { opened: { ...opened, corporateAction: null } } })
      // The open tab stays until another is chosen.
      await expect(part).toContainText('None active.')
      await page.getByRole('tab', { name: 'Reference data' }).click()
      await expect(page.getByRole('tab', { name: 'Corporate actions' })).toHaveCount(0)
      await openByKey(page, 'NCI')
      await expect(page.getByRole('tab', { name: 'Corporate actions' })).toHaveCount(0)
    })
  },
)

test('the tab of constituents stays until the index is known to have none', async ({ page }) => {
  const fake = await openWindow(page)
  await openByKey(page, 'BRTI')
  const { catalogue } = fake.snapshot.state
  const tab = page.getByRole('tab', { name: 'Constituents' })
  const opened = { ...sampleOpened('BRTI'), problems: [] }
  await fake.push({ state: { opened, catalogue: catalogue.filter(({ id }) => id !== 'BRTI') } })
  await tab.click()
  await fake.push({ state: { catalogue } })
  await expect(tab).toHaveCount(0)
  await expect(page.getByRole('tabpanel', { name: 'Reference data' })).toContainText('BTC')
})

test('data from the history show when this computer received them', async ({ page }) => {
  await openStory(page, 'index, offline')
  await expect(page.getByText('Last calculated')).toBeVisible()
  await page.getByRole('tab', { name: 'Reference data' }).click()
  const panel = page.getByRole('tabpanel')
  await expect(panel).toContainText('As of 13:02:11, 1 h ago, from this computer’s history')
  await expect(panel).toContainText('Exchange Crypto')
})

test('the head shows the time of a value as the list does, and the age beside it keeps its place', async ({ page }) => {
  await page.setViewportSize({ width: 1900, height: 820 })
  const fake = await openWindow(page)
  await openByKey(page, 'BRTI')
  const head = panelOf(page, 'BRTI').locator('.latest')
  const starts: (number | undefined)[] = []
  for (const text of ['14:02:11', '14:02:11.4']) {
    const publishedAtMs = Date.parse(`2026-11-21T${text}Z`)
    await fake.push({ quotes: fake.snapshot.quotes.map((quote) => ({ ...quote, publishedAtMs })) })
    await expect(page.locator('[data-index="BRTI"] .published')).toHaveText(text)
    await expect(head.locator('.published')).toHaveText(`Published ${text}`)
    starts.push((await head.locator('.age').boundingBox())?.x)
  }
  expect(starts[1]).toBe(starts[0])
})

test('without a connection each part of the page shows its time and its age', async ({ page }) => {
  const fake = await openStory(page, 'index, offline')
  const panel = panelOf(page, 'NCI')
  const opened = sampleOpened('NCI')
  if (opened.constituents === undefined) throw new Error('the sample has no constituents')
  const constituents = { ...opened.constituents, publishedAtMs: sampleNowMs - 7_200_000 }
  await fake.push({ state: { opened: { ...opened, constituents } } })
  await expect(panel.getByRole('definition').filter({ hasText: '2 h ago' })).toContainText('12:02:11.6')
  await expect(panel.getByText(/^\d+ s ago$/)).toBeVisible()
  await expect(panel.getByRole('group', { name: 'Chart of NCI' })).toContainText('as of 14:02:11')
  // The reason is shown once, above the panel.
  await expect(page.getByText('The connection was lost.')).toHaveCount(1)
  await expect(panel).not.toContainText(/offline|connection/i)
})

test(
  'in a narrow window the index replaces the list, and Back returns the focus to the row',
  { tag: '@deep' },
  async ({ page }) => {
    await page.setViewportSize({ width: 900, height: 600 })
    await openWindow(page)
    const row = page.locator('[data-index="UC5_RTI_TR"]')
    await row.dblclick()
    await expect(page.getByRole('button', { name: 'Back' })).toBeFocused()
    await expect(row).not.toBeVisible()
    await page.getByRole('button', { name: 'Back' }).click()
    await expect(row).toBeFocused()
  },
)
