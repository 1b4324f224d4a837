// @ts-check
// npm run playground: shows every view in its states and every UI component in a browser, with hot reload.
import { ensureDependencies } from './setup/dependencies.js'
import { runCommand, runNode } from './setup/processes.js'

runCommand(async () => {
  await ensureDependencies()
  const args = ['node_modules/vite/bin/vite.js', '--config', 'test/playground/vite.config.ts', ...process.argv.slice(2)]
  return runNode(args)
})
