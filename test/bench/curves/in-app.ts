/** The curves of the built app: its list, its messages and its page of indices, on a service that is scripted. */
import { setTimeout as pause } from 'node:timers/promises'
import { Apps, numberOf } from '../apps'
import { spentBetween } from '../processes'
import type { StartedApp } from '../started-app'
import type { Point } from './curves'

/** Until what an app does by itself after its start, or after values have begun, is over. */
const settleMs = { start: 8_000, flow: 2_000 }
const roundMs = 5_000
const patienceMs = 30_000

/** CPU in percent of one processor that the app takes. */
async function cpuPercent(app: StartedApp): Promise<number> {
  const before = await app.spent()
  const beganAtMs = performance.now()
  await pause(roundMs)
  const { cpuUs } = spentBetween(before, await app.spent())
  return cpuUs / (performance.now() - beganAtMs) / 10
}

/** Asks the page until it says so. */
async function until(app: StartedApp, question: 'rowsAreShown' | 'endIsShown'): Promise<void> {
  const endMs = performance.now() + patienceMs
  while ((await app.ask(question)) !== true) {
    if (performance.now() > endMs) throw new Error(`within 30 seconds it did not come to ${question}`)
    await pause(50)
  }
}

/** A list of so many rows: CPU until its rows have their first values, then at a hundred values a second. */
export async function measureList(rows: number): Promise<Point> {
  const apps = await Apps.create(rows)
  try {
    const app = apps.app()
    await apps.publishAll({ ageMs: 0 })
    await until(app, 'rowsAreShown')
    const opened = (await app.cpuUs()) / 1e6
    await until(app, 'endIsShown')
    await app.ask('toTop')
    await pause(settleMs.start)
    const flow = apps.flow({ perSecond: 100, rowCount: rows })
    await pause(settleMs.flow)
    const cpu = await cpuPercent(app)
    flow.stop()
    return { rows, opened, cpu, drawn: Number(await app.ask('rowCount')) }
  } finally {
    await apps.dispose()
  }
}

/** 200 rows at each of these rates, in one app: its CPU, and rows that do not show their last value afterwards. */
export async function measureMessages(rates: readonly number[], note: (point: Point) => void): Promise<void> {
  const rowCount = 200
  const apps = await Apps.create(rowCount)
  try {
    const app = apps.app()
    await apps.publishAll({ ageMs: 0 })
    await until(app, 'rowsAreShown')
    await pause(settleMs.start)
    for (const messages of rates) {
      const flow = apps.flow({ perSecond: messages, rowCount })
      await pause(settleMs.flow)
      const cpu = await cpuPercent(app)
      flow.stop()
      await pause(1_000)
      const shown = (await app.sweep(patienceMs)) ?? {}
      const sent = flow.sentAtMs.length
      // The rows beyond the last message of a short flow still show their first value.
      const lost = apps.ids.slice(0, sent).filter((id) => !(numberOf(shown[id] ?? '') > sent - rowCount)).length
      note({ messages, cpu, lost })
    }
  } finally {
    await apps.dispose()
  }
}

/** The page of all indices, of so many: how long it takes to open, CPU of the app by it, and its rows in the document. */
export async function measureIndicesPage(entries: number): Promise<Omit<Point, 'read'>> {
  const apps = await Apps.create(1, { listedCount: entries })
  try {
    const app = apps.app()
    await apps.publishAll({ ageMs: 0 })
    await until(app, 'rowsAreShown')
    await pause(settleMs.start)
    const beforeUs = await app.cpuUs()
    const opened = Number(await app.ask('openIndices'))
    await pause(1_000)
    const cpu = ((await app.cpuUs()) - beforeUs) / 1e3
    const drawn = Number(await app.ask('indexCount'))
    return { entries, opened, cpu, drawn }
  } finally {
    await apps.dispose()
  }
}
