/** One target in its own thread until told to end. If it hangs, the process can still report it. */
import { parentPort, workerData } from 'node:worker_threads'
import { randomFrom } from '../soak/chaos-line'
import { readCorpus, seeds } from './corpus'
import { Coverage } from './coverage'
import { Mutator } from './mutate'
import { pollution, targets, type TargetName } from './targets'

export interface FuzzTask {
  target: TargetName
  seed: number
  forMs: number
  /** The length and bytes of the text being read, so that the process can report the text on a hang. */
  current: SharedArrayBuffer
}

export type FuzzReport =
  | { kind: 'beat' }
  | { kind: 'finding'; problem: string; text: string }
  | { kind: 'end'; runs: number; functions: number; kept: string[]; slowestMs: number }

/** Inputs between two coverage checks. */
const batchSize = 512
const maxText = 65_536
const slowMs = 500

const { target, seed, forMs, current } = workerData as FuzzTask
const read = targets[target]
const length = new Uint32Array(current, 0, 1)
const room = Buffer.from(current, 4)
const mutator = new Mutator(randomFrom(seed))
const coverage = new Coverage((url) => /\/(main|protocol)\/.*\.ts$|\/valibot\//.test(url))
const pool: string[] = []
const kept: string[] = []
let runs = 0
let slowestMs = 0

function say(report: FuzzReport): void {
  parentPort?.postMessage(report)
}

async function timeOf(text: string): Promise<number> {
  const startedAt = performance.now()
  await read(text)
  return performance.now() - startedAt
}

async function run(text: string): Promise<void> {
  length[0] = room.write(text)
  runs++
  try {
    let tookMs = await timeOf(text)
    // A single slow run may be the machine's fault.
    for (let again = 0; tookMs > slowMs && again < 3; again++) tookMs = Math.min(tookMs, await timeOf(text))
    slowestMs = Math.max(slowestMs, tookMs)
    if (tookMs > slowMs) say({ kind: 'finding', problem: `takes ${tookMs.toFixed(0)} ms`, text })
  } catch (error) {
    say({ kind: 'finding', problem: error instanceof Error ? (error.stack ?? error.message) : String(error), text })
  }
}

/** Runs the texts and keeps those that reach new code. Bisects, because a coverage check is slow. */
async function keepNew(texts: readonly string[]): Promise<void> {
  for (const text of texts) await run(text)
  const reached = coverage.takeNew()
  say({ kind: 'beat' })
  const [first] = texts
  if (reached.size === 0 || first === undefined) return
  if (texts.length === 1) {
    coverage.see(reached)
    pool.push(first)
    kept.push(first)
    return
  }
  const middle = texts.length >> 1
  await keepNew(texts.slice(0, middle))
  await keepNew(texts.slice(middle))
}

// Loading the modules does not count as new code.
coverage.see(coverage.takeNew())
const known = readCorpus(target)
for (const text of [...seeds(target), ...known]) await keepNew([text])
pool.push(...seeds(target))
const endAt = performance.now() + forMs
while (performance.now() < endAt) {
  const mutated = () => mutator.mutate(mutator.pick(pool), mutator.pick(pool)).slice(0, maxText)
  const batch = Array.from({ length: batchSize }, mutated)
  await keepNew(batch)
  const polluted = pollution()
  if (polluted.length > 0) {
    say({ kind: 'finding', problem: `every object has ${polluted.join(', ')}`, text: batch.join('\n') })
    break
  }
}
say({ kind: 'end', runs, functions: coverage.functionCount, kept, slowestMs })
