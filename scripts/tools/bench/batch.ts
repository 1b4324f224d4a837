/**
 * B4: the cost of the batcher with the built preload, against plain JSON strings, and its number of pushes. Runs in
 * Electron's main process.
 */
import { setTimeout as pause } from 'node:timers/promises'
import { BrowserWindow } from 'electron'
import { SystemClock } from '../../../main/base/clock'
import { Batcher } from '../../../main/ipc/batcher'
import { updateChannel } from '../../../protocol/commands/channels'
import type { Quote } from '../../../core/model'
import { FakeClock } from '../../../test/support/fake-clock'
import { cpuOfUs } from './processes'
import type { Samples } from './report'
import { cpuUs, inTurns } from './rounds'

const rounds = 7
const pushes = 300
const batchSize = 100
const spacingMs = 4
const flow = { perMs: 5, ms: 1_000 }

/** Parses every push as the app's page does, and sets its title after each round of pushes. */
const page = `data:text/html,<title>0</title><script>
  let count = 0
  indexwatch.onUpdate((text) => {
    JSON.parse(text)
    if (++count % ${pushes} === 0) document.title = String(count)
  })
</script>`

interface Target {
  window: BrowserWindow
  /** CPU in µs of main and page for each update of a round. */
  perUpdateUs: (push: () => void) => Promise<number>
}

async function openTarget(preload: string): Promise<Target> {
  const window = new BrowserWindow({ webPreferences: { preload, sandbox: true, contextIsolation: true } })
  await window.loadURL(page)
  const pid = window.webContents.getOSProcessId()
  return {
    window,
    perUpdateUs: async (push) => {
      const read = new Promise((resolve) => window.webContents.once('page-title-updated', resolve))
      const spentUs = () => cpuUs() + cpuOfUs(pid)
      const beforeUs = spentUs()
      for (let number = 0; number < pushes; number++) push()
      await read
      return (spentUs() - beforeUs) / (pushes * batchSize)
    },
  }
}

/** `preloads` are the app's built preload and a plain one. */
export async function measureBatch(preloads: Record<keyof Samples, string>): Promise<Samples> {
  const ours = await openTarget(preloads.ours)
  const plain = await openTarget(preloads.limit)
  const clock = new FakeClock()
  const batcher = new Batcher({
    clock,
    send: (update) => ours.window.webContents.send(updateChannel, update),
    ageMs: () => 150,
    lists: () => ({ alerts: [], inbox: [] }),
  })
  batcher.resume()
  const ids = Array.from({ length: batchSize }, (_, at) => `INDEX${at + 1}`)
  let second = 0
  const quotes = () => {
    const publishedAtMs = Date.UTC(2023, 10, 1, 12) + second++ * 1_000
    const value = (10_000 + (second % 1_000) / 100).toFixed(2)
    return ids.map((id): Quote => ({ id, value, publishedAtMs, source: 'stream' }))
  }
  return inTurns(rounds, {
    ours: () =>
      ours.perUpdateUs(() => {
        for (const quote of quotes()) batcher.quoteChanged(quote)
        clock.advance(spacingMs)
      }),
    limit: () =>
      plain.perUpdateUs(() => {
        const updates = quotes().map(({ id, publishedAtMs, value }) => ({ id, time: publishedAtMs, value }))
        plain.window.webContents.send(updateChannel, JSON.stringify(updates))
      }),
  })
}

/** Pushes in one second by the app, and by a window that receives each value, as in the naive twin. */
export function measureSends(): Promise<Samples> {
  let pushes = 0
  const batcher = new Batcher({
    clock: new SystemClock(),
    send: () => {
      pushes++
    },
    ageMs: () => 150,
    lists: () => ({ alerts: [], inbox: [] }),
  })
  batcher.resume()
  let sent = 0
  const perSecond = async (publish: (quote: Quote) => void, count: () => number) => {
    const before = count()
    const startedAtMs = performance.now()
    for (let passedMs = 0; passedMs < flow.ms; passedMs = performance.now() - startedAtMs) {
      await pause(1)
      const due = (performance.now() - startedAtMs) * flow.perMs
      for (let at = passedMs * flow.perMs; at < due; at++)
        publish({ id: `INDEX${sent++ % batchSize}`, value: '10000.00', publishedAtMs: Date.now(), source: 'stream' })
    }
    return ((count() - before) * 1_000) / (performance.now() - startedAtMs)
  }
  return inTurns(rounds, {
    ours: () => perSecond(batcher.quoteChanged.bind(batcher), () => pushes),
    limit: () =>
      perSecond(
        () => undefined,
        () => sent,
      ),
  })
}
