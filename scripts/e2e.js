// @ts-check
// npm run test:e2e [-- ARGUMENTS]: only the tests in Chromium and in Electron. The arguments are Playwright's.
import { join } from 'node:path'
import { ensureBuild } from './setup/build.js'
import { ensureDependencies } from './setup/dependencies.js'
import { electronEnvironment, ensureElectron } from './setup/electron.js'
import { runCommand, runNode } from './setup/processes.js'
import { ensureSystemPackages, findChromium } from './setup/system-packages.js'

runCommand(async () => {
  const takesPictures = process.argv.includes('--config=scripts/tools/pictures/playwright.config.ts')
  await ensureSystemPackages(takesPictures ? 'pictures' : 'tests')
  await ensureDependencies()
  const electron = await ensureElectron()
  await ensureBuild()
  const env = { ...electronEnvironment(electron), CHROMIUM_PATH: findChromium() }
  const script = join('node_modules', '@playwright', 'test', 'cli.js')
  const isNamed = process.argv.some((argument) => argument.startsWith('--config='))
  const config = isNamed ? [] : ['--config=config/playwright.config.ts']
  // Playwright's workers inherit these flags. They mostly wait, so optimized code does not pay off.
  const args = ['--no-opt', '--no-maglev', script, 'test', ...config, ...process.argv.slice(2)]
  // On any other signal Playwright leaves its web server and the apps under test running.
  return runNode(args, env, { endSignal: 'SIGINT' })
})
