// @ts-check
// npm run package: installers for this system, in release/. Takes the official Electron alone: the build from the npm
// registry, good enough to test with, is out of support and not Electron's makers' own.
import { join } from 'node:path'
import { ensureBuild } from './setup/build.js'
import { ensureDependencies } from './setup/dependencies.js'
import { ensureElectron } from './setup/electron.js'
import { SetupError, ended, runCommand, startChild } from './setup/processes.js'

runCommand(async () => {
  if (process.env['ELECTRON_OVERRIDE_DIST_PATH'])
    throw new SetupError('a release takes the official Electron: unset ELECTRON_OVERRIDE_DIST_PATH')
  process.env['ELECTRON_RUNTIME'] = 'official'
  await ensureDependencies()
  await ensureElectron().catch((error) => {
    throw new SetupError(`a release takes the official Electron alone, and ${error.message}`)
  })
  await ensureBuild()
  const script = join('node_modules', 'electron-builder', 'cli.js')
  const args = [script, '--publish', 'never', ...process.argv.slice(2)]
  return ended(startChild('node', args, { stdio: ['ignore', 'inherit', 'inherit'] }))
})
