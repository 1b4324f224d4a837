// @ts-check
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { SetupError, ended, startChild, throwIfEnding, toolEnvironment } from '../setup/processes.js'
import { secondsSince } from '../setup/terminal.js'
import { readCounts } from './summary.js'

/** @typedef {import('./summary.js').StageResult & { duration: string }} TimedResult */

/** @param {string} text */
function print(text) {
  process.stdout.write(`${text}\n`)
}

/**
 * Starts a script of package.json, which says what the stage is and lets it be run alone.
 * @param {string} script
 * @param {string[]} args
 * @param {NodeJS.ProcessEnv} [env]
 */
function startScript(script, args, env) {
  const shell = process.platform === 'win32'
  const all = ['run', '--silent', script, '--', ...args]
  return startChild('npm', all, { shell, stdio: ['ignore', 'pipe', 'pipe'], env: toolEnvironment(env) })
}

/** Everything a child writes, as it comes. @param {import('node:child_process').ChildProcess} child */
async function outputOf(child) {
  let output = ''
  for (const stream of [child.stdout, child.stderr]) stream?.setEncoding('utf8').on('data', (text) => (output += text))
  return { code: await ended(child), output: output.trim() }
}

/**
 * A stage that passes or fails as a whole. Its output is printed in one piece: others run beside it.
 * @param {string} script
 * @param {...string} args
 * @returns {Promise<TimedResult>}
 */
export async function runCheck(script, ...args) {
  const startedAt = performance.now()
  const { code, output } = await outputOf(startScript(script, args))
  throwIfEnding()
  const duration = secondsSince(startedAt)
  print(`\n--- ${script}: ${code === 0 ? 'passed' : 'FAILED'} (${duration})${output && `\n${output}`}`)
  const counts = { passed: code === 0 ? 1 : 0, failed: code === 0 ? 0 : 1, skipped: [], ran: [] }
  return { stage: script, counts, needsTests: true, duration }
}

/**
 * A stage of many tests whose output is printed in one piece.
 * @param {string} script
 * @param {string} scratch a folder for what the reporters write
 * @param {string[]} args
 * @returns {Promise<TimedResult>}
 */
export function runTests(script, scratch, ...args) {
  return runSuite([script, ...args.filter((arg) => !arg.startsWith('--reporter'))].join(' '), scratch, async (env) => {
    const { code, output } = await outputOf(startScript(script, args, env))
    throwIfEnding()
    print(`\n${output}`)
    return code
  })
}

/**
 * A stage of many tests.
 * @param {string} stage
 * @param {string} scratch a folder for what the reporters write
 * @param {(env: NodeJS.ProcessEnv) => Promise<number>} run gives the runner's exit code
 * @returns {Promise<TimedResult>}
 */
export async function runSuite(stage, scratch, run) {
  const startedAt = performance.now()
  const file = join(scratch, `${stage.replace(/\W+/g, '-')}.jsonl`)
  const code = await run({ INDEXWATCH_TEST_COUNTS: file })
  throwIfEnding()
  const { counts, complaint } = readCounts(existsSync(file) ? readFileSync(file, 'utf8') : '', code)
  if (complaint) print(`${stage} ${complaint}`)
  const duration = secondsSince(startedAt)
  print(`--- ${stage}: ${counts.failed === 0 ? 'passed' : 'FAILED'} (${duration})`)
  return { stage, counts, needsTests: true, duration }
}

/**
 * A stage that tests nothing and that others need.
 * @param {string} stage
 * @param {() => Promise<void>} work
 * @returns {Promise<TimedResult>} failed when the work ended with a SetupError
 */
export async function runWork(stage, work) {
  const startedAt = performance.now()
  let failed = 0
  try {
    await work()
  } catch (error) {
    if (!(error instanceof SetupError)) throw error
    failed = 1
    print(`\n--- ${stage}: FAILED\n${error.message}`)
  }
  return {
    stage,
    counts: { passed: 0, failed, skipped: [], ran: [] },
    needsTests: false,
    duration: secondsSince(startedAt),
  }
}
