/** B8 and B9: the built app in Electron on its own display, against a minimal Electron app. */
import { setTimeout as pause } from 'node:timers/promises'
import { Apps } from './apps'
import type { Samples } from './report'
import { inTurns } from './rounds'
import type { StartedApp } from './started-app'

const rounds = 5
const rowCount = 200
/** Time in which an app finishes its start-up work, in ms. */
const settleMs = { ours: 7_000, limit: 4_000 }
/** Time before the first memory reading at a thousand values a second, and between later readings. */
const growth = { warmUpMs: 30_000, lookMs: 5_000 }

/** Wall time and CPU time of a start in ms. Only one side runs at a time. */
export async function measureStarts(): Promise<Record<`B8-${'cpu' | 'ready' | 'paint'}`, Samples>> {
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
    // The first start of each side does not count, because the app creates its files in it.
    const withoutFirst = ({ ours, limit }: Samples) => ({ ours: ours.slice(1), limit: limit.slice(1) })
    return { 'B8-cpu': withoutFirst(cpu), 'B8-ready': ready, 'B8-paint': withoutFirst(paint) }
  } finally {
    await apps.dispose()
  }
}

/**
 * Growth of memory in percent over 25 seconds at a thousand values a second, after a warm-up of half a minute. The
 * naive twin receives the same values at the same time. Shrinking counts as 0.
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

/** Memory of all processes in MB. Only one side runs at a time, because pages shared by two apps count half. */
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
