import type { Page } from '@playwright/test'
import type { CommandArguments } from '../../protocol/commands/contract'
import { ok, refused, type FakeDesktop } from '../support/fake-desktop'
import { faults } from '../support/faults'
import { sampleTickers } from '../support/sample-tickers'
import { snapshotWithLists } from '../support/working-lists'
import { expect, openStory, openWindow, test } from './window-page'

const dialogOf = (page: Page) => page.getByRole('dialog', { name: 'Import tickers' })
const rowOf = (page: Page, text: string) => dialogOf(page).getByRole('listitem').filter({ hasText: text })
const boxOf = (page: Page, text: string) => rowOf(page, text).getByRole('checkbox')
const message = (page: Page) => page.getByRole('group', { name: 'Message' })

/** A window with two lists, in which texts are read as the sample. */
async function openReading(page: Page): Promise<FakeDesktop> {
  const fake = await openWindow(page, { snapshot: snapshotWithLists('Majors') })
  fake.handlers.readLists = ({ fileName = 'pasted text' }) => ok({ ...sampleTickers(), fileName })
  return fake
}

/** Pastes at the focused element. */
async function paste(page: Page, text: string): Promise<void> {
  await page.evaluate(`{
    const clipboardData = new DataTransfer()
    clipboardData.setData('text/plain', ${JSON.stringify(text)})
    const event = new ClipboardEvent('paste', { clipboardData, bubbles: true, cancelable: true })
    document.activeElement.dispatchEvent(event)
  }`)
}

/** Drags a file or, without a name, a text over an element and drops it there. */
async function drop(page: Page, selector: string, content: string, name?: string): Promise<void> {
  await page.evaluate(`{
    const dataTransfer = new DataTransfer()
    const [content, name] = ${JSON.stringify([content, name])}
    if (name === null) dataTransfer.setData('text/plain', content)
    else dataTransfer.items.add(new File([content], name))
    const options = { dataTransfer, bubbles: true, cancelable: true }
    const element = document.querySelector(${JSON.stringify(selector)})
    for (const type of ['dragover', 'drop']) element.dispatchEvent(new DragEvent(type, options))
  }`)
}

test('each ticker shows its index, what differs and what is not known', async ({ page }) => {
  const fake = await openStory(page, 'import tickers')
  const dialog = dialogOf(page)

  await test.step('only what names an index itself is ticked', async () => {
    await expect(dialog).toContainText('Adds 3 indices.')
    await expect(dialog).toContainText('1 is already in the list. 4 are not known.')
    await expect(dialog).toContainText('From Desk in London.txt')
    await expect(rowOf(page, 'COINBASE:BTCUSD')).toHaveText(
      /COINBASE:BTCUSD\s*→\s*BRTI\s*CME CF Bitcoin Real Time Index/,
    )
    await expect(boxOf(page, 'COINBASE:BTCUSD')).toBeChecked()
    await expect(rowOf(page, 'BINANCE:SOLUSDT.P')).toContainText('The index is in USD, the ticker in USDT.')
    await expect(boxOf(page, 'BINANCE:SOLUSDT.P')).not.toBeChecked()
    await expect(rowOf(page, 'CME:BTC1!')).toContainText('already in the list')
    await expect(rowOf(page, 'KRAKEN:XBTUSD')).toHaveText(
      /Line 2\s*KRAKEN:XBTUSD\/KRAKEN:ETHUSD\s*A spread of two symbols\./,
    )
    await expect(dialog.getByRole('heading', { level: 3 })).toHaveText(['Majors', 'Rates and others', 'Not known'])
    expect(await faults(page, { part: 'dialog' })).toEqual([])
    await expect(message(page)).toHaveCount(0)
  })
  await test.step('the list that gets them can be chosen, and what it has is not added', async () => {
    const target = dialog.getByRole('combobox', { name: 'Add to' })
    await expect(target).toHaveValue('Desk in London')
    await expect(target.getByRole('option')).toHaveText([
      'My list',
      'New watchlist Desk in London',
      'A watchlist for each section',
    ])
    await target.selectOption('My list')
    await expect(dialog).toContainText('Nothing to add.')
    await expect(dialog.getByRole('button', { name: 'Import', exact: true })).toHaveCount(0)
    await target.selectOption('A watchlist for each section')
    await expect(dialog).toContainText('Adds 3 indices.')
  })
  await test.step('the choice is imported, and a refusal stays in the dialog', async () => {
    await boxOf(page, 'COINBASE:BTCUSD').uncheck()
    await boxOf(page, 'BINANCE:SOLUSDT.P').check()
    fake.handlers.importLists = () => refused('listFull', 'Majors would contain more than 2,000 indices.')
    await dialog.getByRole('button', { name: 'Import', exact: true }).click()
    await expect(dialog).toContainText('Nothing was imported: Majors would contain more than 2,000 indices.')
    expect(fake.callsOf('importLists')).toEqual([{ importId: 'i1', taken: [1, 2, 3] }])
  })
  await test.step('without a tick the dialog says what to do', async () => {
    for (const text of ['BITSTAMP:ETHUSD', 'BINANCE:SOLUSDT.P', 'CME CF Bitcoin Reference']) {
      await boxOf(page, text).first().uncheck()
    }
    await expect(dialog).toContainText('Adds 0 indices.')
    await dialog.getByRole('button', { name: 'Import', exact: true }).click()
    await expect(dialog).toContainText('Choose at least one index.')
  })
})

