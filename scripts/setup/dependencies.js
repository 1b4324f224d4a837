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
// Inside node_modules, so that it goes when they go.
const stampFile = join(modules, '.indexwatch-installed-from')

/**
 * @typedef {{ version?: string, integrity?: string, optional?: boolean }} LockedPackage
 * @typedef {{ packages?: Record<string, LockedPackage> }} LockFile
 */

/**
 * Whether what npm noted in node_modules is what the lock file asks for. Packages that are optional may be absent: they
 * are for other systems.
 * @param {LockFile} wanted package-lock.json
 * @param {LockFile} noted node_modules/.package-lock.json, which npm writes when it has finished
 */
export function isInstalledAsLocked(wanted, noted) {
  const present = noted.packages ?? {}
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

/** Whether node_modules is what package-lock.json asks for, installed by set-up or by hand. */
function isCurrent() {
  const lockText = readFileSync(lockFile, 'utf8')
  if (textOf(stampFile) === hashOf(lockText)) return true
  const noted = textOf(join(modules, '.package-lock.json'))
  if (noted === undefined || !isInstalledAsLocked(JSON.parse(lockText), JSON.parse(noted))) return false
  writeFileSync(stampFile, hashOf(lockText))
  return true
}

async function install() {
  const startedAt = performance.now()
  const hash = hashOf(readFileSync(lockFile, 'utf8'))
  // Written last and removed first: an interrupted installation is never taken for a whole one.
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

/** Sees to it that node_modules is what package-lock.json asks for. */
export async function ensureDependencies() {
  if (isCurrent()) return say(stage, 'present')
  await whileAlone(async () => {
    if (isCurrent()) say(stage, 'present')
    else await install()
  })
}
