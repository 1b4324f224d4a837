// @ts-check
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { SetupError, ended, startChild, throwIfEnding, toolEnvironment } from '../setup/processes.js'
import { secondsSince } from '../setup/terminal.js'
import { readCounts } from './summary.js'

/** @typedef {import('./summary.js').StageResult & { duration: string, cpuSeconds: number }} TimedResult */

/** @param {string} text */
function print(text) {
  process.stdout.write(`${text}\n`)
}

let countedTicks = 0

/** CPU seconds of the children, and their descendants, that ended since the last call. 0 outside Linux. */
function takeCpuSeconds() {
  if (!existsSync('/proc/self/stat')) return 0
  // Fields 16 and 17 hold user and system ticks of ended children, 100 a second. The name in parentheses is field 2.
  const fields = readFileSync('/proc/self/stat', 'utf8')
    .replace(/^.*\) /s, '')
    .split(' ')
  const ticks = Number(fields[13]) + Number(fields[14])
  const seconds = (ticks - countedTicks) / 100
  countedTicks = ticks
  return seconds
}

/** Duration and CPU time of a stage or of the set-up, which has just ended. @param {number} startedAt */
export function costSince(startedAt) {
  const cpuSeconds = takeCpuSeconds()
  return { cpuSeconds, duration: `${secondsSince(startedAt)}, CPU ${cpuSeconds.toFixed(1)} s` }
}

/**
 * Runs a script of package.json.
 * @param {string} script
 * @param {string[]} args
 * @param {{ env?: NodeJS.ProcessEnv, isShown?: boolean }} how `isShown` prints the output at once. Otherwise it is returned.
 */
async function runScript(script, args, { env, isShown = false }) {
  const startedAt = performance.now()
  const all = ['run', '--silent', script, '--', ...args]
  const stdout = isShown ? 'inherit' : 'pipe'
  const shell = process.platform === 'win32'
  const child = startChild('npm', all, { shell, stdio: ['ignore', stdout, stdout], env: toolEnvironment(env) })
  let output = ''
  for (const stream of [child.stdout, child.stderr]) stream?.setEncoding('utf8').on('data', (text) => (output += text))
  let cost = { cpuSeconds: 0, duration: '' }
  child.once('exit', () => (cost = costSince(startedAt)))
  const code = await ended(child)
  throwIfEnding()
  return { code, output: output.trim(), ...cost }
}

/**
 * For the type checker and the linter, which are written in Go. A second thread checks the same types again, and other
 * stages need the other core. More memory means fewer collections.
 */
const goVariables = { GOMAXPROCS: '1', GOGC: '400' }

/**
 * Runs a stage that passes or fails as a whole. Its output is printed in one piece, because other stages run at the
 * same time.
 * @param {string} script
 * @param {...string} args
 * @returns {Promise<TimedResult>}
 */
export async function runCheck(script, ...args) {
  const { code, output, ...cost } = await runScript(script, args, { env: goVariables })
  print(`\n--- ${script}: ${code === 0 ? 'passed' : 'FAILED'} (${cost.duration})${output && `\n${output}`}`)
  const counts = { passed: code === 0 ? 1 : 0, failed: code === 0 ? 0 : 1, skipped: [], ran: [] }
  return { stage: script, counts, needsTests: true, ...cost }
}

/**
 * Runs a stage of many tests. Its output is printed in one piece, or at once with `isShown`.
 * @param {string} script
 * @param {string} scratch a folder for the files of the reporters
 * @param {{ args?: string[], isShown?: boolean }} [how]
 * @returns {Promise<TimedResult>}
 */
export async function runTests(script, scratch, { args = [], isShown = false } = {}) {
  const file = join(scratch, `${script.replace(/\W+/g, '-')}.jsonl`)
  const { code, output, ...cost } = await runScript(script, args, { env: { INDEXWATCH_TEST_COUNTS: file }, isShown })
  if (output) print(`\n${output}`)
  const { counts, complaint } = readCounts(existsSync(file) ? readFileSync(file, 'utf8') : '', code)
  if (complaint) print(`${script} ${complaint}`)
  print(`--- ${script}: ${counts.failed === 0 ? 'passed' : 'FAILED'} (${cost.duration})`)
  return { stage: script, counts, needsTests: true, ...cost }
}

/**
 * Runs a stage without tests that other stages need.
 * @param {string} stage
 * @param {() => Promise<void>} work
 * @returns {Promise<TimedResult>} failed if the work ended with a SetupError
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
  const counts = { passed: 0, failed, skipped: [], ran: [] }
  return { stage, counts, needsTests: false, ...costSince(startedAt) }
}
