// @ts-check
// npm run watch [-- --list NAME] [--ids A,B] [--json] [--alerts]: values and alerts as lines until Ctrl+C, without a window.
import { ensureBuild } from './setup/build.js'
import { ensureDependencies } from './setup/dependencies.js'
import { electronEnvironment, ensureElectron, sandboxFlags } from './setup/electron.js'
import { ended, projectRoot, runCommand, startChild, toolEnvironment } from './setup/processes.js'
import { ensureSystemPackages } from './setup/system-packages.js'

runCommand(async () => {
  await ensureSystemPackages('app')
  await ensureDependencies()
  const electron = await ensureElectron()
  await ensureBuild()
  // Without a desktop Chromium logs many lines about a missing bus.
  const flags = [...sandboxFlags('--no-sandbox'), '--ozone-platform=headless', '--log-level=3']
  const env = toolEnvironment(electronEnvironment(electron))
  const args = [...flags, projectRoot, 'watch', ...process.argv.slice(2)]
  return ended(startChild(electron.executable, args, { env, stdio: ['ignore', 'inherit', 'inherit'] }))
})
