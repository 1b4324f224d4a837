// @ts-check
// npm run package: installers for this system, in release/. Takes the official Electron only: the build from the npm
// registry, good enough to test with, is out of support and not from Electron's makers.
import { join } from 'node:path'
import { ensureBuild } from './setup/build.js'
import { ensureDependencies } from './setup/dependencies.js'
import { ensureOfficialElectron } from './setup/electron.js'
import { SetupError, ended, runCommand, startChild } from './setup/processes.js'

runCommand(async () => {
  if (process.env['ELECTRON_OVERRIDE_DIST_PATH'])
    throw new SetupError('packaging needs the official Electron: unset ELECTRON_OVERRIDE_DIST_PATH')
  await ensureDependencies()
  await ensureOfficialElectron()
  await ensureBuild()
  const script = join('node_modules', 'electron-builder', 'cli.js')
  const args = [script, '--publish', 'never', ...process.argv.slice(2)]
  return ended(startChild('node', args, { stdio: ['ignore', 'inherit', 'inherit'] }))
})
