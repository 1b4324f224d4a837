import type { Page } from '@playwright/test'
import type { ConstituentsPublication } from '../../core/model'
import { toJson } from '../../protocol/json'
import { ok, refused, type FakeDesktop } from '../support/fake-desktop'
import { familyClosing, sampleMembership } from '../support/many-constituents'
import { sampleOpened } from '../support/sample-opened'
import { sampleNowMs } from '../support/sample-window'
import { expect, openWindow, recordMarks, test } from './window-page'

const tableOf = (page: Page, id: string) => page.getByRole('table', { name: `Constituents of ${id}`, exact: true })

async function openNci(page: Page): Promise<FakeDesktop> {
  const fake = await openWindow(page)
  await page.locator('[data-index="NCI"]').dblclick()
  await expect(tableOf(page, 'NCI')).toBeVisible()
  return fake
}

/** Pushes the sample's constituents with a change. */
async function publish(
  fake: FakeDesktop,
  change: (publication: ConstituentsPublication) => ConstituentsPublication,
): Promise<void> {
  const opened = sampleOpened('NCI')
  if (opened.constituents === undefined) throw new Error('the sample has no constituents')
  await fake.push({ state: { opened: { ...opened, constituents: change(structuredClone(opened.constituents)) } } })
}

function withValue(publication: ConstituentsPublication, name: string, value: string): ConstituentsPublication {
  const constituents = publication.constituents.map((each) => (each.constituent === name ? { ...each, value } : each))
  return { ...publication, constituents }
}

const namesIn = (page: Page, id: string) => tableOf(page, id).getByRole('rowheader')

test('a basket has no divisor and nothing to expand', { tag: '@deep' }, async ({ page }) => {
  await openWindow(page)

  await test.step('a basket has no divisor and nothing to expand, and its small numbers are written out', async () => {
    await page.locator('[data-index="UC5_RTI_TR"]').dblclick()
    const table = tableOf(page, 'UC5_RTI_TR')
    await expect(table.getByRole('row', { name: /^SHIB/ }).locator('[data-value="1.3504e-5"]')).toHaveText(
      '0.000013504',
    )
    await expect(table.getByRole('row', { name: /^SHIB/ }).getByRole('cell').last()).toHaveText('15')
    await expect(table.getByRole('button', { expanded: false })).toHaveCount(0)
    await expect(page.getByRole('tabpanel')).not.toContainText('Divisor')
    await expect(page.getByRole('tabpanel')).toContainText('100.00 %')
  })
  await test.step('in a low window the column heads stay below the page header while scrolling', async () => {
    await page.locator('[data-index="NCI"]').dblclick()
    await expect(tableOf(page, 'NCI')).toBeVisible()
    await page.setViewportSize({ width: 1280, height: 300 })
    await page.getByRole('button', { name: 'BTC', expanded: false }).click()
    const panel = page.getByRole('region', { name: 'NCI', exact: true })
    await panel.hover()
    await page.mouse.wheel(0, 5_000)
    await expect(tableOf(page, 'NCI').getByRole('rowheader', { name: 'LINK' })).toBeInViewport()
    const newAlert = await panel.getByRole('button', { name: 'New alert' }).boundingBox()
    const columns = await tableOf(page, 'NCI').getByRole('columnheader', { name: 'Constituent' }).boundingBox()
    expect(columns?.y).toBeGreaterThanOrEqual((newAlert?.y ?? Infinity) + (newAlert?.height ?? 0))
  })
})

