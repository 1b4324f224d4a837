/** B10: CPU use of the built app over the day. The twins and the bare socket receive the same messages at the same time. */
import { setTimeout as pause } from 'node:timers/promises'
import { Apps, type Flow } from './apps'
import { spentBetween } from './processes'
import type { Samples } from './report'
import type { RowName } from './rows'
import type { StartedApp } from './started-app'

export type LoadRow = Extract<RowName, `B10-${string}`>

const rounds = 5
const rowCount = 200
/** From this age on, ages are shown in minutes. */
const firstAgeMs = 61_000
/**
 * Time until an app's own work is over: after its start, after values begin, and after the last value, when ages are
 * shown in minutes.
 */
const settleMs = { start: 20_000, flow: 4_000, silence: firstAgeMs + 4_000 }

interface Load {
  cpu: number[]
  wakes: number[]
}

/** Runs each app on its own display, all at the same time: at a thousand values a second, silent, then at ten. */
export async function measureLoad(twinPage: string): Promise<Record<LoadRow, Samples>> {
  const names = ['list', 'page', 'tray', 'twin', 'hiddenTwin', 'skilled', 'socket'] as const
  type Name = (typeof names)[number]
  const created = await Promise.all(names.map(async (name) => [name, await Apps.create(rowCount)] as const))
  const apps = Object.fromEntries(created) as Record<Name, Apps>
  try {
    const running: Record<Name, StartedApp> = {
      list: apps.list.app(),
      page: apps.page.app(`indexwatch://index/${apps.page.ids[0] ?? ''}`),
      tray: apps.tray.app('--hidden'),
      twin: apps.twin.twin(twinPage, 'window'),
      hiddenTwin: apps.hiddenTwin.twin(twinPage, 'hidden'),
      skilled: apps.skilled.skilled(),
      socket: apps.socket.bareSocket(),
    }
    await Promise.all(names.map((name) => apps[name].publishAll({ ageMs: firstAgeMs })))
    await pause(settleMs.start)

    /** Measures these apps while values are sent to them. */
    const measure = async (
      of: readonly Name[],
      roundMs: number,
      values?: { perSecond: number; rowCount: number },
    ): Promise<Record<Name, Load>> => {
      const flows: Flow[] = values === undefined ? [] : of.map((name) => apps[name].flow(values))
      if (values !== undefined) await pause(settleMs.flow)
      const loads = Object.fromEntries(names.map((name): [string, Load] => [name, { cpu: [], wakes: [] }])) as Record<
        Name,
        Load
      >
      const look = () =>
        Promise.all(of.map(async (name) => ({ name, spent: await running[name].spent(), atMs: performance.now() })))
      let before = await look()
      for (let round = 0; round < rounds; round++) {
        await pause(roundMs)
        const after = await look()
        for (const [at, { name, spent, atMs }] of after.entries()) {
          const past = before[at]
          if (past === undefined) continue
          const { cpuUs, wakes } = spentBetween(past.spent, spent)
          const seconds = (atMs - past.atMs) / 1_000
          loads[name].cpu.push(cpuUs / seconds / 10_000)
          loads[name].wakes.push(wakes / seconds)
        }
        before = after
      }
      for (const flow of flows) flow.stop()
      return loads
    }

    // Visible and hidden apps in turns, so that two processors are enough.
    const thousand = { perSecond: 1_000, rowCount }
    const seen = await measure(['list', 'page', 'twin', 'skilled'], 4_000, thousand)
    const hidden = await measure(['tray', 'hiddenTwin', 'socket'], 4_000, thousand)
    // By the end of this pause the history backup, a minute after the start, has run too.
    await pause(settleMs.silence)
    const silent = await measure(names, 7_000)
    // Last, so that the state is that of a long run: the code for values is compiled, and start-up memory is released.
    const ten = await measure(names, 5_000, { perSecond: 10, rowCount: 10 })
    const against = (load: Record<Name, Load>, ours: Name, limit: Name) => ({
      ours: load[ours].cpu,
      limit: load[limit].cpu,
    })
    return {
      'B10-silent': against(silent, 'list', 'twin'),
      'B10-wakes': { ours: silent.list.wakes, limit: silent.twin.wakes },
      'B10-values': against(ten, 'list', 'twin'),
      'B10-values-skilled': against(ten, 'list', 'skilled'),
      'B10-list': against(seen, 'list', 'twin'),
      'B10-list-skilled': against(seen, 'list', 'skilled'),
      'B10-1000': against(seen, 'page', 'twin'),
      'B10-1000-skilled': against(seen, 'page', 'skilled'),
      'B10-tray': against(silent, 'tray', 'hiddenTwin'),
      'B10-tray-bare': against(silent, 'tray', 'socket'),
      'B10-tray-values': against(ten, 'tray', 'hiddenTwin'),
      'B10-tray-values-bare': against(ten, 'tray', 'socket'),
      'B10-tray-1000': against(hidden, 'tray', 'hiddenTwin'),
      'B10-tray-1000-bare': against(hidden, 'tray', 'socket'),
    }
  } finally {
    await Promise.all(names.map((name) => apps[name].dispose()))
  }
}
