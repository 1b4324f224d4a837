import { readFile } from 'node:fs/promises'
import { fromJson } from '../../protocol/json'
import { expect, test } from '../support/app-test'

test(
  'a tool of the service is run from its form: the value is that of the history, with every digit, and stays marked as from a tool',
  { tag: '@deep' },
  async ({ bench }) => {
    const { running, watch } = await bench.launchDemo()
    const { page } = watch
    // Of an index that is in no list, and a day that nothing else has asked for.
    await page.evaluate(() => (location.hash = '#assistants/get_historical_results/index=ETHUSD_RR'))
    const form = page.getByRole('form', { name: 'get_historical_results' })
    const day = new Date(Date.now() - 40 * 86_400_000).toISOString().slice(0, 10)
    await form.getByLabel('datetime').fill(`${day} 17:00 UTC`)
    await form.getByRole('button', { name: 'Run' }).click()
    const answer = page.getByRole('region', { name: 'Answer of get_historical_results' })
    await expect(answer.getByText('Source: Demo (simulated). Snapshot, not live.')).toBeVisible()
    const [, cells] = await answer.getByRole('row').all()
    const [index, , , value = ''] = (await cells?.getByRole('cell').allTextContents()) ?? []
    const publishedMs = await cells?.getByRole('cell').nth(2).getAttribute('title')
    expect(index).toBe('ETHUSD_RR')

    await test.step('the tape has it', async () => {
      const atMs = Number(publishedMs)
      const found = await watch.ask('getValueAt', { indexId: 'ETHUSD_RR', atMs })
      if (!found.ok) throw new Error(found.problem.message)
      expect(fromJson(found.value).revisions).toMatchObject([{ value, source: 'tool', connection: 'Demo' }])
    })
    await test.step('saved as CSV it has the same cells', async () => {
      const path = `${bench.folder}/results.csv`
      await running.chooseFile(path)
      await answer.getByRole('button', { name: 'Save as CSV' }).click()
      await expect(page.getByText('Saved as results.csv').first()).toBeVisible()
      expect(await readFile(path, 'utf8')).toContain(`${publishedMs ?? ''},${value}`)
    })
    await test.step('what the service refuses is said in its words', async () => {
      await form.getByLabel('index').fill('NOPE')
      await form.getByRole('button', { name: 'Run' }).click()
      await expect(answer.getByRole('cell', { name: 'Unknown id' })).toBeVisible()
    })
    await test.step('the calls are listed with their time', async () => {
      await expect(page.getByRole('table', { name: 'Your calls of tools' }).getByRole('row')).toHaveCount(3)
    })
  },
)