test('a paste or a drop onto a list opens the preview for that list', { tag: '@deep' }, async ({ page }) => {
  const fake = await openReading(page)
  const dialog = dialogOf(page)
  const target = dialog.getByRole('combobox', { name: 'Add to' })
  const close = async () => {
    await page.keyboard.press('Escape')
    await expect(dialog).toHaveCount(0)
  }

  await test.step('a paste is for the list on screen', async () => {
    await page.locator('[data-index="BRR"]').focus()
    await paste(page, 'BTC\nETH')
    await expect(target).toHaveValue('My list')
    await expect(dialog).toContainText('From pasted text')
    expect(fake.callsOf('readLists')).toEqual([{ text: 'BTC\nETH' }])
    await close()
  })
  await test.step('a file in UTF-16 is read with its name', async () => {
    await drop(page, 'main', '###A,BTCUSD', 'mine.txt')
    await expect(dialog).toContainText('From mine.txt')
    expect(fake.callsOf('readLists').at(-1)).toEqual({ text: '###A,BTCUSD', fileName: 'mine.txt' })
    await close()
  })
  await test.step('a text dropped on another list is for that list', async () => {
    await drop(page, '[data-drop-list="majors"]', 'ETH')
    await expect(target).toHaveValue('Majors')
    await close()
  })
  await test.step('what is no list says why, and nothing is read', async () => {
    const count = fake.callsOf('readLists').length
    await drop(page, 'main', '\0\0', 'photo.png')
    await expect(message(page)).toContainText('Nothing was imported: photo.png is not a text. Choose another file.')
    await drop(page, 'main', 'x'.repeat(2 ** 20 + 1), 'long.csv')
    await expect(message(page)).toContainText('Nothing was imported: long.csv is larger than 1 MB. Import it in parts.')
    await paste(page, 'x'.repeat(2 ** 20 + 1))
    await expect(message(page)).toContainText('Nothing was imported: The text is larger than 1 MB. Import it in parts.')
    expect(fake.callsOf('readLists')).toHaveLength(count)
    fake.handlers.readLists = () => refused('otherFormat', 'It has no tickers.')
    await paste(page, '###A')
    await expect(message(page)).toContainText('Nothing was imported: It has no tickers.')
  })
})

test('imported tickers are undone together by Ctrl+Z', async ({ page }) => {
  const fake = await openReading(page)
  fake.handlers.importLists = async ({ taken = [], into }) => {
    const lists = fake.snapshot.state.settings.watchlists
    const held = lists.find(({ name }) => name === into)
    const before = { id: held?.id ?? '', entries: held?.entries ?? [] }
    for (const indexId of ['BRTI', 'ETHUSD_RTI', 'SOLUSD_RTI', 'BRR'].filter((_, place) => taken.includes(place))) {
      await fake.handlers.addIndex?.({ listId: before.id, indexId })
    }
    const undo: CommandArguments<'undoRows'> = { rowIds: ['ETHUSD_RTI', 'BRR'], lists: [before] }
    return ok({ adds: 2, changes: 0, undo })
  }
  await drop(page, '[data-drop-list="majors"]', 'ETH, BRR')
  await expect(dialogOf(page)).toContainText('Adds 2 indices.')
  await page.keyboard.press('Enter')
  const rows = page.locator('tr[data-index]')
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('Majors')
  await expect(rows).toHaveCount(3)
  await expect(message(page)).toContainText('Import done: 2 added')
  await page.keyboard.press('Control+z')
  await expect(rows).toHaveCount(1)
})

test('the field of Add index shows what it takes while one types', { tag: '@deep' }, async ({ page }) => {
  const fake = await openReading(page)
  await page.keyboard.press('Control+n')
  const field = page.getByRole('combobox', { name: 'Search indices' })
  const adding = page.getByRole('dialog', { name: 'Add index' })

  await test.step('one ticker finds its index, with what differs', async () => {
    await field.fill('COINBASE:BTCUSD')
    await expect(adding.getByRole('option').first()).toContainText('CME CF Bitcoin Real Time Index')
    await expect(adding).toContainText('COINBASE:BTCUSD is BRTI.')
    await field.fill('btcusdt')
    await expect(adding).toContainText('btcusdt is near BRTI. The index is in USD, the ticker in USDT.')
  })
  await test.step('several tickers lead to the preview', async () => {
    await field.fill('btc, eth, nope')
    await expect(adding.getByRole('option').first()).toHaveText(
      /Import 2 indices: BRTI, ETHUSD_RTI\s*1 not known: nope/,
    )
    await expect(adding).toContainText('A preview comes first.')
    expect(await faults(page, { part: 'dialog' })).toEqual([])
    await field.fill('bitcoin rate')
    await expect(adding.getByRole('option').first()).not.toContainText('Import')
    await field.fill('btc eth')
    await page.keyboard.press('Enter')
    await expect(dialogOf(page)).toBeVisible()
    expect(fake.callsOf('readLists')).toEqual([{ text: 'btc eth' }])
    await page.keyboard.press('Escape')
    await expect(page.getByRole('dialog')).toHaveCount(0)
  })
  await test.step('pasted lines lead to the preview', async () => {
    await page.keyboard.press('Control+n')
    await expect(field).toBeFocused()
    await paste(page, 'BTC\nETH')
    await expect(dialogOf(page)).toBeVisible()
    expect(fake.callsOf('readLists').at(-1)).toEqual({ text: 'BTC\nETH' })
  })
})
