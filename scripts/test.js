// @ts-check
// npm test: everything that must pass. All stages run, whatever fails; the last line is "N passed, N failed".
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { build } from './setup/build.js'
import { ensureDependencies } from './setup/dependencies.js'
import { ensureElectron } from './setup/electron.js'
import { projectRoot, runCommand } from './setup/processes.js'
import { whileAlone } from './setup/setup-lock.js'
import { ensureSystemPackages } from './setup/system-packages.js'
import { secondsSince } from './setup/terminal.js'
import { readFaults } from './testing/faults.js'
import { runPlaywright } from './testing/playwright.js'
import { runCheck, runSuite, runTests, runWork } from './testing/stages.js'
import { summarize } from './testing/summary.js'

/** @typedef {import('./testing/stages.js').TimedResult} TimedResult */

const counting = ['--reporter=default', '--reporter=./scripts/reporters/vitest-counts.js']

/** The build, and all that runs it: nearly all of the time, so that it begins at once. @param {string} scratch */
async function runApp(scratch) {
  const electron = ensureElectron()
  const built = await runWork('build', () => whileAlone(() => build({ output: 'kept' })))
  // On the remains of an earlier build, the tests would test another program.
  if (built.counts.failed > 0) {
    process.stdout.write('\n--- test:e2e, soak, kill: not run, since the build failed\n')
    return [built]
  }
  const found = await electron
  const reporter = '--reporter=list,./scripts/reporters/playwright-counts.js'
  // What shows at work what other tests hold already is for test:deep.
  const suite = runSuite('test:e2e', scratch, (env) => runPlaywright(found, [reporter, '--grep-invert=@deep'], env))
  return [built, ...(await Promise.all([suite, ...(process.platform === 'linux' ? runLong() : [])]))]
}

/** The shortest of the runs that go on for hours before a release. */
function runLong() {
  return [runCheck('soak', '--minutes', '3', '--seed', '11'), runCheck('kill', '4', '--seed', '4')]
}

/** All that needs no build, one after the other in what processor time the other lane leaves. @param {string} scratch */
async function runSources(scratch) {
  // First, beside the build alone: these wait for a clock, and a machine with much else to do lets them wait too long.
  const done = await Promise.all([runTests('test:service', scratch), runTests('test:service', scratch, '--one-mutant')])
  done.push(await runCheck('format:check'), await runCheck('check'))
  // A cached verdict on one file does not know of a type that changed in another.
  done.push(await runCheck('lint', '--no-cache'))
  done.push(await runCheck('layers'), await runCheck('unused'))
  done.push(await runTests('test:unit', scratch, ...counting))
  return done
}

runCommand(async () => {
  const startedAt = performance.now()
  await Promise.all([ensureSystemPackages('tests'), ensureDependencies()])
  const setUp = secondsSince(startedAt)
  const scratch = mkdtempSync(join(tmpdir(), 'indexwatch-test-'))
  process.once('exit', () => rmSync(scratch, { recursive: true, force: true }))
  const [sources, app] = await Promise.all([runSources(scratch), runApp(scratch)])
  const results = [...sources, ...app]
  const times = results.map(({ stage, duration }) => `${stage}: ${duration}`)
  const faults = readFaults(readFileSync(join(projectRoot, 'test', 'faults.jsonl'), 'utf8'))
  const { lines, isGood } = summarize(results, faults)
  const all = [`set-up: ${setUp}`, ...times, `all: ${secondsSince(startedAt)}`, ...lines]
  process.stdout.write(`\n${all.join('\n')}\n`)
  return isGood ? 0 : 1
})
