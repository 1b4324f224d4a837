import { execFile } from 'node:child_process'
import { readFile, readdir } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { addressOf as addressOfSimulator } from '../../simulator/address'
import type { Simulator } from '../../simulator/server'
import type { ExportRequest } from '../../protocol/history'
import { expect, test } from '../support/app-test'
import { readWorkbook } from '../support/read-workbook'
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
  const [head = '', ...lines] = csv.split('\n')
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
  'published values are exported digit for digit, from the window and by the command',
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

    // As a workbook each value is a number with its published digits.
    const workbook = join(bench.folder, 'values.xlsx')
    await running.chooseFile(workbook)
    const asWorkbook: ExportRequest = { ...ofSeconds, format: 'xlsx' }
    expect(await watch.ask('exportValues', asWorkbook)).toMatchObject({ ok: true, value: { rowCount: seconds.length } })
    const sheets = await readWorkbook(await readFile(workbook))
    expect(Object.keys(sheets)).toEqual(['Values', 'Events', 'Constituents', 'About'])
    const cells = sheets['Values']?.slice(1).map((row) => row[3])
    expect(cells?.map((cell) => cell?.text)).toEqual(seconds.map(([, value]) => value))
    expect(cells?.some((cell) => cell?.isText)).toBe(false)

    // The command exports the daily values of a quarter while the app is running.
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

    // In a German region it writes a decimal comma.
    const inGermany = { env: { ...process.env, LC_ALL: 'de_DE.UTF-8' } }
    const profile = ['--user-data-dir', join(bench.folder, 'profile')]
    await promisify(execFile)('node', [command, ...args, '--format', 'csv-excel', ...profile], inGermany)
    const values = (await readFile(quarter, 'utf8')).trimEnd().split('\r\n').slice(1)
    expect(values.map((line) => line.split(';')[1])).toEqual(days.map(([, value]) => value?.replace('.', ',')))

    // A wrong id is reported before anything is written.
    const wrong = ['--ids', 'BRR,BRX', '--from', first ?? '', '--out', join(bench.folder, 'wrong.csv')]
    const refused = promisify(execFile)('node', [command, ...wrong, '--user-data-dir', join(bench.folder, 'profile')])
    await expect(refused).rejects.toMatchObject({
      code: 1,
      stderr: expect.stringContaining('the history has no values of BRX. Did you mean BRR?'),
    })
    expect(await readdir(bench.folder)).not.toContain('wrong.csv')
  },
)
