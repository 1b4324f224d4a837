// @ts-check
// npm run test:deep [-- SEED]: the long tests, about three quarters of an hour.
// Installs LibreOffice if it is missing, for the test of tables. Runs all unit tests with ten times the sequences and
// every crash point. Runs the randomized tests three more times, each with a new seed. Then runs all tests of the pages,
// in both themes, and of the app, every mutant of the service, a soak of three minutes and a hundred kills. With a SEED
// it only repeats one run of the unit tests.
import { randomInt } from 'node:crypto'
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { ensureDependencies } from './setup/dependencies.js'
import { ensureSystemPackages } from './setup/system-packages.js'
import { projectRoot, runCommand, runNode, throwIfEnding } from './setup/processes.js'

const sequences = '20000'
const all = ['test/unit', 'test/integration']
/** What follows the unit tests, each with its program. @type {readonly (readonly [string, readonly string[]])[]} */
const programs = [
  ['pages in both themes, and the app', ['e2e.js', '--reporter=dot']],
  ['APIs of Electron', ['electron-apis.js']],
  ['mutants', ['service.js', '--mutants']],
  ['soak', ['tool.js', 'soak', '--minutes', '3', '--seed', '11']],
  ['kills', ['tool.js', 'kill', '100']],
]
const draws = /from 'fast-check'|support\/examples'|INDEXWATCH_(?:TEST_SEED|PROPERTY_RUNS)/

/** @returns {string[]} the test files that draw their examples or crash points at random */
function drawnTests() {
  const files = all.flatMap((folder) =>
    readdirSync(join(projectRoot, folder), { recursive: true, encoding: 'utf8' }).map((name) => join(folder, name)),
  )
  return files.filter((file) => file.endsWith('.test.ts') && draws.test(readFileSync(join(projectRoot, file), 'utf8')))
}

runCommand(async () => {
  await ensureSystemPackages('deepTests')
  await ensureDependencies()
  const asked = process.argv[2]
  const seeds = asked === undefined ? Array.from({ length: 4 }, () => String(randomInt(2 ** 31))) : [asked]
  const failed = []
  for (const [at, seed] of seeds.entries()) {
    process.stdout.write(`\n--- seed ${seed}\n`)
    const isWhole = asked === undefined && at === 0
    const env = {
      INDEXWATCH_TEST_SEED: seed,
      INDEXWATCH_PROPERTY_RUNS: sequences,
      ...(isWhole && { INDEXWATCH_TEST_DEEP: '1' }),
    }
    const vitest = join('node_modules', 'vitest', 'vitest.mjs')
    const files = at === 0 ? all : drawnTests()
    const args = [vitest, 'run', '--config', 'config/vitest.config.ts', '--reporter=dot', ...files]
    if ((await runNode(args, env)) !== 0) failed.push(`seed ${seed}`)
    throwIfEnding()
  }
  for (const [name, program] of asked === undefined ? programs : []) {
    const [script = '', ...args] = program
    if ((await runNode([join('scripts', script), ...args], { INDEXWATCH_TEST_DEEP: '1' })) !== 0) failed.push(name)
    throwIfEnding()
  }
  process.stdout.write(
    `\nseeds: ${seeds.join(', ')}\n${failed.length === 0 ? 'passed' : `failed: ${failed.join(', ')}`}\n`,
  )
  return failed.length === 0 ? 0 : 1
})
