// @ts-check
import { join } from 'node:path'
import { electronEnvironment } from '../setup/electron.js'
import { ended, startChild, toolEnvironment } from '../setup/processes.js'
import { findChromium } from '../setup/system-packages.js'

/**
 * Runs the tests in Chromium and in real Electron; needs the build.
 * @param {import('../setup/electron.js').FoundElectron} electron
 * @param {string[]} args Playwright's
 * @param {NodeJS.ProcessEnv} [extra] variables on top of this process's
 * @returns {Promise<number>} its exit code
 */
export function runPlaywright(electron, args, extra) {
  const env = toolEnvironment({ ...electronEnvironment(electron), CHROMIUM_PATH: findChromium(), ...extra })
  const script = join('node_modules', '@playwright', 'test', 'cli.js')
  // Its workers inherit these. They wait most of the time, and compile for speed what they hardly run.
  const plain = ['--no-opt', '--no-maglev']
  // At any other signal it leaves its web server and the apps under test behind.
  const options = { env, endSignal: /** @type {const} */ ('SIGINT') }
  return ended(
    startChild('node', [...plain, script, 'test', ...args], { ...options, stdio: ['ignore', 'inherit', 'inherit'] }),
  )
}
