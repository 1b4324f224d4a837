/** B11: the effect of disk writes on the main loop, and their number. A minimal writer runs at the same time. */
import { watch } from 'node:fs'
import { mkdir } from 'node:fs/promises'
import { setTimeout as pause } from 'node:timers/promises'
import { Apps } from './apps'
import type { Samples } from './report'
import type { RowName } from './rows'

export type WriteRow = Extract<RowName, `B11-${string}`>

const rounds = 5
const roundMs = 5_000
const rowCount = 200
/** Ten values a second in ten rows, enough for a commit of the history each second. */
const flow = { perSecond: 10, rowCount: 10 }
const settleMs = 15_000
/** Only turns this close to a write can have been delayed by it. */
const nearMs = 20
/** Changes of one file at shorter intervals are one write. */
const togetherMs = 100
/** The settings, the history with its journal, and the minimal writer's file. All other files are Chromium's. */
const ownFile = /^(?:settings\.json|tape\.db|values\.json)/

interface Write {
  name: string
  fromMs: number
  toMs: number
}

/** The app's writes in its folder, from the first change of a file to the last. */
class Writes {
  readonly all: Write[] = []
  readonly #watcher

  constructor(folder: string) {
    this.#watcher = watch(folder, (_event, file) => {
      const name = ownFile.exec(file ?? '')?.[0]
      if (name === undefined) return
      const nowMs = Date.now()
      const last = this.all.findLast((write) => write.name === name)
      if (last !== undefined && nowMs - last.toMs < togetherMs) last.toMs = nowMs
      else this.all.push({ name, fromMs: nowMs, toMs: nowMs })
    })
  }

  since(fromMs: number): Write[] {
    return this.all.filter((write) => write.fromMs >= fromMs)
  }

  stop(): void {
    this.#watcher.close()
  }
}

export async function measureWrites(): Promise<Record<WriteRow, Samples>> {
  const sides = ['ours', 'limit'] as const
  const created = await Promise.all(sides.map(() => Apps.create(rowCount, { hasTimedLoop: true })))
  const [ours, limit] = created
  if (ours === undefined || limit === undefined) throw new Error('two apps are measured')
  await Promise.all(created.map(({ profile }) => mkdir(profile, { recursive: true })))
  const writes = { ours: new Writes(ours.profile), limit: new Writes(limit.profile) }
  const samples = (): Samples => ({ ours: [], limit: [] })
  const [loop, files, quit] = [samples(), samples(), samples()]
  try {
    const apps = { ours: ours.app(), limit: limit.writer() }
    await ours.publishAll({ ageMs: 0 })
    const values = ours.flow(flow)
    await pause(settleMs)
    await Promise.all(sides.map((side) => apps[side].turns()))
    for (let round = 0; round < rounds; round++) {
      const fromMs = Date.now()
      await pause(roundMs)
      for (const side of sides) {
        const turns = await apps[side].turns()
        const made = writes[side].since(fromMs).filter(({ toMs }) => toMs < Date.now() - 2 * togetherMs)
        if (made.length === 0) throw new Error(`${side} wrote nothing in ${roundMs} ms`)
        loop[side].push(median(made.map((write) => latestNear(write, turns))))
        // The history is written by its own thread, which B12 measures.
        files[side].push(made.filter(({ name }) => name !== 'tape.db').length)
      }
    }
    values.stop()
    const quitAtMs = Date.now()
    await Promise.all([ours.quit(apps.ours), limit.quit(apps.limit)])
    await pause(togetherMs)
    for (const side of sides) {
      const made = writes[side].since(quitAtMs)
      const most = Math.max(0, ...made.map(({ name }) => made.filter((other) => other.name === name).length))
      quit[side].push(most)
    }
    return { 'B11-loop': loop, 'B11-files': files, 'B11-quit': quit }
  } finally {
    for (const side of sides) writes[side].stop()
    await Promise.all(created.map((each) => each.dispose()))
  }
}

/** The largest delay of a turn near a write, in ms. */
function latestNear({ fromMs, toMs }: Write, turns: readonly [atMs: number, lateMs: number][]): number {
  const near = turns.filter(([atMs, lateMs]) => atMs - lateMs <= toMs + nearMs && atMs >= fromMs - nearMs)
  return Math.max(0, ...near.map(([, lateMs]) => lateMs))
}

function median(figures: number[]): number {
  const sorted = figures.toSorted((a, b) => a - b)
  return sorted[Math.floor(sorted.length / 2)] ?? 0
}
