import { execFile } from 'node:child_process'
import { readFile, readdir } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { addressOf as addressOfSimulator } from '../../simulator/address'
import type { Simulator } from '../../simulator/server'
import type { ExportRequest } from '../../protocol/history'
import { expect, test } from '../support/app-test'
import { levelDraft } from '../support/sample-alerts'
import type { WatchPage } from '../support/watch-page'

const projectRoot = join(import.meta.dirname, '../..')
const minuteMs = 60_000
const dayMs = 86_400_000

interface RestValue {
  time: number
  value: string
}

async function published(simulator: Simulator, id: string): Promise<RestValue[]> {
  const authorization = `Basic ${btoa(`${simulator.keyId}:${simulator.keySecret}`)}`
  const answer = await fetch(`${simulator.restUrl}/api/v1/values?id=${id}`, { headers: { authorization } })
  return ((await answer.json()) as { payload: RestValue[] }).payload
}

/** Published time and value of each row. */
function rowsOf(csv: string): [string, string][] {
  const [head = '', ...lines] = csv.replace(/^\ufeff/, '').split('\r\n')
  const names = head.split(',')
  return lines
    .filter((line) => line !== '')
    .map((line) => {
      const fields = line.split(',')
      return [fields[names.indexOf('published')] ?? '', fields[names.indexOf('value')] ?? '']
    })
}

async function isKnown(watch: WatchPage, indexId: string, atMs: number): Promise<boolean> {
  const answer = await watch.ask('getValueAt', { indexId, atMs })
  return answer.ok && !answer.value.includes('"gap"') && !answer.value.includes('"revisions":[]')
}

test(
  'what was published is exported digit by digit, in the window and by the command beside it',
  { tag: '@deep' },
  async ({ bench, simulator }) => {
    test.setTimeout(180_000)
    const { running, watch } = await bench.launchLive(addressOfSimulator(simulator))
    await watch.expectState('Live')
    const nowMs = Date.now()
    const [fromMs, toMs] = [Math.floor(nowMs / minuteMs - 40) * minuteMs, Math.floor(nowMs / minuteMs - 2) * minuteMs]
    await expect.poll(() => isKnown(watch, 'BRTI', fromMs + 5 * minuteMs + 1), { timeout: 60_000 }).toBe(true)
    await expect.poll(() => isKnown(watch, 'BRR', nowMs - 90 * dayMs), { timeout: 60_000 }).toBe(true)
    const within = (values: RestValue[], from: number, to: number) =>
      values
        .filter(({ time }) => time >= from && time < to)
        .map(({ time, value }) => [new Date(time).toISOString(), value])

    const path = join(bench.folder, 'values.csv')
    await running.chooseFile(path)
    const ofSeconds: ExportRequest = { indexIds: ['BRTI'], fromMs, toMs, resolution: 'second', format: 'csv' }
    expect(await watch.ask('exportValues', ofSeconds)).toMatchObject({ ok: true, value: { fileName: 'values.csv' } })
    const seconds = within(await published(simulator, 'BRTI'), fromMs, toMs)
    expect(seconds.length).toBe((toMs - fromMs) / 1_000)
    expect(rowsOf(await readFile(path, 'utf8'))).toEqual(seconds)

    // The days of a quarter, by the command, while the app is running.
    const quarter = join(bench.folder, 'quarter.csv')
    const [first, last] = [nowMs - 90 * dayMs, nowMs - dayMs].map((ms) => new Date(ms).toISOString().slice(0, 10))
    const args = ['--ids', 'BRR', '--from', first ?? '', '--to', last ?? '', '--out', quarter]
    const command = join(projectRoot, 'out', 'main', 'export-cli.js')
    const { stdout } = await promisify(execFile)('node', [
      command,
      ...args,
      '--user-data-dir',
      join(bench.folder, 'profile'),
    ])
    expect(stdout).toContain(`rows written to ${quarter}`)
    const days = within(await published(simulator, 'BRR'), Date.parse(first ?? ''), Date.parse(last ?? ''))
    expect(days.length).toBeGreaterThan(50)
    expect(rowsOf(await readFile(quarter, 'utf8'))).toEqual(days)

    // A wrong id is said before anything is written.
    const wrong = ['--ids', 'BRR,BRX', '--from', first ?? '', '--out', join(bench.folder, 'wrong.csv')]
    const refused = promisify(execFile)('node', [command, ...wrong, '--user-data-dir', join(bench.folder, 'profile')])
    await expect(refused).rejects.toMatchObject({
      code: 1,
      stderr: expect.stringContaining('the history has no values of BRX. Did you mean BRR?'),
    })
    expect(await readdir(bench.folder)).not.toContain('wrong.csv')
  },
)

