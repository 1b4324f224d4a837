// @ts-check
// npm run verify-inbox: whether the inbox of alerts is as it was recorded.
import { join } from 'node:path'
import { ensureBuild } from './setup/build.js'
import { ensureDependencies } from './setup/dependencies.js'
import { ended, projectRoot, runCommand, startChild } from './setup/processes.js'

runCommand(async () => {
  await ensureDependencies()
  await ensureBuild()
  const program = join(projectRoot, 'out', 'main', 'inbox-check-cli.js')
  return ended(startChild('node', [program, ...process.argv.slice(2)], { stdio: ['ignore', 'inherit', 'inherit'] }))
})
