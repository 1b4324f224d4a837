// @ts-check
// npm run test:deep [-- SEED]: what is drawn at random, and every crash point, ten times with another seed and ten times
// the sequences; then the pages in both themes, and every mutant of the service. Takes most of an hour. A seed alone repeats
// one run.
import { randomInt } from 'node:crypto'
import { join } from 'node:path'
import { ensureDependencies } from './setup/dependencies.js'
import { ended, runCommand, startChild, throwIfEnding, toolEnvironment } from './setup/processes.js'

const sequences = '20000'

/** @param {string[]} args @param {NodeJS.ProcessEnv} [env] @returns {Promise<number>} the exit code */
async function run(args, env) {
  const code = await ended(
    startChild('node', args, { env: toolEnvironment(env), stdio: ['ignore', 'inherit', 'inherit'] }),
  )
  throwIfEnding()
  return code
}

runCommand(async () => {
  await ensureDependencies()
  const asked = process.argv[2]
  const seeds = asked === undefined ? Array.from({ length: 10 }, () => String(randomInt(2 ** 31))) : [asked]
  const failed = []
  for (const seed of seeds) {
    process.stdout.write(`\n--- seed ${seed}\n`)
    const env = { INDEXWATCH_TEST_SEED: seed, INDEXWATCH_PROPERTY_RUNS: sequences }
    const vitest = join('node_modules', 'vitest', 'vitest.mjs')
    if ((await run([vitest, 'run', '--reporter=dot', 'test/unit', 'test/integration'], env)) !== 0)
      failed.push(`seed ${seed}`)
  }
  if (asked === undefined) {
    const pages = [join('scripts', 'e2e.js'), '--project=renderer', '--reporter=dot']
    if ((await run(pages, { INDEXWATCH_BOTH_THEMES: '1' })) !== 0) failed.push('pages in both themes')
  }
  if (asked === undefined && (await run([join('scripts', 'service.js'), '--mutants'])) !== 0) failed.push('mutants')
  process.stdout.write(
    `\nseeds: ${seeds.join(', ')}\n${failed.length === 0 ? 'passed' : `failed: ${failed.join(', ')}`}\n`,
  )
  return failed.length === 0 ? 0 : 1
})
