// @ts-check
import { join } from 'node:path'
import { ended, startChild, toolEnvironment } from './setup/processes.js'

/**
 * Starts Vitest on the conformance suite.
 * @param {string[]} args Vitest's
 * @param {NodeJS.ProcessEnv} env what the suite is given
 * @param {import('node:child_process').StdioOptions} stdio
 */
export function startSuite(args, env, stdio) {
  const script = join('node_modules', 'vitest', 'vitest.mjs')
  const all = [script, 'run', '--config', 'vitest.service.config.ts', ...args]
  return startChild('node', all, { env: toolEnvironment(env), stdio })
}

/**
 * Runs the suite against a service, or a simulator started for it when there is none.
 * @param {import('./service-arguments.js').Service | undefined} service
 * @param {string[]} filters parts of the names of the files to run; all when empty
 * @returns {Promise<number>} its exit code
 */
export function runConformance(service, filters) {
  // What another service is not asked, and why, is part of the answer.
  const shown = service ? 'verbose' : 'default'
  const reporters = [`--reporter=${shown}`, '--reporter=./scripts/reporters/vitest-counts.js']
  const env = { INDEXWATCH_SERVICE_UNDER_TEST: service && JSON.stringify(service), INDEXWATCH_MUTANT: undefined }
  return ended(startSuite([...reporters, ...filters], env, ['ignore', 'inherit', 'inherit']))
}
