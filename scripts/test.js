// @ts-check
// npm test: everything that must pass. All stages run, whatever fails; the last line is "N passed, N failed".
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { build } from './setup/build.js'
import { ensureDependencies } from './setup/dependencies.js'
import { ensureElectron } from './setup/electron.js'
import { SetupError, ended, runCommand } from './setup/processes.js'
import { whileAlone } from './setup/setup-lock.js'
import { ensureSystemPackages } from './setup/system-packages.js'
import { runPlaywright } from './testing/playwright.js'
import { runCheck, runSuite, startScript } from './testing/stages.js'
import { summarize } from './testing/summary.js'

/** @typedef {import('./testing/summary.js').StageResult} StageResult */

/** @returns {Promise<StageResult>} */
async function runBuild() {
  try {
    await whileAlone(() => build({ output: 'kept' }))
    return { stage: 'build', counts: { passed: 0, failed: 0, skipped: [] }, needsTests: false }
  } catch (error) {
    if (!(error instanceof SetupError)) throw error
    process.stdout.write(`\n--- build: FAILED\n${error.message}\n`)
    return { stage: 'build', counts: { passed: 0, failed: 1, skipped: [] }, needsTests: false }
  }
}

/** @returns {Promise<number>} */
function runVitest() {
  const reporters = ['--reporter=default', '--reporter=./scripts/reporters/vitest-counts.js']
  return ended(startScript('test:unit', reporters, ['ignore', 'inherit', 'inherit']))
}

/**
 * The conformance suite, or the check that it notices what it should.
 * @param {...string} args
 * @returns {Promise<number>}
 */
function runService(...args) {
  return ended(startScript('test:service', args, ['ignore', 'inherit', 'inherit']))
}

/**
 * @param {import('./setup/electron.js').FoundElectron} electron
 * @param {string} scratch a folder for the reporters' files
 * @returns {Promise<StageResult[]>}
 */
async function runStages(electron, scratch) {
  // Two at a time where nothing depends on the clock; whatever runs the app has the machine to itself.
  const checks = await Promise.all([runCheck('check'), runCheck('lint')])
  const [format, built] = await Promise.all([runCheck('format:check'), runBuild()])
  const done = [...checks, format, built, await runSuite('test:unit', scratch, runVitest)]
  done.push(await runSuite('test:service', scratch, () => runService()))
  done.push(await runSuite('test:service --few-mutants', scratch, () => runService('--few-mutants')))
  // On the remains of an earlier build, the end-to-end tests would tell about another program.
  if (built.counts.failed > 0) {
    process.stdout.write('\n--- test:e2e: not run, since the build failed\n')
    return done
  }
  const reporter = '--reporter=list,./scripts/reporters/playwright-counts.js'
  return [...done, await runSuite('test:e2e', scratch, () => runPlaywright(electron, [reporter]))]
}

runCommand(async () => {
  await ensureSystemPackages('tests')
  await ensureDependencies()
  const electron = await ensureElectron()
  const scratch = mkdtempSync(join(tmpdir(), 'indexwatch-test-'))
  process.once('exit', () => rmSync(scratch, { recursive: true, force: true }))
  const { lines, isGood } = summarize(await runStages(electron, scratch))
  process.stdout.write(`\n${lines.join('\n')}\n`)
  return isGood ? 0 : 1
})
