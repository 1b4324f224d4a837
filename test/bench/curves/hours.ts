/** Memory of the built app that is left running: 200 rows and an index page open, a thousand values a second. */
import { setTimeout as pause } from 'node:timers/promises'
import { Apps } from '../apps'
import type { Point } from './curves'

const rowCount = 200
const perSecond = 1_000
const minutes = 30
/** Until what the app does by itself after its start is over. */
const settleMs = 20_000

export async function measureHours(note: (point: Point) => void): Promise<void> {
  const apps = await Apps.create(rowCount)
  try {
    const app = apps.app(`indexwatch://index/${apps.ids[0] ?? ''}`)
    await apps.publishAll({ ageMs: 0 })
    await pause(settleMs)
    const flow = apps.flow({ perSecond, rowCount })
    const startedAtMs = performance.now()
    let pastUs = await app.cpuUs()
    let pastMs = startedAtMs
    for (let minute = 1; minute <= minutes; minute++) {
      await pause(startedAtMs + minute * 60_000 - performance.now())
      const cpuUs = await app.cpuUs()
      const nowMs = performance.now()
      const cpu = (cpuUs - pastUs) / (nowMs - pastMs) / 10
      const point = { minute, pss: await app.pssMb(), own: await app.ownMb(), cpu }
      note(point)
      pastUs = cpuUs
      pastMs = nowMs
    }
    flow.stop()
  } finally {
    await apps.dispose()
  }
}
