import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { Worker } from 'node:worker_threads'
import { describe, expect, test } from 'vitest'
import { SystemClock } from '../../../../main/base/clock'
import { Exporter } from '../../../../main/history/exporter'
import type { ExportTask } from '../../../../main/history/export-file'
import { UnfinishedFiles } from '../../../../main/storage/unfinished-files'
import type { ExportRequest } from '../../../../protocol/history'
import { childProgram } from '../../../support/child-programs'
import { openHistory } from '../../../support/open-history'
import { valueOf } from '../../../support/value-of'
import { historyStartMs as startMs } from '../../../support/history-thread'
import { storedValue } from '../../../support/history-thread'
import { temporaryFolder } from '../../../support/temporary-folder'

const startThread = (workerData: ExportTask) => new Worker(childProgram('export-worker'), { workerData })

const request: ExportRequest = {
  indexIds: ['BRTI'],
  fromMs: startMs,
  toMs: startMs + 86_400_000,
  resolution: 'every',
  format: 'csv',
}

async function open(count: number, start = startThread) {
  const { history } = await openHistory()
  valueOf(await history.commit({ values: Array.from({ length: count }, (_, at) => storedValue(at, `${at}.50`)) }))
  const folder = temporaryFolder()
  const unfinished = new UnfinishedFiles(temporaryFolder())
  const exporter = new Exporter({
    clock: new SystemClock(),
    history,
    unfinished,
    decimalSign: () => ',',
    startThread: start,
  })
  return { history, exporter, folder, path: join(folder, 'values.csv') }
}

describe('an export beside the app', () => {
  test('runs in its own thread and includes values just received', async () => {
    const { history, exporter, path, folder } = await open(3)
    history.append([storedValue(100, '7.70')])
    expect(exporter.progress).toBeUndefined()
    expect(await exporter.run(request, path)).toEqual({ ok: true, value: { rowCount: 4 } })
    expect(readFileSync(path, 'utf8')).toContain(',7.70,')
    expect(exporter.progress).toBeUndefined()
    expect(readdirSync(folder)).toEqual(['values.csv'])
  })

  test('is the only one, and leaves nothing when it is cancelled', async () => {
    const { exporter, path, folder } = await open(40_000)
    const running = exporter.run(request, path)
    await expect.poll(() => exporter.progress).toBeDefined()
    expect(await exporter.run(request, `${path}.2`)).toMatchObject({ problem: { code: 'exportRunning' } })
    await exporter.dispose()
    expect(await running).toEqual({ ok: true, value: null })
    expect(readdirSync(folder)).toEqual([])
    expect(await exporter.run(request, path)).toEqual({ ok: true, value: { rowCount: 40_000 } })
  })

  test('fails without a file if its thread ends unexpectedly', async () => {
    const broken = (workerData: ExportTask) =>
      new Worker(
        "require('fs').writeFileSync(require('worker_threads').workerData.temporaryPath, 'half'); process.exit(3)",
        {
          workerData,
          eval: true,
        },
      )
    const { exporter, path, folder } = await open(1, broken)
    expect(await exporter.run(request, path)).toMatchObject({ problem: { code: 'internal' } })
    expect(existsSync(path)).toBe(false)
    expect(readdirSync(folder)).toEqual([])
  })
})
