// @ts-check
// npm run build: builds into out/, even if it is up to date.
import { build } from './setup/build.js'
import { ensureDependencies } from './setup/dependencies.js'
import { runCommand } from './setup/processes.js'
import { whileAlone } from './setup/setup-lock.js'

runCommand(async () => {
  await ensureDependencies()
  await whileAlone(() => build({ output: 'shown' }))
  return 0
})