test('constituents are shown digit for digit, sorted, filtered and expanded', async ({ page }) => {
  const fake = await openNci(page)

  await test.step('constituents that are not live, or older than the value, are marked as the last known', async () => {
    // A value becomes stale without a message, and its constituents with it.
    const later = (ms: number, value = '2836.00') => ({
      quotes: [{ id: 'NCI', value, publishedAtMs: sampleNowMs - 600 + ms, source: 'stream', ageMs: 0 } as const],
    })
    await fake.push(later(1, '2835.56'))
    const term = page.getByRole('tabpanel').getByRole('term').last()
    await expect(term).toHaveText('Calculated')
    const { status } = fake.snapshot.state
    await fake.push({ state: { status: { ...status, state: 'reconnecting' } } })
    await expect(term).toHaveText('Last calculated')
    await fake.push({ state: { status } })
    await expect(term).toHaveText('Calculated')
    await fake.push(later(9_000))
    await expect(page.getByRole('region', { name: 'NCI' }).locator('.value')).toHaveText('2,836.00')
    await expect(term).toHaveText('Calculated')
    await fake.push(later(10_000))
    await expect(term).toHaveText('Last calculated')
  })
  await test.step('names, values and weights are shown digit for digit, with divisor and exact total', async () => {
    const table = tableOf(page, 'NCI')
    for (const name of ['Constituent', 'Value', 'Weight %']) {
      await expect(table.getByRole('columnheader', { name, exact: true })).toBeVisible()
    }
    await expect(namesIn(page, 'NCI')).toHaveText(['BTC', 'ETH', 'SOL', 'XRP', 'LINK'])
    const eth = table.getByRole('row', { name: /^ETH/ })
    await expect(eth.locator('[data-value="3456.70"]')).toHaveText('3,456.70')
    await expect(eth.getByRole('cell').last()).toHaveText('24.880')
    await expect(page.getByRole('tabpanel')).toContainText('203,484,212.3109')
    // Contributions to the change of 9.12 since the page was opened, with the weights at that time. LINK was added
    // since then, and BCH removed.
    await expect(page.locator('[data-points]')).toHaveText('= contributions +7.90 + residual +1.22')
    // The published sum 58.214 + 24.880 + 8.412 + 5.031 + 3.460, not rounded to 100.
    await expect(page.getByRole('tabpanel')).toContainText('99.997 %')
  })
  await test.step('a header sorts by its column: numbers from the greatest, then reversed, then as published', async () => {
    const header = (name: string) => tableOf(page, 'NCI').getByRole('columnheader', { name, exact: true })
    const press = (name: string) => header(name).getByRole('button').click()
    await press('Value')
    await expect(header('Value')).toHaveAttribute('aria-sort', 'descending')
    await expect(namesIn(page, 'NCI')).toHaveText(['BTC', 'ETH', 'SOL', 'LINK', 'XRP'])
    await press('Value')
    await expect(header('Value')).toHaveAttribute('aria-sort', 'ascending')
    await expect(namesIn(page, 'NCI')).toHaveText(['XRP', 'LINK', 'SOL', 'ETH', 'BTC'])
    await press('Constituent')
    await expect(header('Value')).not.toHaveAttribute('aria-sort', /./)
    await expect(namesIn(page, 'NCI')).toHaveText(['BTC', 'ETH', 'LINK', 'SOL', 'XRP'])
    await press('Since page opened')
    // The addition has no change and comes last in both directions.
    await expect(namesIn(page, 'NCI')).toHaveText(['BTC', 'XRP', 'SOL', 'ETH', 'LINK'])
    await press('Since page opened')
    await expect(namesIn(page, 'NCI')).toHaveText(['ETH', 'SOL', 'XRP', 'BTC', 'LINK'])
    await press('Since page opened')
    await expect(namesIn(page, 'NCI')).toHaveText(['BTC', 'ETH', 'SOL', 'XRP', 'LINK'])
  })
  await test.step('the filter narrows the rows and does not change the total', async () => {
    const filter = page.getByLabel('Filter constituents')
    await filter.fill('l')
    await expect(namesIn(page, 'NCI')).toHaveText(['SOL', 'LINK'])
    await expect(page.getByRole('tabpanel')).toContainText('99.997 %')
    await filter.fill('doge')
    await expect(page.getByRole('tabpanel')).toContainText('No constituent matches “doge”.')
    await filter.fill('')
  })
  await test.step('exchanges expand per constituent, by keyboard too, and stay open over new values', async () => {
    await fake.push({ state: { opened: sampleOpened('NCI') } })
    const button = page.getByRole('button', { name: 'ETH', exact: true })
    await expect(button).toHaveAttribute('aria-expanded', 'false')
    await button.focus()
    await page.keyboard.press('Enter')
    await expect(button).toHaveAttribute('aria-expanded', 'true')
    await expect(namesIn(page, 'NCI')).toHaveText([
      'BTC',
      'ETH',
      'Coinbase',
      'Kraken',
      'Bitstamp',
      'SOL',
      'XRP',
      'LINK',
    ])
    await expect(tableOf(page, 'NCI').getByRole('row', { name: /^Coinbase/ })).toContainText('51.02')
    await publish(fake, (publication) => withValue(publication, 'ETH', '3457.01'))
    await expect(tableOf(page, 'NCI').getByRole('row', { name: /^ETH/ })).toContainText('3,457.01')
    await expect(button).toHaveAttribute('aria-expanded', 'true')
    await expect(button).toBeFocused()
    await page.keyboard.press('Enter')
    await expect(namesIn(page, 'NCI')).toHaveCount(5)
  })
  await test.step('a new divisor is shown as published', async () => {
    await publish(fake, (publication) => ({ ...publication, divisor: '203484999.0000' }))
    await expect(page.locator('[data-value="203484999.0000"]')).toHaveText('203,484,999.0000')
  })
  await test.step('additions and deletions since the opening are listed, and changes are since then', async () => {
    await fake.push({ state: { opened: sampleOpened('NCI') } })
    const moved = page.getByRole('list', { name: 'Constituent changes since page opened' })
    await expect(moved).toContainText('LINK added')
    await expect(moved).toContainText('BCH removed')
    await expect(tableOf(page, 'NCI').getByRole('row', { name: /^LINK/ })).toContainText('added')
    await expect(tableOf(page, 'NCI').getByRole('row', { name: /^BTC/ })).toContainText('0.61 %')
    await publish(fake, (publication) => ({
      ...publication,
      constituents: publication.constituents.map((each) =>
        each.constituent === 'LINK' ? { constituent: 'BCH', value: '793.3554', weightPercent: '3.463' } : each,
      ),
    }))
    await expect(moved).toHaveCount(0)
    await expect(namesIn(page, 'NCI')).toHaveText(['BTC', 'ETH', 'SOL', 'XRP', 'BCH'])
  })
  await test.step('a new value is marked and moves nothing, and rows keep their places until sorted again', async () => {
    await fake.push({ state: { opened: sampleOpened('NCI') } })
    await tableOf(page, 'NCI').getByRole('button', { name: 'Value' }).click()
    const marks = await recordMarks(page)
    const boxes = () =>
      page.evaluate<string>(
        "JSON.stringify([...document.querySelectorAll('.panel :is(th, td)')].map((cell) => cell.getBoundingClientRect()))",
      )
    const before = await boxes()
    await publish(fake, (publication) => withValue(publication, 'LINK', '99999.5'))
    await expect(tableOf(page, 'NCI').getByRole('row', { name: /^LINK/ })).toContainText('99,999.5')
    expect(await marks()).toEqual(['rise 99,999.5'])
    expect((await boxes()) === before).toBe(true)
    await expect(namesIn(page, 'NCI')).toHaveText(['BTC', 'ETH', 'SOL', 'LINK', 'XRP'])
    await tableOf(page, 'NCI').getByRole('button', { name: 'Constituent' }).click()
    await tableOf(page, 'NCI').getByRole('button', { name: 'Value' }).click()
    await expect(namesIn(page, 'NCI')).toHaveText(['LINK', 'BTC', 'ETH', 'SOL', 'XRP'])
  })
  // An error thrown while the table is drawn fails the test.
  await test.step('the constituent whose row has the focus may be removed', async () => {
    const button = page.getByRole('button', { name: 'ETH', exact: true })
    await button.focus()
    await publish(fake, (publication) => ({
      ...publication,
      constituents: publication.constituents.filter(({ constituent }) => constituent !== 'ETH'),
    }))
    await expect(button).toHaveCount(0)
    await publish(fake, (publication) => withValue(publication, 'BTC', '68999.99'))
    await expect(tableOf(page, 'NCI').getByRole('row', { name: /^BTC/ })).toContainText('68,999.99')
  })
})

