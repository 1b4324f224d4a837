/** B4: what the batcher costs with the built preload, against bare JSON strings, and how often it pushes. In Electron's main process. */
import { setTimeout as pause } from 'node:timers/promises'
import { BrowserWindow } from 'electron'
import { SystemClock } from '../../main/base/clock'
import { Batcher } from '../../main/ipc/batcher'
import { updateChannel } from '../../protocol/commands/channels'
import type { Quote } from '../../core/model'
import { FakeClock } from '../../test/support/fake-clock'
import { cpuOfUs } from './processes'
import type { Samples } from './report'
import { cpuUs, inTurns } from './rounds'

const rounds = 7
const pushes = 300
const batchSize = 100
const spacingMs = 4
const flow = { perMs: 5, ms: 1_000 }

/** Reads every push as the app's page does, and says by its title that it has read so many. */
const page = `data:text/html,<title>0</title><script>
  let count = 0
  indexwatch.onUpdate((text) => {
    JSON.parse(text)
    if (++count % ${pushes} === 0) document.title = String(count)
  })
</script>`

interface Target {
  window: BrowserWindow
  /** CPU in microseconds of main and the page for an update of one round. */
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

/** `preloads` by side: the app's built one and a plain one. */
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

/** Pushes a second of the app, and of a window that is sent each value, as that of the naive twin is. */
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
