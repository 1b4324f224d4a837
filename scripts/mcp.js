// @ts-check
// npm run mcp [-- --user-data-dir=DIR]: the server for AI assistants, over stdio. stdout carries MCP alone: set-up writes
// to stderr, and .npmrc keeps npm from printing the script's name on stdout.
import { join } from 'node:path'
import { ensureBuild } from './setup/build.js'
import { ensureDependencies } from './setup/dependencies.js'
import { ended, projectRoot, runCommand, startChild } from './setup/processes.js'

runCommand(async () => {
  await ensureDependencies()
  await ensureBuild()
  const program = join(projectRoot, 'out', 'main', 'assistant-cli.js')
  return ended(startChild('node', [program, ...process.argv.slice(2)], { stdio: 'inherit' }))
})
