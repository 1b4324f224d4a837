// @ts-check
import { join } from 'node:path'
import { ended, startChild, toolEnvironment } from './setup/processes.js'

/**
 * Starts Vitest on the conformance suite.
 * @param {string[]} args arguments for Vitest
 * @param {NodeJS.ProcessEnv} env variables for the suite
 * @param {import('node:child_process').StdioOptions} stdio
 */
export function startSuite(args, env, stdio) {
  const script = join('node_modules', 'vitest', 'vitest.mjs')
  const all = [script, 'run', '--config', 'config/vitest.service.config.ts', ...args]
  return startChild('node', all, { env: toolEnvironment(env), stdio })
}

/**
 * Runs the suite against a service. Starts a simulator if none is given.
 * @param {import('./service-arguments.js').Service | undefined} service
 * @param {string[]} filters parts of the names of the files to run. All files run if it is empty.
 * @returns {Promise<number>} its exit code
 */
export function runConformance(service, filters) {
  // The result for another service also lists the tests that were skipped, with the reasons.
  const shown = service ? 'verbose' : 'default'
  const reporters = [`--reporter=${shown}`, '--reporter=./scripts/reporters/vitest-counts.js']
  const env = { INDEXWATCH_SERVICE_UNDER_TEST: service && JSON.stringify(service), INDEXWATCH_MUTANT: undefined }
  return ended(startSuite([...reporters, ...filters], env, ['ignore', 'inherit', 'inherit']))
}
