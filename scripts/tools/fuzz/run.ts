/** `npm run fuzz`: fuzzes every reader of external text in turns, guided by code coverage. */
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { Worker } from 'node:worker_threads'
import { readOrExit } from '../command'
import { corpusPath } from './corpus'
import { targetNames, type TargetName } from './targets'
import type { FuzzReport, FuzzTask } from './worker.child'

/** A batch takes a hundredth of this. */
const hangMs = 30_000
const roomBytes = 1_048_576
const maxKeptText = 1_500

interface Findings {
  runs: number
  functions: number
  kept: string[]
  slowestMs: number
  findings: { problem: string; text: string }[]
}

const { minutes, seed, keep, chosen } = readArguments()
let failed = false
for (const target of chosen) {
  const { runs, functions, kept, slowestMs, findings } = await fuzz(target, (minutes * 60_000) / chosen.length)
  failed ||= findings.length > 0
  process.stdout.write(
    `${target}: ${runs} texts, ${functions} functions, ${kept.length} kept, slowest ${slowestMs.toFixed(1)} ms, ${findings.length} findings\n`,
  )
  for (const { problem, text } of findings.slice(0, 5))
    process.stdout.write(`  ${problem}\n  given ${JSON.stringify(text)}\n`)
  if (keep) {
    const small = kept.filter((text) => text.length <= maxKeptText)
    writeFileSync(corpusPath(target), small.map((text) => `${JSON.stringify(text)}\n`).join(''))
  }
}
process.exitCode = failed ? 1 : 0

async function fuzz(target: TargetName, forMs: number): Promise<Findings> {
  const current = new SharedArrayBuffer(roomBytes)
  const task: FuzzTask = { target, seed, forMs, current }
  const worker = new Worker(join(import.meta.dirname, 'worker.child.ts'), { workerData: task })
  const result: Findings = { runs: 0, functions: 0, kept: [], slowestMs: 0, findings: [] }
  return new Promise((resolve) => {
    const end = () => {
      clearTimeout(watch)
      void worker.terminate().then(() => resolve(result))
    }
    const find = (problem: string) => {
      const [length = 0] = new Uint32Array(current, 0, 1)
      result.findings.push({ problem, text: Buffer.from(current, 4, length).toString() })
      end()
    }
    const hung = () => find(`has been read for more than ${hangMs / 1_000} s`)
    let watch = setTimeout(hung, hangMs)
    worker.on('error', (error: Error) => find(`ended the thread: ${error.message}`))
    worker.on('message', (report: FuzzReport) => {
      clearTimeout(watch)
      watch = setTimeout(hung, hangMs)
      if (report.kind === 'finding') result.findings.push(report)
      if (report.kind !== 'end') return
      Object.assign(result, report)
      end()
    })
  })
}

function readArguments(): { minutes: number; seed: number; keep: boolean; chosen: readonly TargetName[] } {
  const usage = `Usage: npm run fuzz -- [${targetNames.join(' | ')} ...] [--minutes N] [--seed N] [--keep]`
  const options = {
    minutes: { type: 'string', default: '3' },
    seed: { type: 'string', default: '1' },
    keep: { type: 'boolean', default: false },
  } as const
  return readOrExit({ options, allowPositionals: true }, usage, ({ values, positionals }) => {
    const [minutes, seed] = [Number(values.minutes), Number(values.seed)]
    const unknown = positionals.filter((each) => !targetNames.some((name) => name === each))
    if (unknown.length > 0) throw new Error(`There is no target ${unknown.join(', ')}.`)
    if (!(minutes > 0) || !Number.isSafeInteger(seed)) throw new Error('Both are numbers, and a seed is whole.')
    const chosen = targetNames.filter((name) => positionals.length === 0 || positionals.includes(name))
    return { minutes, seed, keep: values.keep, chosen }
  })
}
