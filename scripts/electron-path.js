// @ts-check
// npm run electron:path: prints the Electron executable that the other commands use, fetching one if there is none.
import { ensureDependencies } from './setup/dependencies.js'
import { ensureElectron } from './setup/electron.js'
import { runCommand } from './setup/processes.js'

runCommand(async () => {
  await ensureDependencies()
  const { executable } = await ensureElectron()
  process.stdout.write(`${executable}\n`)
  return 0
})
