/**
 * B7: the app's chart and uPlot in one page of Electron. Runs in Electron's main process, which sends the tasks to the
 * page.
 */
import { join } from 'node:path'
import { BrowserWindow, ipcMain } from 'electron'
import type { Samples } from './report'
import { inTurns } from './rounds'

const rounds = 5
const updatesOfRound = 60

interface ChartTimes {
  /** Median update time of each round, in ms. */
  update: Samples
  /** 95th percentile of the update time, in ms. */
  slow: Samples
}

/** A task for the page. */
export type ChartTask = { open: number } | { side: keyof Samples; updates: number }

/**
 * Measures chart updates with this many values. Each adds one value and drops one. `page` is the built page.
 */
export async function measureChart(root: string, page: string, count: number): Promise<ChartTimes> {
  const preload = join(root, 'scripts', 'tools', 'bench', 'chart-preload.cjs')
  // From a file, a page may load its own script only with web security off.
  const webPreferences = { preload, contextIsolation: false, sandbox: false, webSecurity: false }
  const window = new BrowserWindow({ width: 1_000, height: 1_000, webPreferences })
  await window.loadFile(page)
  const query = (task: ChartTask) =>
    new Promise<number[]>((answered) => {
      ipcMain.once('bench:answer', (_event, times: number[]) => answered(times))
      window.webContents.send('bench:task', task)
    })
  await query({ open: count })
  const slow: Samples = { ours: [], limit: [] }
  const round = async (side: keyof Samples) => {
    const sorted = (await query({ side, updates: updatesOfRound })).toSorted((a, b) => a - b)
    slow[side].push(sorted[Math.ceil(sorted.length * 0.95) - 1] ?? 0)
    return sorted[Math.floor(sorted.length / 2)] ?? 0
  }
  const update = await inTurns(rounds, { ours: () => round('ours'), limit: () => round('limit') })
  window.destroy()
  return { update, slow: { ours: slow.ours.slice(1), limit: slow.limit.slice(1) } }
}
