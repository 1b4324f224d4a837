// @ts-check
// npm run simulator -- [--port N] [--seed N] [--scenario NAME]: the embedded service alone. Its first line on stdout is
// its own: what is said here goes to stderr, and .npmrc keeps npm from naming the script on stdout.
import { join } from 'node:path'
import { ensureBuild } from './setup/build.js'
import { ensureDependencies } from './setup/dependencies.js'
import { ended, projectRoot, runCommand, startChild } from './setup/processes.js'

runCommand(async () => {
  await ensureDependencies()
  await ensureBuild()
  const program = join(projectRoot, 'out', 'main', 'simulator-cli.js')
  return ended(startChild('node', [program, ...process.argv.slice(2)], { stdio: ['ignore', 'inherit', 'inherit'] }))
})
