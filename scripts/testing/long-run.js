// @ts-check
import { join } from 'node:path'
import { ensureBuild } from '../setup/build.js'
import { ensureDependencies } from '../setup/dependencies.js'
import { electronEnvironment, ensureElectron } from '../setup/electron.js'
import { ended, runCommand, SetupError, startChild, toolEnvironment } from '../setup/processes.js'
import { ensureSystemPackages } from '../setup/system-packages.js'

/**
 * Runs a program of ours, of TypeScript, that starts the built app, with the arguments of the command.
 * @param {string} command as the user types it
 * @param {...string} path of the program, in the project's folder
 */
export function runWithApp(command, ...path) {
  runCommand(async () => {
    // Memory, CPU and files of other processes are read where Linux counts them.
    if (process.platform !== 'linux') throw new SetupError(`npm run ${command} measures on Linux alone`)
    await ensureSystemPackages('tests')
    await ensureDependencies()
    const electron = await ensureElectron()
    await ensureBuild()
    const resolution = `./${join('test', 'support', 'typescript-resolution.js')}`
    const args = ['--import', resolution, join(...path), ...process.argv.slice(2)]
    const env = toolEnvironment(electronEnvironment(electron))
    return ended(startChild('node', args, { env, stdio: ['ignore', 'inherit', 'inherit'] }))
  })
}
