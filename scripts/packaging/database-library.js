// @ts-check
// The one native module of the app. npm installs it for the processor of this computer alone, and a package for another
// processor would start without its database.
import { mkdtempSync, mkdirSync, readFileSync, readdirSync, renameSync, rmSync } from 'node:fs'
import { delimiter, dirname, join } from 'node:path'
import { SetupError, pathWithoutTools, projectRoot, runStep } from '../setup/processes.js'
import { say } from '../setup/terminal.js'

/** @typedef {'darwin' | 'linux' | 'win32'} Platform */

/** @type {Record<Platform, string>} */
const suffixes = { darwin: '', linux: '-gnu', win32: '-msvc' }
const modules = join(projectRoot, 'node_modules')

/** The package with the library, such as `@libsql/darwin-x64`. @param {string} platform @param {string} arch */
function libraryOf(platform, arch) {
  if (!(platform in suffixes)) throw new SetupError(`there is no database library for ${platform}`)
  return `@libsql/${platform}-${arch}${suffixes[/** @type {Platform} */ (platform)]}`
}

/** @param {string} file @param {string} path @returns {{ version: string, integrity: string } | undefined} */
function lockedAt(file, path) {
  return JSON.parse(readFileSync(file, 'utf8')).packages[path]
}

/**
 * Fetches the library for another processor, in the version and with the hash of package-lock.json.
 * @param {string} platform
 * @param {string} arch
 * @throws {SetupError} when it cannot be fetched or is another file than the locked one
 */
export async function ensureLibrary(platform, arch) {
  const name = libraryOf(platform, arch)
  const path = `node_modules/${name}`
  const locked = lockedAt(join(projectRoot, 'package-lock.json'), path)
  if (locked === undefined) throw new SetupError(`package-lock.json has no ${name}`)
  if (readdirSync(join(modules, '@libsql')).includes(name.slice('@libsql/'.length))) return
  say('package', `fetching ${name}`)
  mkdirSync(join(modules, '.cache'), { recursive: true })
  const folder = mkdtempSync(join(modules, '.cache', 'library-'))
  try {
    // Forced, because the library is for another processor than this one.
    const args = ['install', '--prefix', folder, '--force', '--ignore-scripts']
    const { code, output } = await runStep(
      'package',
      'npm install',
      'npm',
      [...args, '--loglevel=error', `${name}@${locked.version}`],
      { env: { ...process.env, PATH: pathWithoutTools().join(delimiter) }, shell: process.platform === 'win32' },
    )
    if (code !== 0) throw new SetupError(`${name} cannot be fetched:\n${output.trim()}`)
    if (lockedAt(join(folder, 'package-lock.json'), path)?.integrity !== locked.integrity)
      throw new SetupError(`${name} ${locked.version} is not the file that package-lock.json names`)
    renameSync(join(folder, path), join(modules, name))
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}

/**
 * @param {string} resources the folder with the archive of a packed app
 * @param {string} platform
 * @param {string} arch
 * @throws {SetupError} unless the app has the library of its own processor and no other
 */
export function checkLibrary(resources, platform, arch) {
  const wanted = libraryOf(platform, arch)
  const folder = join(resources, 'app.asar.unpacked', 'node_modules', dirname(wanted))
  /** @type {string[]} */
  let found = []
  try {
    found = readdirSync(folder).map((name) => `@libsql/${name}`)
  } catch {
    // There is none.
  }
  if (found.length !== 1 || found[0] !== wanted)
    throw new SetupError(`the app for ${platform} on ${arch} needs ${wanted} and has ${found.join(', ') || 'none'}`)
}
