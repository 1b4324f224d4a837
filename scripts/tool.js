// @ts-check
// npm run bench, fuzz, kill and soak: a program of tools/, of TypeScript, with the arguments of the command.
import { join } from 'node:path'
import { ensureBuild } from './setup/build.js'
import { ensureDependencies } from './setup/dependencies.js'
import { electronEnvironment, ensureElectron } from './setup/electron.js'
import { ended, runCommand, SetupError, startChild, toolEnvironment } from './setup/processes.js'
import { ensureSystemPackages } from './setup/system-packages.js'

/** What starts the built app. @param {string} name */
async function prepareApp(name) {
  // Memory, CPU and files of other processes are read where Linux counts them.
  if (process.platform !== 'linux') throw new SetupError(`npm run ${name} measures on Linux alone`)
  await ensureSystemPackages('tests')
  await ensureDependencies()
  const electron = await ensureElectron()
  await ensureBuild()
  return electronEnvironment(electron)
}

runCommand(async () => {
  const [name = '', ...args] = process.argv.slice(2)
  const env = name === 'fuzz' ? await ensureDependencies() : await prepareApp(name)
  const resolution = `./${join('test', 'support', 'typescript-resolution.js')}`
  const program = ['--import', resolution, join('tools', name, 'run.ts'), ...args]
  return ended(
    startChild('node', program, { env: toolEnvironment(env ?? {}), stdio: ['ignore', 'inherit', 'inherit'] }),
  )
})
