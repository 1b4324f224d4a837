// @ts-check
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { ended, startChild } from '../setup/processes.js'
import { secondsSince } from '../setup/terminal.js'
import { readCounts } from './summary.js'

/** @typedef {import('./summary.js').StageResult} StageResult */

/** Each stage is a script of package.json, so that it can be run alone. @param {string} script @param {string[]} args */
function npmRun(script, args = []) {
  return ['run', '--silent', script, ...(args.length > 0 ? ['--', ...args] : [])]
}

/** @type {Pick<import('node:child_process').SpawnOptions, 'shell'>} */
const npmOptions = { shell: process.platform === 'win32' }

/** @param {string} text */
function print(text) {
  process.stdout.write(`${text}\n`)
}

/** A stage that passes or fails as a whole; its output is kept back and printed in one piece. @param {string} script @returns {Promise<StageResult>} */
export async function runCheck(script) {
  const startedAt = performance.now()
  const child = startChild('npm', npmRun(script), { ...npmOptions, stdio: ['ignore', 'pipe', 'pipe'] })
  let output = ''
  for (const stream of [child.stdout, child.stderr]) stream?.setEncoding('utf8').on('data', (text) => (output += text))
  const code = await ended(child)
  print(`\n--- ${script}: ${code === 0 ? 'passed' : 'FAILED'} (${secondsSince(startedAt)})`)
  if (output.trim()) print(output.trim())
  const counts = { passed: code === 0 ? 1 : 0, failed: code === 0 ? 0 : 1, skipped: [] }
  return { stage: script, counts, needsTests: true }
}

/**
 * A stage of many tests, shown as they run.
 * @param {string} script
 * @param {{ scratch: string, reporters: string[] }} options
 * @returns {Promise<StageResult>}
 */
export async function runSuite(script, { scratch, reporters }) {
  const startedAt = performance.now()
  print(`\n--- ${script}`)
  const file = join(scratch, `${script.replace(':', '-')}.jsonl`)
  process.env['INDEXWATCH_TEST_COUNTS'] = file
  const args =
    script === 'test:unit' ? reporters.map((name) => `--reporter=${name}`) : [`--reporter=${reporters.join(',')}`]
  const code = await ended(
    startChild('npm', npmRun(script, args), { ...npmOptions, stdio: ['ignore', 'inherit', 'inherit'] }),
  )
  const { counts, complaint } = readCounts(existsSync(file) ? readFileSync(file, 'utf8') : '', code)
  if (complaint) print(`${script} ${complaint}`)
  print(`--- ${script}: ${counts.failed === 0 ? 'passed' : 'FAILED'} (${secondsSince(startedAt)})`)
  return { stage: script, counts, needsTests: true }
}
