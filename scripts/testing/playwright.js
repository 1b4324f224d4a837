// @ts-check
import { join } from 'node:path'
import { startVirtualDisplay } from '../setup/display.js'
import { electronEnvironment } from '../setup/electron.js'
import { ended, startChild, toolEnvironment } from '../setup/processes.js'
import { findChromium } from '../setup/system-packages.js'

/** A display of the tests' own: no window pops up, and none is covered by somebody else's. @returns {Promise<NodeJS.ProcessEnv>} */
async function ownDisplay() {
  if (process.platform !== 'linux') return {}
  return { DISPLAY: await startVirtualDisplay(), WAYLAND_DISPLAY: undefined }
}

/**
 * Runs the tests in Chromium and in real Electron; needs the build.
 * @param {import('../setup/electron.js').FoundElectron} electron
 * @param {string[]} args Playwright's
 * @returns {Promise<number>} its exit code
 */
export async function runPlaywright(electron, args) {
  const tools = { ...electronEnvironment(electron), CHROMIUM_PATH: findChromium() }
  const env = toolEnvironment({ ...tools, ...(await ownDisplay()) })
  const script = join('node_modules', '@playwright', 'test', 'cli.js')
  // At any other signal it leaves its web server and the apps under test behind.
  const options = { env, endSignal: /** @type {const} */ ('SIGINT') }
  return ended(startChild('node', [script, 'test', ...args], { ...options, stdio: ['ignore', 'inherit', 'inherit'] }))
}
