// @ts-check
// npm run fuzz [-- TARGET…] [--minutes N] [--seed N] [--keep]: texts from outside that nobody thought of; test/fuzz/README.md.
import { join } from 'node:path'
import { ensureDependencies } from './setup/dependencies.js'
import { ended, runCommand, startChild, toolEnvironment } from './setup/processes.js'

runCommand(async () => {
  await ensureDependencies()
  const resolution = `./${join('test', 'support', 'typescript-resolution.js')}`
  const args = ['--import', resolution, join('test', 'fuzz', 'run.ts'), ...process.argv.slice(2)]
  return ended(startChild('node', args, { env: toolEnvironment(), stdio: ['ignore', 'inherit', 'inherit'] }))
})
