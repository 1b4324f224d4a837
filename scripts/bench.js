// @ts-check
// npm run bench [-- NAME…] [--json] [--strict]: the budgets of docs/performance.md, each beside its limit in the same run.
import { join } from 'node:path'
import { ensureBuild } from './setup/build.js'
import { ensureDependencies } from './setup/dependencies.js'
import { electronEnvironment, ensureElectron } from './setup/electron.js'
import { ended, runCommand, SetupError, startChild, toolEnvironment } from './setup/processes.js'
import { ensureSystemPackages } from './setup/system-packages.js'

runCommand(async () => {
  // Memory and CPU of other processes are read where Linux counts them.
  if (process.platform !== 'linux') throw new SetupError('npm run bench measures on Linux alone')
  await ensureSystemPackages('tests')
  await ensureDependencies()
  const electron = await ensureElectron()
  await ensureBuild()
  const resolution = `./${join('test', 'support', 'typescript-resolution.js')}`
  const args = ['--import', resolution, join('test', 'bench', 'run.ts'), ...process.argv.slice(2)]
  const env = toolEnvironment(electronEnvironment(electron))
  return ended(startChild('node', args, { env, stdio: ['ignore', 'inherit', 'inherit'] }))
})
