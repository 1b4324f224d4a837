/** The tape as the app has it, with its threads and real files. In Electron's main process. */
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { Worker } from 'node:worker_threads'
import { SystemClock } from '../../main/base/clock'
import { createLog } from '../../main/base/log'
import { Exporter } from '../../main/history/exporter'
import type { TapeValue } from '../../main/tape/contract'
import { Tape } from '../../main/tape/tape'
import { UnfinishedFiles } from '../../main/storage/unfinished-files'
import { tapePath } from '../../main/tape/thread'
import { firedEvent, levelDraft } from '../../test/support/sample-alerts'
import { fillTape } from './large-tape'
import type { Samples } from './report'
import { cpuUs, inTurns } from './rounds'

const rounds = 5
const indexCount = 50
const roundMs = 4_000
const commitsOfRound = 50
const exported = { id: 'EXPORTED', count: 200_000 }
/** Young enough not to be thinned. */
const endMs = Math.floor(Date.now() / 1_000) * 1_000 - 86_400_000

/** Where the build has the threads. */
export interface Threads {
  tape: string
  exporter: string
}

function value(index: number, publishedAtMs: number): TapeValue {
  const learned = { learnedAtMs: publishedAtMs + 150, origin: 'stream', connection: 'Desk' } as const
  return { id: `INDEX${index}`, value: `68${publishedAtMs % 1_000}.12`, publishedAtMs, ...learned }
}

function valuesOf(publishedAtMs: number): TapeValue[] {
  return Array.from({ length: indexCount }, (_, index) => value(index, publishedAtMs))
}

const clock = new SystemClock()

async function openTape(folder: string, threads: Threads): Promise<Tape> {
  const log = createLog({ write: (line) => process.stderr.write(`${line}\n`), redact: (text) => text, clock })
  const tape = new Tape({ folder, clock, log, startThread: (workerData) => new Worker(threads.tape, { workerData }) })
  await tape.use('real')
  return tape
}

async function withTape(folder: string, threads: Threads, run: (tape: Tape) => Promise<Samples>): Promise<Samples> {
  const tape = await openTape(folder, threads)
  try {
    return await run(tape)
  } finally {
    await tape.close()
  }
}

/** Percent of a core for 250 values a second, as fifty indices publish each 200 ms; beside the same time without any. */
export function measureRecording(folder: string, threads: Threads): Promise<Samples> {
  const share = async (run: () => Promise<void>) => {
    const [beforeUs, beganAt] = [cpuUs(), performance.now()]
    await run()
    return (cpuUs() - beforeUs) / (performance.now() - beganAt) / 10
  }
  return withTape(folder, threads, (tape) =>
    inTurns(rounds, {
      ours: () =>
        share(async () => {
          for (let ms = 0; ms < roundMs; ms += 200) {
            for (const each of valuesOf(Date.now())) tape.append([each])
            await pause(200)
          }
        }),
      limit: () => share(() => pause(roundMs)),
    }),
  )
}

/** What a commit writes that decides an alert, with fifty values. */
function decision(number: number): Parameters<Tape['commit']>[0] {
  const publishedAtMs = Date.now()
  return {
    values: valuesOf(publishedAtMs),
    checkpoints: [{ ruleId: 'rule', run: 1, publishedAtMs, state: '{"up":true}' }],
    firings: [{ ruleId: 'rule', run: 1, publishedAtMs, document: '{}' }],
    events: [firedEvent(number, levelDraft(), { inputs: { publishedAtMs } })],
  }
}

/** CPU in milliseconds of both threads for a commit that decides an alert; beside one that is empty. */
export function measureCommits(folder: string, threads: Threads): Promise<Samples> {
  let number = 0
  const perCommit = async (commit: () => Promise<unknown>) => {
    const beforeUs = cpuUs()
    for (let count = 0; count < commitsOfRound; count++) await commit()
    return (cpuUs() - beforeUs) / 1_000 / commitsOfRound
  }
  return withTape(folder, threads, (tape) =>
    inTurns(rounds, {
      ours: () => perCommit(() => tape.commit(decision(++number))),
      limit: () => perCommit(() => tape.commit({})),
    }),
  )
}

/** The longest that main works without a pause, in milliseconds of CPU: the time others take from it does not count. */
async function longestBlockMs(run: () => Promise<unknown>): Promise<number> {
  const spentMs = () => Number(readFileSync(`/proc/self/task/${process.pid}/schedstat`, 'utf8').split(' ')[0]) / 1e6
  let before = spentMs()
  let longestMs = 0
  const timer = setInterval(() => {
    const now = spentMs()
    longestMs = Math.max(longestMs, now - before)
    before = now
  }, 1)
  await run()
  clearInterval(timer)
  return longestMs
}

/** While alerts are decided one after the other; beside the same time without any. */
export function measureBlocks(folder: string, threads: Threads): Promise<Samples> {
  let number = 0
  return withTape(folder, threads, (tape) => {
    const decide = async () => {
      for (let count = 0; count < commitsOfRound; count++) await tape.commit(decision(++number))
    }
    return inTurns(rounds, { ours: () => longestBlockMs(decide), limit: () => longestBlockMs(() => pause(200)) })
  })
}

/** While values are exported, and 250 a second are recorded; beside the recording alone. */
export async function measureExports(folder: string, threads: Threads): Promise<Samples> {
  // It makes its tables.
  await (await openTape(folder, threads)).close()
  fillTape(tapePath(folder, 'real'), [exported.id], { count: exported.count, toMs: endMs })
  return withTape(folder, threads, (tape) => {
    const startThread = (workerData: unknown) => new Worker(threads.exporter, { workerData })
    const exporter = new Exporter({ clock, tape, unfinished: new UnfinishedFiles(folder), startThread })
    const indexIds = [exported.id]
    const range = { indexIds, fromMs: 0, toMs: endMs + 1, resolution: 'every', format: 'csv' } as const
    const write = async () => {
      const outcome = await exporter.run(range, join(folder, 'values.csv'))
      if (!outcome.ok) throw new Error(outcome.problem.message)
      if (outcome.value?.rowCount !== exported.count) throw new Error('not all values were exported')
    }
    const recording = async (run: () => Promise<unknown>) => {
      const timer = setInterval(() => tape.append(valuesOf(Date.now())), 200)
      const blockMs = await longestBlockMs(run)
      clearInterval(timer)
      return blockMs
    }
    return inTurns(rounds, { ours: () => recording(write), limit: () => recording(() => pause(1_000)) })
  })
}
