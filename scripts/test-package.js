// @ts-check
// npm run test:package [-- ARGUMENTS]: tests the packages of `npm run package -- --test-build` as a user would, on a
// new Debian system. The arguments are Playwright's. Needs root to create that system.
import { projectRoot, runCommand, runNode, SetupError } from './setup/processes.js'
import { ensureSystemPackages } from './setup/system-packages.js'
import { ensureDependencies } from './setup/dependencies.js'
import { join } from 'node:path'

runCommand(async () => {
  if (process.getuid?.() !== 0)
    throw new SetupError('npm run test:package needs root: it installs packages in a Debian of its own')
  await ensureSystemPackages('packageTests')
  await ensureDependencies()
  const script = join(projectRoot, 'node_modules', '@playwright', 'test', 'cli.js')
  const args = [script, 'test', '--config=config/playwright.package.config.ts', ...process.argv.slice(2)]
  return runNode(args, {}, { endSignal: 'SIGINT' })
})
