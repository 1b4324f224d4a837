// @ts-check
import { createHash } from 'node:crypto'
import { existsSync, readFileSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { writeNotice } from './notice.js'
import { SetupError, projectRoot, runStep, startChild, ended } from './processes.js'
import { whileAlone } from './setup-lock.js'
import { say, secondsSince } from './terminal.js'

const stage = 'build'
const sources = [
  'config/electron.vite.config.ts',
  'config/svelte.config.js',
  'config/tsconfig.base.json',
  'core',
  'main',
  'preload',
  'resources/mark.svg',
  'scripts/setup/notice.js',
  'renderer',
  'protocol',
  'simulator',
  'package.json',
  'package-lock.json',
]
// Inside out/, so that it is removed with out/.
const stampFile = join(projectRoot, 'out', '.built-from')

/**
 * A fingerprint of all inputs of the build: every path with its content. Ignores times, since a checkout changes them.
 * @param {string} folder
 * @param {readonly string[]} names files and folders in it. Missing ones are part of the fingerprint.
 */
export function fingerprint(folder, names) {
  const hash = createHash('sha256')
  /** @param {string} path relative to the folder */
  const add = (path) => {
    const entries = entriesOf(join(folder, path))
    if (entries === 'file') {
      const content = readFileSync(join(folder, path))
      hash.update(`${path}\0${content.length}\0`).update(content)
    } else for (const name of entries) add(`${path}/${name}`)
  }
  for (const name of [...names].sort()) if (existsSync(join(folder, name))) add(name)
  return hash.digest('hex')
}

/** @param {string} path @returns {string[] | 'file'} */
function entriesOf(path) {
  try {
    return readdirSync(path).sort()
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ENOTDIR') return 'file'
    throw error
  }
}

function currentFingerprint() {
  // The build contains this address, see config/electron.vite.config.ts.
  const updateUrl = process.env['INDEXWATCH_UPDATE_URL'] ?? ''
  return updateUrl + fingerprint(projectRoot, sources)
}

/** @param {string} current */
function isFresh(current) {
  return existsSync(stampFile) && readFileSync(stampFile, 'utf8') === current
}

/** Marks out/ as stale, for a command that writes another build there. */
export function forgetBuild() {
  rmSync(stampFile, { force: true })
}

/**
 * Builds main, preload, renderer and simulator into out/.
 * @param {{ output: 'kept' | 'shown' }} how `shown` prints to stderr, `kept` prints only if the build fails
 */
export async function build({ output: how }) {
  const startedAt = performance.now()
  // Taken before the build, so that a file changed during the build makes the result stale.
  const current = currentFingerprint()
  forgetBuild()
  say(stage, 'electron-vite build')
  const [command, ...args] = [
    'node',
    join('node_modules', 'electron-vite', 'bin', 'electron-vite.js'),
    'build',
    '--config',
    'config/electron.vite.config.ts',
  ]
  const { code, output } =
    how === 'kept'
      ? await runStep(stage, 'electron-vite build', String(command), args)
      : { code: await ended(startChild(String(command), args, { stdio: ['ignore', 2, 2] })), output: '' }
  if (code !== 0) throw new SetupError(`the build failed:\n${output.trim()}`)
  writeNotice(join(projectRoot, 'out'))
  writeFileSync(stampFile, current)
  say(stage, `out/ built (${secondsSince(startedAt)})`)
}

/** Builds if an input of the build changed since out/ was built. */
export async function ensureBuild() {
  if (isFresh(currentFingerprint())) return say(stage, 'up to date')
  await whileAlone(async () => {
    if (isFresh(currentFingerprint())) say(stage, 'up to date')
    else await build({ output: 'kept' })
  })
}