test('the tools take one line at any size, and all bars have one scale', { tag: '@deep' }, async ({ page }) => {
  await openNci(page)
  for (const size of [
    { width: 1440, height: 900 },
    { width: 1280, height: 820 },
    { width: 1110, height: 700 },
    { width: 900, height: 600 },
  ]) {
    await page.setViewportSize(size)
    const tops = `[...document.querySelectorAll('.tools :is(input, button)')].map((each) => {
      const { top, height } = each.getBoundingClientRect()
      return Math.round(top + height / 2)
    })`
    await expect.poll(async () => new Set(await page.evaluate<number[]>(tops)).size).toBe(1)
  }
  await page.getByRole('button', { name: 'SOL', exact: true }).click()
  const tracks = new Set<number>()
  const widthOf = async (row: RegExp) => {
    const bar = tableOf(page, 'NCI').getByRole('row', { name: row }).locator('.bar')
    const [own, track] = [await bar.boundingBox(), await bar.locator('..').boundingBox()]
    tracks.add(track?.width ?? 0)
    return (own?.width ?? 0) / (track?.width ?? 1)
  }
  // The bar of 70 % within SOL has the length of 70 %, although SOL weighs 8 %.
  expect(await widthOf(/^Coinbase/)).toBeCloseTo(0.7, 1)
  expect(await widthOf(/^BTC/)).toBeCloseTo(0.58, 1)
  expect(await widthOf(/^SOL/)).toBeCloseTo(0.08, 1)
  expect([...tracks]).toHaveLength(1)
})

