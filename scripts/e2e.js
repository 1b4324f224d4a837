// @ts-check
// npm run test:e2e [-- ARGUMENTS]: the tests in Chromium and in real Electron, on a display of their own; the arguments
// are Playwright's.
import { join } from 'node:path'
import { ensureBuild } from './setup/build.js'
import { ensureDependencies } from './setup/dependencies.js'
import { startVirtualDisplay } from './setup/display.js'
import { electronEnvironment, ensureElectron } from './setup/electron.js'
import { ended, runCommand, startChild, toolEnvironment } from './setup/processes.js'
import { ensureSystemPackages, findChromium } from './setup/system-packages.js'

/** @returns {Promise<NodeJS.ProcessEnv>} */
async function ownDisplay() {
  if (process.platform !== 'linux') return {}
  return { DISPLAY: await startVirtualDisplay(), WAYLAND_DISPLAY: undefined }
}

runCommand(async () => {
  await ensureSystemPackages('tests')
  await ensureDependencies()
  const electron = await ensureElectron()
  await ensureBuild()
  const env = toolEnvironment({
    ...electronEnvironment(electron),
    ...(await ownDisplay()),
    CHROMIUM_PATH: findChromium(),
  })
  const script = join('node_modules', '@playwright', 'test', 'cli.js')
  const args = [script, 'test', ...process.argv.slice(2)]
  return ended(startChild('node', args, { env, stdio: ['ignore', 'inherit', 'inherit'] }))
})
