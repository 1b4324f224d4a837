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
import { ended, projectRoot, runCommand, startChild, throwIfEnding, toolEnvironment } from './setup/processes.js'

const sequences = '20000'
const all = ['test/unit', 'test/integration']
const draws = /from 'fast-check'|support\/examples'|INDEXWATCH_(?:TEST_SEED|PROPERTY_RUNS)/

/** @returns {string[]} the test files that draw their examples or crash points at random */
function drawnTests() {
  const files = all.flatMap((folder) =>
    readdirSync(join(projectRoot, folder), { recursive: true, encoding: 'utf8' }).map((name) => join(folder, name)),
  )
  return files.filter((file) => file.endsWith('.test.ts') && draws.test(readFileSync(join(projectRoot, file), 'utf8')))
}

/** @param {string[]} args @param {NodeJS.ProcessEnv} [env] @returns {Promise<number>} the exit code */
async function run(args, env) {
  const code = await ended(
    startChild('node', args, { env: toolEnvironment(env), stdio: ['ignore', 'inherit', 'inherit'] }),
  )
  throwIfEnding()
  return code
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
    if ((await run([vitest, 'run', '--config', 'config/vitest.config.ts', '--reporter=dot', ...files], env)) !== 0)
      failed.push(`seed ${seed}`)
  }
  if (asked === undefined) {
    const pages = [join('scripts', 'e2e.js'), '--reporter=dot']
    if ((await run(pages, { INDEXWATCH_TEST_DEEP: '1' })) !== 0) failed.push('pages in both themes, and the app')
  }
  if (asked === undefined && (await run([join('scripts', 'electron-apis.js')])) !== 0) failed.push('APIs of Electron')
  if (asked === undefined && (await run([join('scripts', 'service.js'), '--mutants'])) !== 0) failed.push('mutants')
  const tool = join('scripts', 'tool.js')
  if (asked === undefined && (await run([tool, 'soak', '--minutes', '3', '--seed', '11'])) !== 0) failed.push('soak')
  if (asked === undefined && (await run([tool, 'kill', '100'])) !== 0) failed.push('kills')
  process.stdout.write(
    `\nseeds: ${seeds.join(', ')}\n${failed.length === 0 ? 'passed' : `failed: ${failed.join(', ')}`}\n`,
  )
  return failed.length === 0 ? 0 : 1
})
