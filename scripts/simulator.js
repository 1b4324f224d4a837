// @ts-check
// npm run simulator -- [--port N] [--seed N] [--scenario NAME]: the standalone simulator. The first line on stdout is its
// address: set-up writes to stderr, and .npmrc keeps npm from printing the script's name on stdout.
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
