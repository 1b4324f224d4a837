/** What the ticker costs at ten rows a second, in Linux's own count of CPU time: `npm run measure`. Asserts nothing. */
import { readFile } from 'node:fs/promises'
import { setTimeout as sleep } from 'node:timers/promises'
import { expect, test } from '@playwright/test'
import { addressOf } from '../../simulator/address'
import { startSimulator } from '../../simulator/server'
import { AppBench, type RunningApp } from '../support/app-bench'

const pinned = ['BRTI', 'ETHUSD_RTI', 'SOLUSD_RTI', 'XRPUSD_RTI', 'NCI', 'UC5_RTI_TR', 'SHIBUSD_RTI', 'LINKUSD_RTI']
const ids = [...pinned, 'DOGEUSD_RTI', 'AVAXUSD_RTI']
const spanMs = 30_000
const tickMs = 10

interface Process {
  pid: number
  type: string
}

/** CPU time that a process has taken since it began. */
async function cpuMs({ pid }: Process): Promise<number> {
  const fields = (await readFile(`/proc/${pid}/stat`, 'utf8')).split(') ')[1]?.split(' ') ?? []
  return (Number(fields[11]) + Number(fields[12])) * tickMs
}

/** Percent of a core over the span, by process. */
async function shares({ app }: RunningApp): Promise<Map<string, number>> {
  const processes = await app.evaluate((electron) =>
    electron.app.getAppMetrics().map(({ pid, type }): Process => ({ pid, type })),
  )
  const before = await Promise.all(processes.map(cpuMs))
  await sleep(spanMs)
  const after = await Promise.all(processes.map(cpuMs))
  return new Map(
    processes.map(({ pid, type }, at) => [`${type} ${pid}`, ((after[at] ?? 0) - (before[at] ?? 0)) / (spanMs / 100)]),
  )
}

test('the ticker at ten rows a second, beside a hidden window', async () => {
  test.setTimeout(300_000)
  const simulator = await startSimulator({})
  const bench = await AppBench.create()
  try {
    const { running, watch } = await bench.launchLive(addressOf(simulator))
    for (const indexId of ids) await watch.ask('setPinned', { indexId, isPinned: true })
    await running.app.evaluate(({ BrowserWindow }) => {
      for (const window of BrowserWindow.getAllWindows()) window.hide()
    })
    await sleep(10_000)
    const without = await shares(running)
    await watch.ask('setPreferences', { showsTicker: true })
    await sleep(10_000)
    const withTicker = await shares(running)
    let total = 0
    for (const [name, share] of withTicker) {
      const more = share - (without.get(name) ?? 0)
      total += more
      process.stdout.write(
        `${name.padEnd(24)} ${share.toFixed(2).padStart(6)} %  ${more.toFixed(2).padStart(6)} % more\n`,
      )
    }
    process.stdout.write(`${'the ticker'.padEnd(24)} ${total.toFixed(2).padStart(16)} % of a core\n`)
    expect(withTicker.size).toBe(without.size + 1)
  } finally {
    await bench.dispose()
    await simulator.close()
  }
})
