/** What a desk costs a seat: the built app in the tray with a desk, beside the same app without one, at the same time. */
import { setTimeout as pause } from 'node:timers/promises'
import { JudgingEngine, startWatcher } from '../../../test/support/desk-parts'
import { NatsServer } from '../../../test/support/nats-server'
import { Apps } from './apps'
import { spentBetween } from './processes'
import type { Samples } from './report'
import type { RowName } from './rows'

export type DeskRow = Extract<RowName, `desk-${string}`>

const rounds = 5
const rowCount = 200
/** By its end the history backup, a minute after the start, has run too. */
const settleMs = 75_000
const roundMs = 20_000

export async function measureSeat(): Promise<Record<DeskRow, Samples>> {
  const server = await NatsServer.start()
  const access = { address: server.address, name: 'london' }
  const watcher = await startWatcher({ access, name: 'watch-1', judging: await JudgingEngine.open() })
  const apps = {
    ours: await Apps.create(rowCount, { desk: { ...access, user: '' } }),
    limit: await Apps.create(rowCount),
  }
  const sides = ['ours', 'limit'] as const
  const row = (): Samples => ({ ours: [], limit: [] })
  const found = { 'desk-silent': row(), 'desk-values': row(), 'desk-memory': row() }
  try {
    const running = { ours: apps.ours.app('--hidden'), limit: apps.limit.app('--hidden') }
    await Promise.all(sides.map((side) => apps[side].publishAll({ ageMs: 0 })))
    await pause(settleMs)
    if (watcher.watcher.seatCount !== 1) throw new Error('the app is not a seat of the desk')
    const measure = async (name: 'desk-silent' | 'desk-values') => {
      const look = async () => ({ ours: await running.ours.spent(), limit: await running.limit.spent() })
      for (let round = 0; round < rounds; round++) {
        const before = await look()
        await pause(roundMs)
        const after = await look()
        for (const side of sides) found[name][side].push(spentBetween(before[side], after[side]).cpuUs / roundMs / 10)
      }
    }
    await measure('desk-silent')
    const flows = sides.map((side) => apps[side].flow({ perSecond: 10, rowCount: 10 }))
    await measure('desk-values')
    for (const flow of flows) flow.stop()
    for (const side of sides)
      for (let round = 0; round < rounds; round++) found['desk-memory'][side].push(await running[side].pssMb())
    return found
  } finally {
    await Promise.all(sides.map((side) => apps[side].dispose()))
    await watcher.stop()
    await server.dispose()
  }
}
