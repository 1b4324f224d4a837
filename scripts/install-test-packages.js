// @ts-check
// node scripts/install-test-packages.js: installs the system packages of `npm test`, as root. For a computer whose
// tests run as another user.
import { runCommand } from './setup/processes.js'
import { ensureSystemPackages } from './setup/system-packages.js'

runCommand(async () => {
  await ensureSystemPackages('tests')
  return 0
})
