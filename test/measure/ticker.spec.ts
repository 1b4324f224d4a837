/** What the ticker costs at ten rows a second, in Linux's own count of CPU time: `npm run measure`. */
import { readdir, readFile } from 'node:fs/promises'
import { setTimeout as sleep } from 'node:timers/promises'
import { expect, test } from '@playwright/test'
import type { RunningApp } from '../support/app-bench'
import { onLiveApp } from './live-app'

const pinned = ['BRTI', 'ETHUSD_RTI', 'SOLUSD_RTI', 'XRPUSD_RTI', 'NCI', 'UC5_RTI_TR', 'SHIBUSD_RTI', 'LINKUSD_RTI']
const ids = [...pinned, 'DOGEUSD_RTI', 'AVAXUSD_RTI']
const spanMs = 20_000
/** What comes and goes by itself, such as the tape's backup, is in one round and not in the other. */
const rounds = 3

/** CPU time that a process has taken so far, over its threads. */
async function cpuMs(pid: number): Promise<number> {
  const threads = await readdir(`/proc/${pid}/task`)
  const taken = await Promise.all(
    threads.map(async (thread) => {
      const text = await readFile(`/proc/${pid}/task/${thread}/schedstat`, 'utf8').catch(() => '0')
      return Number(text.split(' ')[0]) / 1e6
    }),
  )
  return taken.reduce((sum, each) => sum + each, 0)
}

/** Percent of a core over the span, by type of process. */
async function shares({ app }: RunningApp): Promise<Map<string, number>> {
  const processes = await app.evaluate((electron) =>
    electron.app.getAppMetrics().map(({ pid, type }) => ({ pid, type })),
  )
  const before = await Promise.all(processes.map(({ pid }) => cpuMs(pid)))
  await sleep(spanMs)
  const after = await Promise.all(processes.map(({ pid }) => cpuMs(pid)))
  const byType = new Map<string, number>()
  for (const [at, { type }] of processes.entries()) {
    const share = ((after[at] ?? 0) - (before[at] ?? 0)) / (spanMs / 100)
    byType.set(type, (byType.get(type) ?? 0) + share)
  }
  return byType
}

test('the ticker at ten rows a second, beside a hidden window', async () => {
  test.setTimeout(600_000)
  await onLiveApp(async ({ running, watch }) => {
    for (const indexId of ids) await watch.ask('setPinned', { indexId, isPinned: true })
    await running.app.evaluate(({ BrowserWindow }) => {
      for (const window of BrowserWindow.getAllWindows()) window.hide()
    })
    for (let round = 1; round <= rounds; round++) {
      for (const showsTicker of [false, true]) {
        await watch.ask('setPreferences', { showsTicker })
        await sleep(8_000)
        const found = await shares(running)
        const parts = [...found].map(([type, share]) => `${type} ${share.toFixed(2)}`).join('  ')
        const total = [...found.values()].reduce((sum, share) => sum + share, 0)
        const what = showsTicker ? 'with the ticker' : 'without'
        process.stdout.write(`\n${what.padEnd(16)} ${total.toFixed(2).padStart(6)} % of a core: ${parts}\n`)
        expect(total).toBeGreaterThan(0)
      }
    }
  })
})
