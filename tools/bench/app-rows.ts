/** B8 and B9: the built app in real Electron on a display of its own, against the least an Electron app can be. */
import { setTimeout as pause } from 'node:timers/promises'
import { Apps } from './apps'
import type { Samples } from './report'
import { inTurns } from './rounds'
import type { StartedApp } from './started-app'

const rounds = 5
const rowCount = 200
/** Time in which an app finishes its work after the start; ms. */
const settleMs = { ours: 7_000, limit: 4_000 }
/** Until memory at a thousand values a second is compared with, and until each look afterwards. */
const growth = { warmUpMs: 30_000, lookMs: 5_000 }

/** Wall time and CPU time of a start in ms. Only one side runs at a time. */
export async function measureStarts(): Promise<Record<'cpu' | 'ready' | 'paint', Samples>> {
  const apps = await Apps.create(rowCount)
  const cpu: Samples = { ours: [], limit: [] }
  const paint: Samples = { ours: [], limit: [] }
  const start = async (side: keyof Samples) => {
    const app = side === 'ours' ? apps.app() : apps.blank()
    const paintMs = await app.paintMs
    cpu[side].push((await app.cpuUs()) / 1_000)
    paint[side].push(paintMs)
    const readyMs = await app.readyMs
    await apps.quit(app)
    return readyMs
  }
  try {
    const ready = await inTurns(rounds, { ours: () => start('ours'), limit: () => start('limit') })
    // The first of each does not count: the app makes its files in it.
    const withoutFirst = ({ ours, limit }: Samples) => ({ ours: ours.slice(1), limit: limit.slice(1) })
    return { cpu: withoutFirst(cpu), ready, paint: withoutFirst(paint) }
  } finally {
    await apps.dispose()
  }
}

/**
 * Percent by which memory is more than after half a minute at a thousand values a second, for 25 seconds; the naive twin is
 * shown the same at the same time. What has shrunk has not grown.
 */
export async function measureGrowth(twinPage: string): Promise<Samples> {
  const measure = async (start: (apps: Apps) => StartedApp): Promise<number[]> => {
    const apps = await Apps.create(rowCount)
    try {
      const app = start(apps)
      await apps.publishAll({ ageMs: 0 })
      const flow = apps.flow({ perSecond: 1_000, rowCount })
      await pause(growth.warmUpMs)
      const before = await app.pssMb()
      const figures: number[] = []
      for (let round = 0; round < rounds; round++) {
        await pause(growth.lookMs)
        figures.push(Math.max(0, 100 * ((await app.pssMb()) / before - 1)))
      }
      flow.stop()
      return figures
    } finally {
      await apps.dispose()
    }
  }
  const [ours, limit] = await Promise.all([
    measure((apps) => apps.app()),
    measure((apps) => apps.twin(twinPage, 'window')),
  ])
  return { ours, limit }
}

/** Megabytes of all processes. Only one side runs at a time, because pages shared by two apps count half. */
export async function measureMemory(place: 'window' | 'tray'): Promise<Samples> {
  const apps = await Apps.create(rowCount)
  const measure = async (app: StartedApp, isOurs: boolean) => {
    if (isOurs) await apps.publishAll({ ageMs: 0 })
    await pause(isOurs ? settleMs.ours : settleMs.limit)
    const mb = await app.pssMb()
    await apps.quit(app)
    return mb
  }
  try {
    return await inTurns(
      rounds,
      {
        // The link opens an index page with its chart.
        ours: () =>
          measure(place === 'tray' ? apps.app('--hidden') : apps.app(`indexwatch://index/${apps.ids[0] ?? ''}`), true),
        limit: () => measure(place === 'tray' ? apps.blank('tray') : apps.blank(), false),
      },
      { isWarm: true },
    )
  } finally {
    await apps.dispose()
  }
}
