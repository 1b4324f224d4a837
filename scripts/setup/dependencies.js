// @ts-check
import { createHash } from 'node:crypto'
import { existsSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { delimiter, join } from 'node:path'
import { SetupError, pathWithoutTools, projectRoot, runStep } from './processes.js'
import { whileAlone } from './setup-lock.js'
import { say, secondsSince } from './terminal.js'

const stage = 'dependencies'
const lockFile = join(projectRoot, 'package-lock.json')
const modules = join(projectRoot, 'node_modules')
// Inside node_modules, so that it is removed with them.
const stampFile = join(modules, '.indexwatch-installed-from')

/**
 * @typedef {{ version?: string, integrity?: string, optional?: boolean }} LockedPackage
 * @typedef {{ packages?: Record<string, LockedPackage> }} LockFile
 */

/**
 * Whether node_modules matches the lock file by npm's record. Optional packages for other systems may be missing.
 * @param {LockFile} wanted package-lock.json
 * @param {LockFile} installed node_modules/.package-lock.json, which npm writes last
 */
export function isInstalledAsLocked(wanted, installed) {
  const present = installed.packages ?? {}
  return Object.entries(wanted.packages ?? {}).every(([path, locked]) => {
    if (path === '') return true
    const found = present[path]
    if (!found) return locked.optional === true
    return found.version === locked.version && found.integrity === locked.integrity
  })
}

/** @param {string} file @returns {string | undefined} */
function textOf(file) {
  try {
    return readFileSync(file, 'utf8')
  } catch {
    return undefined
  }
}

/** @param {string} lockText */
function hashOf(lockText) {
  return createHash('sha256').update(lockText).digest('hex')
}

/** Whether node_modules matches package-lock.json. Set-up or the user may have installed it. */
function isCurrent() {
  const lockText = readFileSync(lockFile, 'utf8')
  if (textOf(stampFile) === hashOf(lockText)) return true
  const installedText = textOf(join(modules, '.package-lock.json'))
  if (installedText === undefined || !isInstalledAsLocked(JSON.parse(lockText), JSON.parse(installedText))) return false
  writeFileSync(stampFile, hashOf(lockText))
  return true
}

async function install() {
  const startedAt = performance.now()
  const hash = hashOf(readFileSync(lockFile, 'utf8'))
  // Written last and removed first, so that an interrupted installation never counts as complete.
  rmSync(stampFile, { force: true })
  say(stage, existsSync(modules) ? 'package-lock.json has changed: npm ci' : 'npm ci')
  const { code, output } = await runStep(
    stage,
    'npm ci',
    'npm',
    ['ci', '--loglevel=error', '--no-audit', '--no-fund'],
    {
      env: { ...process.env, PATH: pathWithoutTools().join(delimiter) },
      shell: process.platform === 'win32',
    },
  )
  if (code !== 0) throw new SetupError(`npm ci failed:\n${output.trim()}`)
  writeFileSync(stampFile, hash)
  say(stage, `installed (${secondsSince(startedAt)})`)
}

/** Installs the dependencies if node_modules does not match package-lock.json. */
export async function ensureDependencies() {
  if (isCurrent()) return say(stage, 'present')
  await whileAlone(async () => {
    if (isCurrent()) say(stage, 'present')
    else await install()
  })
}
