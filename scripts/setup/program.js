// @ts-check
import { join } from 'node:path'
import { ensureBuild } from './build.js'
import { ensureDependencies } from './dependencies.js'
import { electronEnvironment, ensureElectron, sandboxFlags } from './electron.js'
import { ended, projectRoot, runCommand, runNode, startChild, toolEnvironment } from './processes.js'
import { ensureSystemPackages } from './system-packages.js'

/**
 * Runs a program of the build in plain Node, with the arguments of the command.
 * @param {string} name
 * @param {'ignore' | 'inherit'} [stdin]
 */
export function runProgram(name, stdin = 'ignore') {
  return runCommand(async () => {
    await ensureDependencies()
    await ensureBuild()
    const args = [join(projectRoot, 'out', 'main', `${name}.js`), ...process.argv.slice(2)]
    return runNode(args, {}, { stdio: [stdin, 'inherit', 'inherit'] })
  })
}

/**
 * Installs and builds what the app needs and returns the Electron to start it with.
 * @param {'app' | 'desk'} [purpose]
 */
export async function ensureApp(purpose = 'app') {
  await ensureSystemPackages(purpose)
  await ensureDependencies()
  const electron = await ensureElectron()
  await ensureBuild()
  return electron
}

/**
 * Starts the app and waits for its end.
 * @param {import('./electron.js').FoundElectron} electron
 * @param {string[]} switches Chromium's
 * @param {string[]} args the app's
 * @param {NodeJS.ProcessEnv} [env]
 */
export function runApp(electron, switches, args, env) {
  return ended(
    startChild(electron.executable, [...sandboxFlags('--no-sandbox'), ...switches, projectRoot, ...args], {
      env: toolEnvironment({ ...electronEnvironment(electron), ...env }),
      stdio: ['ignore', 'inherit', 'inherit'],
    }),
  )
}
