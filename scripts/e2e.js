// @ts-check
// npm run test:e2e [-- ARGUMENTS]: the tests in Chromium and in real Electron alone; the arguments are Playwright's.
import { ensureBuild } from './setup/build.js'
import { ensureDependencies } from './setup/dependencies.js'
import { ensureElectron } from './setup/electron.js'
import { runCommand } from './setup/processes.js'
import { ensureSystemPackages } from './setup/system-packages.js'
import { runPlaywright } from './testing/playwright.js'

runCommand(async () => {
  const takesPictures = process.argv.includes('--config=playwright.pictures.config.ts')
  await ensureSystemPackages(takesPictures ? 'pictures' : 'tests')
  await ensureDependencies()
  const electron = await ensureElectron()
  await ensureBuild()
  return runPlaywright(electron, process.argv.slice(2))
})
