// @ts-check
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { ended, startChild, throwIfEnding } from '../setup/processes.js'
import { secondsSince } from '../setup/terminal.js'
import { readCounts } from './summary.js'

/** @typedef {import('./summary.js').StageResult} StageResult */

/** @param {string} text */
function print(text) {
  process.stdout.write(`${text}\n`)
}

/**
 * Starts a script of package.json, which says what the stage is and lets it be run alone.
 * @param {string} script
 * @param {string[]} args
 * @param {import('node:child_process').StdioOptions} stdio
 */
export function startScript(script, args, stdio) {
  const shell = process.platform === 'win32'
  return startChild('npm', ['run', '--silent', script, '--', ...args], { shell, stdio })
}

/**
 * A stage that passes or fails as a whole; its output is kept back and printed in one piece.
 * @param {string} script
 * @returns {Promise<StageResult>}
 */
export async function runCheck(script) {
  const startedAt = performance.now()
  const child = startScript(script, [], ['ignore', 'pipe', 'pipe'])
  let output = ''
  for (const stream of [child.stdout, child.stderr]) stream?.setEncoding('utf8').on('data', (text) => (output += text))
  const code = await ended(child)
  throwIfEnding()
  print(`\n--- ${script}: ${code === 0 ? 'passed' : 'FAILED'} (${secondsSince(startedAt)})`)
  if (output.trim()) print(output.trim())
  const counts = { passed: code === 0 ? 1 : 0, failed: code === 0 ? 0 : 1, skipped: [] }
  return { stage: script, counts, needsTests: true }
}

/**
 * A stage of many tests, shown as they run.
 * @param {string} stage
 * @param {string} scratch a folder for what the reporters write
 * @param {() => Promise<number>} run gives the runner's exit code
 * @returns {Promise<StageResult>}
 */
export async function runSuite(stage, scratch, run) {
  const startedAt = performance.now()
  print(`\n--- ${stage}`)
  const file = join(scratch, `${stage.replace(':', '-')}.jsonl`)
  process.env['INDEXWATCH_TEST_COUNTS'] = file
  const code = await run()
  throwIfEnding()
  const { counts, complaint } = readCounts(existsSync(file) ? readFileSync(file, 'utf8') : '', code)
  if (complaint) print(`${stage} ${complaint}`)
  print(`--- ${stage}: ${counts.failed === 0 ? 'passed' : 'FAILED'} (${secondsSince(startedAt)})`)
  return { stage, counts, needsTests: true }
}