test('changes are since 00:00 UTC if the values at that time are known', async ({ page }) => {
  const fake = await openNci(page)
  const panel = page.getByRole('tabpanel')
  const opened = sampleOpened('NCI')
  await expect(panel).not.toContainText('Recalculated')
  await fake.push({ state: { opened: { ...opened, closing: familyClosing() } } })
  await expect(tableOf(page, 'NCI').getByRole('columnheader', { name: 'Since 00:00 UTC' })).toBeVisible()
  await expect(panel).toContainText(
    'Change +4.48 since 00:00 UTC (20 Nov 23:57:59.000) = contributions +4.83 + residual \u22120.35',
  )
  await expect(panel).toContainText('Recalculated 2,835.91 · published 2,835.55 · difference \u22120.36')
  await expect(panel.getByText('Recalculated')).toHaveAttribute(
    'title',
    /Rounded to 2 decimals\. Weights.* 3 decimals\./,
  )
  await page.getByRole('button', { name: 'Changes since: Previous day' }).click()
  await page.getByRole('menu', { name: 'Changes since' }).getByText('Page opened').click()
  await expect(page.locator('[data-points]')).toHaveText('= contributions +7.90 + residual +1.22')
  // Another divisor means other holdings, so a change across it cannot be computed.
  const other = { ...familyClosing(), divisor: '1.0' }
  await fake.push({ state: { opened: { ...opened, closing: other } } })
  await expect(panel).not.toContainText('Recalculated')
})

test('constituent changes are listed with their times, and can be saved', { tag: '@deep' }, async ({ page }) => {
  const fake = await openNci(page)
  const dialog = page.getByRole('dialog', { name: 'Constituent changes of NCI' })
  const open = () => page.getByRole('button', { name: 'Constituent changes of NCI' }).click()

  await test.step('no change is known yet', async () => {
    await open()
    await expect(dialog).toContainText('No constituent history for NCI yet.')
    await expect(dialog.getByRole('button', { name: 'Export…' })).toHaveCount(0)
    await page.keyboard.press('Escape')
  })
  await test.step('a history that cannot be read says why, and is requested again', async () => {
    fake.handlers.getMembership = () => refused('notReady', 'The history is not open yet.')
    await open()
    await expect(dialog.getByRole('alert')).toContainText('The history is not open yet.')
    fake.handlers.getMembership = () => ok(toJson(sampleMembership))
    await dialog.getByRole('button', { name: 'Try again' }).click()
  })
  await test.step('each change has its time, or the time before if unobserved, and its constituents', async () => {
    await expect(dialog.getByRole('term')).toHaveText([
      '21 Nov 2026 12:02',
      '20 Nov 2026 12:02 after 19 Nov 2026 22:02',
    ])
    await expect(dialog.getByRole('definition').first().getByRole('listitem')).toHaveText([
      'LINK added at 3.452 %',
      'BCH removed (was 3.570 %)',
      'BTC reweighted, 58.001 % → 58.190 %',
      'ETH reweighted, 24.992 % → 24.871 %',
      'Divisor 203,100,918.0021 → 203,484,212.3109',
    ])
    await expect(dialog.getByRole('listitem').last()).toHaveText('2 more reweighted')
    await expect(dialog).toContainText('No data before 15 Nov 2026 14:02')
  })
  await test.step('it is exported from a dialog above it', async () => {
    fake.handlers.saveMembershipTable = () => ok({ fileName: 'NCI-membership.csv' })
    await dialog.getByRole('button', { name: 'Export…' }).click()
    const formats = page.getByRole('dialog', { name: 'Export constituent changes of NCI' })
    await formats.getByRole('button', { name: 'Export…' }).click()
    await expect(formats).toHaveCount(0)
    await expect(dialog).toBeVisible()
    await expect(page.getByRole('group', { name: 'Message' })).toContainText('Saved as NCI-membership.csv')
    expect(fake.callsOf('saveMembershipTable')).toEqual([{ indexId: 'NCI' }])
  })
})
