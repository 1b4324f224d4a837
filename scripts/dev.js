// @ts-check
// npm run dev: the app with hot reload.
import { join } from 'node:path'
import { forgetBuild } from './setup/build.js'
import { ensureDependencies } from './setup/dependencies.js'
import { hasDisplay } from './setup/display.js'
import { electronEnvironment, ensureElectron, sandboxFlags } from './setup/electron.js'
import { SetupError, runCommand, runNode } from './setup/processes.js'
import { ensureSystemPackages } from './setup/system-packages.js'

runCommand(async () => {
  if (!hasDisplay()) throw new SetupError('hot reload needs a display and there is none; see `npm start`')
  await ensureSystemPackages('app')
  await ensureDependencies()
  const electron = await ensureElectron()
  // electron-vite writes a development build into out/.
  forgetBuild()
  const script = join('node_modules', 'electron-vite', 'bin', 'electron-vite.js')
  const args = [
    script,
    'dev',
    '--config',
    'config/electron.vite.config.ts',
    ...sandboxFlags('--noSandbox'),
    ...process.argv.slice(2),
  ]
  return runNode(args, electronEnvironment(electron))
})
