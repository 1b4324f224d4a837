// @ts-check
// npm run bench, fuzz, kill and soak: runs a TypeScript program of scripts/tools/ with the arguments of the command.
import { join } from 'node:path'
import { ensureBuild } from './setup/build.js'
import { ensureDependencies } from './setup/dependencies.js'
import { electronEnvironment, ensureElectron } from './setup/electron.js'
import { runCommand, runNode, SetupError } from './setup/processes.js'
import { ensureSystemPackages } from './setup/system-packages.js'

/** Prepares a tool that starts the built app. @param {string} name */
async function prepareApp(name) {
  // The tools read memory, CPU time and open files of other processes from /proc.
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
  const program = ['--import', resolution, join('scripts', 'tools', name, 'run.ts'), ...args]
  return runNode(program, env ?? {})
})