test(
  'a draft is tested on a range of the history, a rule says why it fired at a time of it, and an amendment has both revisions',
  { tag: '@deep' },
  async ({ service, alerts, run }) => {
    const { watch } = run
    const { page } = watch

    await test.step('a draft is tested on a range of it, and a rule says why it fired at a time of it', async () => {
      await run.make(levelDraft('110'))
      const firstMs = alerts.timeMs
      for (const value of ['101.00', '110.50', '99.00', '111.250', '98.00']) alerts.publish(value)
      await watch.expectValue('BRTI', '98.00', '98.00')
      const time = (ms: number) => new Date(ms).toISOString()

      await watch.open('Alerts')
      await page.getByRole('button', { name: 'New alert', exact: true }).click()
      const draft = page.getByRole('dialog', { name: 'New alert' })
      await draft.getByLabel('Level').fill('105')
      await draft.getByLabel('Tested on').selectOption('a range…')
      await draft.getByRole('textbox', { name: 'From' }).fill(time(firstMs))
      await draft.getByLabel('To, not included').fill(time(alerts.timeMs + 1))
      await page.keyboard.press('Enter')
      await expect(draft.getByRole('status')).toContainText('Would have fired twice from')
      await draft.getByText('Times and values').click()
      await expect(draft.locator('td[data-value]')).toHaveText(['111.250', '110.50'])
      await page.keyboard.press('Escape')
      await expect(draft).toHaveCount(0)

      const rule = page.getByRole('table', { name: 'Alerts' }).getByRole('row', { name: /BRTI/ })
      await rule.click({ button: 'right' })
      await page.getByRole('menuitem', { name: /^Why/ }).click()
      const why = page.getByRole('dialog', { name: 'Why did it fire, or not?' })
      await why.getByLabel('At', { exact: true }).fill(time(firstMs + 2_400))
      await page.keyboard.press('Enter')
      await expect(why).toContainText('The alert at that time: BRTI rises to 110.')
      const newest = why.getByRole('table').locator('tbody tr').first()
      await expect(newest).toContainText(/110\.50.*fired/s)
      await page.keyboard.press('Escape')
      await expect(why).toHaveCount(0)
    })

    await test.step('an amendment is in the ledger, and the value at its time has both revisions', async () => {
      await watch.open('Watchlists')
      const startMs = Math.floor(Date.now() / 1_000) * 1_000 - minuteMs
      service.sendValue('BRTI', '99.00', startMs)
      await watch.expectValue('BRTI', '99.00', '99.00')
      const amended = { type: 'value', time: startMs + 1_000, id: 'BRTI', value: '99.50', amendTime: startMs + 6_500 }
      service.sendValue('BRTI', '100.500', amended.time)
      await watch.expectValue('BRTI', '100.500', '100.500')
      service.send(amended)

      await page.keyboard.press('Control+k')
      await page.keyboard.type('amendments of all')
      await page.keyboard.press('Enter')
      const row = page.getByRole('table', { name: 'Amendments' }).locator('tbody tr')
      await expect(row).toHaveCount(1)
      await expect(row).toContainText('100.500')
      await expect(row).toContainText('99.50')
      await expect(row).toContainText('−1.000')
      await page.keyboard.press('Control+k')
      await page.keyboard.type('value at')
      await page.keyboard.press('Enter')
      const dialog = page.getByRole('dialog', { name: 'Value at a time' })
      await dialog.getByLabel('Index').fill('BRTI')
      await dialog.getByLabel('Time').fill(new Date(amended.time + 300).toISOString())
      await page.keyboard.press('Enter')
      await expect(dialog.getByRole('status')).toContainText('99.50')
      await expect(dialog.getByRole('table', { name: 'Revisions' }).locator('[data-value]')).toHaveText([
        '99.50',
        '100.500',
      ])
    })
  },
)
