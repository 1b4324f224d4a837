// @ts-check
// npm test: runs all stages even if one fails. The last line is "N passed, N failed".
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { build } from './setup/build.js'
import { ensureDependencies } from './setup/dependencies.js'
import { ensureElectron } from './setup/electron.js'
import { projectRoot, runCommand, twoAtATime } from './setup/processes.js'
import { whileAlone } from './setup/setup-lock.js'
import { ensureSystemPackages } from './setup/system-packages.js'
import { secondsSince } from './setup/terminal.js'
import { readFaults } from './testing/faults.js'
import { costSince, runCheck, runTests, runWork } from './testing/stages.js'
import { summarize } from './testing/summary.js'

/** @typedef {import('./testing/stages.js').TimedResult} TimedResult */

/** Builds the app, then runs the tests that use the build. @param {string} scratch */
async function runApp(scratch) {
  const electron = ensureElectron()
  const built = await runWork('build', () => whileAlone(() => build({ output: 'kept' })))
  // Without this, the tests would run an earlier build.
  if (built.counts.failed > 0) {
    process.stdout.write('\n--- test:e2e, soak, kill: not run, since the build failed\n')
    return [built]
  }
  await electron
  // Tests tagged @deep run in test:deep.
  const args = ['--reporter=list,./scripts/reporters/playwright-counts.js', '--grep-invert=@deep']
  const suite = runTests('test:e2e', scratch, { args, isShown: true })
  return [built, ...(await Promise.all([suite, ...(process.platform === 'linux' ? runLong() : [])]))]
}

/** Short versions of the endurance runs. */
function runLong() {
  return [runCheck('soak', '--minutes', '0.5', '--seed', '39'), runCheck('kill', '2', '--seed', '4')]
}

/** Runs the static checks first, two at a time. */
async function runChecks() {
  /** @type {TimedResult[]} */
  const done = []
  await twoAtATime(['format:check', 'check', 'lint', 'layers', 'unused'], async (script) => {
    done.push(await runCheck(script))
  })
  return done
}

/** Runs everything that needs no build. @param {string} scratch */
async function runSources(scratch) {
  // The service's tests mostly wait for a clock, so the checks run at the same time.
  const [service, checks] = await Promise.all([runTests('test:service', scratch), runChecks()])
  const args = ['--reporter=default', '--reporter=./scripts/reporters/vitest-counts.js']
  return [...checks, service, await runTests('test:unit', scratch, { args })]
}

runCommand(async () => {
  const startedAt = performance.now()
  await Promise.all([ensureSystemPackages('tests'), ensureDependencies()])
  const setUp = costSince(startedAt)
  const scratch = mkdtempSync(join(tmpdir(), 'indexwatch-test-'))
  process.once('exit', () => rmSync(scratch, { recursive: true, force: true }))
  const results = (await Promise.all([runSources(scratch), runApp(scratch)])).flat()
  const times = results.map(({ stage, duration }) => `${stage}: ${duration}`)
  const cpuSeconds = results.reduce((sum, result) => sum + result.cpuSeconds, setUp.cpuSeconds)
  const faults = readFaults(readFileSync(join(projectRoot, 'test', 'faults.jsonl'), 'utf8'))
  const { lines, isGood } = summarize(results, faults)
  const all = `all: ${secondsSince(startedAt)}, CPU ${cpuSeconds.toFixed(0)} s`
  process.stdout.write(`\n${[`set-up: ${setUp.duration}`, ...times, all, ...lines].join('\n')}\n`)
  return isGood ? 0 : 1
})
