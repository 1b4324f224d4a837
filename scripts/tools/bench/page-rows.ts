/**
 * B5 and B6: from the service's socket to the text in the page, and the frames in between, in turns with the naive
 * twin.
 */
import { setTimeout as pause } from 'node:timers/promises'
import { Apps, numberOf } from './apps'
import type { Shown } from './part-protocol'
import type { Samples } from './report'
import { inTurns } from './rounds'
import type { RowName } from './rows'
import type { StartedApp } from './started-app'

export type PageRow = Extract<RowName, `${'B5' | 'B6'}-${string}`>
type FastPageRow = 'B5-20000' | 'B5-lost'

const rounds = 5
const rowCount = 1_000
const watchedCount = 20
const flowMs = 2_500
/** Time for the page to show the last values. A value not shown by then counts as this late, or as lost. */
const waitMs = 1_000
/** Time to read the whole list. A twin that is behind would answer only after all its waiting messages. */
const sweepMs = { ours: 20_000, limit: 2_000 }
const settleMs = { ours: 8_000, limit: 1_000 }

interface Round {
  p95Ms: number
  /** All rows if the page could not be read to its end. */
  lost: number
  fps: number
  /** Percent of frames longer than 20 ms. */
  late: number
  rows: number
}

/** At 5,000 values a second. */
export async function measurePages(twinPage: string): Promise<Record<Exclude<PageRow, FastPageRow>, Samples>> {
  const samples = await measure(twinPage, 5_000, { ours: 0, limit: 0 })
  return {
    'B5-5000': samples(({ p95Ms }) => p95Ms),
    'B6-frames': samples(({ fps }) => fps),
    'B6-late': samples(({ late }) => late),
    'B6-rows': samples(({ rows }) => rows),
  }
}

/** At 20,000 values a second. Reads the whole list afterwards. */
export async function measureFastPages(twinPage: string): Promise<Record<FastPageRow, Samples>> {
  const samples = await measure(twinPage, 20_000, sweepMs)
  return { 'B5-20000': samples(({ p95Ms }) => p95Ms), 'B5-lost': samples(({ lost }) => lost) }
}

/** Our app runs throughout. The twin falls behind, so it is restarted for each of its rounds. */
async function measure(
  twinPage: string,
  perSecond: number,
  patienceMs: Record<keyof Samples, number>,
): Promise<(of: (round: Round) => number) => Samples> {
  const [ours, twin] = await Promise.all([
    Apps.create(rowCount, { isProbed: true }),
    Apps.create(rowCount, { isProbed: true }),
  ])
  try {
    const app = ours.app()
    await ours.publishAll({ ageMs: 0 })
    await pause(settleMs.ours)
    const found: Record<keyof Samples, Round[]> = { ours: [], limit: [] }
    await inTurns(rounds, {
      ours: async () => {
        found.ours.push(await measureRound(ours, app, perSecond, patienceMs.ours))
        return 0
      },
      limit: async () => {
        const started = twin.twin(twinPage, 'window')
        await twin.publishAll({ ageMs: 0 })
        await pause(settleMs.limit)
        found.limit.push(await measureRound(twin, started, perSecond, patienceMs.limit))
        await twin.quit(started)
        return 0
      },
    })
    return (of) => ({ ours: found.ours.slice(1).map(of), limit: found.limit.slice(1).map(of) })
  } finally {
    await Promise.all([ours.dispose(), twin.dispose()])
  }
}

async function measureRound(apps: Apps, app: StartedApp, perSecond: number, patienceMs: number): Promise<Round> {
  const reports = app.shown.length
  const beganAtMs = Date.now()
  const flow = apps.flow({ perSecond, rowCount })
  await pause(flowMs)
  flow.stop()
  const endedAtMs = Date.now()
  await pause(waitMs)
  const shown = app.shown.slice(reports)
  const latencies = latenciesMs(flow.sentAtMs, shown, { beganAtMs, endMs: Date.now() }).toSorted((a, b) => a - b)
  // A page without a report in this time was busy with one frame for the whole flow.
  const whileFlowing = shown.filter(({ atMs }) => atMs > beganAtMs + 600 && atMs <= endedAtMs)
  const frames = whileFlowing.flatMap((report) => report.frames)
  const measured = frames.length > 0 ? frames : [flowMs]
  const swept = patienceMs === 0 ? undefined : await app.sweep(patienceMs)
  const lastNumber = flow.sentAtMs.length
  const isLast = (text: string | undefined) => text !== undefined && numberOf(text) > lastNumber - rowCount
  return {
    p95Ms: latencies[Math.floor(latencies.length * 0.95)] ?? Number.NaN,
    lost: apps.ids.filter((id) => !isLast(swept?.[id])).length,
    fps: (1_000 * measured.length) / measured.reduce((sum, each) => sum + each, 0),
    late: (100 * measured.filter((ms) => ms > 20).length) / measured.length,
    // A page too busy to report has all rows.
    rows: app.shown.length === 0 ? rowCount : Math.max(...app.shown.map((report) => report.rowCount)),
  }
}

/**
 * For each value of the watched rows, the time until its row showed it or a later value. `endMs` stands in for a value
 * not shown.
 */
function latenciesMs(
  sentAtMs: readonly number[],
  shown: readonly Shown[],
  { beganAtMs, endMs }: { beganAtMs: number; endMs: number },
): number[] {
  const seen = Array.from({ length: watchedCount }, (): { number: number; atMs: number }[] => [])
  for (const { times, texts } of shown) {
    for (const [at, [row, atMs]] of times.entries())
      if (atMs >= beganAtMs) seen[row]?.push({ number: numberOf(texts[at] ?? ''), atMs })
  }
  return seen.flatMap((ofRow, row) => {
    const latencies: number[] = []
    let next = 0
    for (let at = row; at < sentAtMs.length; at += rowCount) {
      while (next < ofRow.length && (ofRow[next]?.number ?? 0) < at + 1) next++
      latencies.push((ofRow[next]?.atMs ?? endMs) - (sentAtMs[at] ?? 0))
    }
    return latencies
  })
}
