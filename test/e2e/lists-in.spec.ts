import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, test } from '../support/app-test'
import { addressOf } from '../support/scripted-rest'
import { successBody } from '../support/scripted-service'

test(
  'a TradingView file becomes rows with sections, and a terminal code finds its index',
  { tag: '@deep' },
  async ({ bench, service }) => {
    const detail = { id: 'BRR', name: 'CME CF Bitcoin Reference Rate', decimals: 2, maxResolution: 'DAILY' }
    service.routes.set('indices/BRR/detail', { body: successBody({ ...detail, bloomberg: 'RATE1 Index', isin: null }) })
    const { running, watch } = await bench.launchLive(addressOf(service))
    await expect.poll(async () => (await watch.snapshot()).state.catalogue.length).toBe(2)
    const path = join(bench.folder, 'Desk.txt')
    await writeFile(path, Buffer.from('\ufeff###Spot,COINBASE:BTCUSD,FOO:BAR\r\n###Rates,RATE1 Index', 'utf16le'))
    await running.chooseFile(path)
    const { page } = watch
    const dialog = page.getByRole('dialog', { name: 'Import tickers' })
    const open = async () => {
      await page.getByRole('button', { name: 'Import and export watchlists' }).click()
      await page.getByRole('menuitem', { name: 'Import watchlists' }).click()
      await expect(dialog).toContainText('From Desk.txt')
    }

    await open()
    await expect(dialog).toContainText('Adds 1 index. 2 are not known.')
    await page.keyboard.press('Escape')
    await expect(dialog).toHaveCount(0)

    await watch.ask('openIndex', { indexId: 'BRR' })
    await expect
      .poll(async () => (await watch.snapshot()).state.catalogue.find(({ id }) => id === 'BRR')?.codes)
      .toEqual(['RATE1 Index'])
    await open()
    await expect(dialog).toContainText('Adds 2 indices. 1 is not known.')
    await dialog.getByRole('button', { name: 'Import', exact: true }).click()
    await expect(page.getByRole('heading', { level: 1 }).first()).toHaveText('Desk')
    await expect(page.locator('tr[data-index], tr[data-section]')).toHaveCount(4)
    const { settings } = (await watch.snapshot()).state
    expect(settings.watchlists.at(-1)).toMatchObject({
      name: 'Desk',
      entries: [{ id: 'BRTI' }, { id: 'BRR' }],
      sections: [
        { name: 'Spot', at: 0 },
        { name: 'Rates', at: 1 },
      ],
    })
    await page.keyboard.press('Control+z')
    await expect
      .poll(async () => (await watch.snapshot()).state.settings.watchlists.map(({ name }) => name))
      .not.toContain('Desk')

    await test.step('Ctrl+V with a row focused previews the clipboard for the list on screen', async () => {
      await watch.ask('copyText', { text: 'BTC-USD\n.BRR' })
      await page.locator('tr[data-index]').first().focus()
      await page.keyboard.press('Control+v')
      await expect(dialog).toContainText('From pasted text')
      await expect(dialog.getByRole('listitem')).toHaveText([/BTC-USD\s*→\s*BRTI/, /BRR/])
    })
  },
)
