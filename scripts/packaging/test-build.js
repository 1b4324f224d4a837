// @ts-check
// Prepares `npm run package -- --test-build` for machines that cannot download Electron's builds or electron-builder's
// tools. It uses the substitute Electron, and puts Debian's programs where electron-builder looks for its own.
import { mkdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { ensureDependencies } from '../setup/dependencies.js'
import { fallbackVersion } from '../setup/fallback/fallback.js'
import { ensureFallbackElectron } from '../setup/electron.js'
import { SetupError, projectRoot } from '../setup/processes.js'
import { ensureSystemPackages } from '../setup/system-packages.js'

const runtimeBytes = 8192

/** Creates the folder that electron-builder takes its AppImage tools from. */
function appImageTools() {
  const folder = join(projectRoot, 'node_modules', '.cache', 'appimage-tools')
  rmSync(folder, { recursive: true, force: true })
  mkdirSync(join(folder, 'runtimes'), { recursive: true })
  mkdirSync(join(folder, 'lib', 'x64'), { recursive: true })
  for (const name of ['mksquashfs', 'desktop-file-validate']) symlinkSync(`/usr/bin/${name}`, join(folder, name))
  const runtime = Buffer.alloc(runtimeBytes)
  const script = readFileSync(join(import.meta.dirname, 'appimage-runtime.sh'))
  if (script.length > runtimeBytes) throw new Error(`the runtime is longer than ${runtimeBytes} bytes`)
  script.copy(runtime)
  writeFileSync(join(folder, 'runtimes', 'runtime-x64'), runtime)
  return folder
}

/**
 * Prepares a test build of this checkout.
 * @returns {Promise<{ args: string[], env: NodeJS.ProcessEnv, output: string, version: string }>} electron-builder's
 *   arguments and variables, the folder that it writes to, and the version of the packages
 * @throws {SetupError} on any system but Linux on x64
 */
export async function testBuild() {
  if (process.platform !== 'linux' || process.arch !== 'x64')
    throw new SetupError('test builds are made on Linux on x64 alone: its substitute Electron is for nothing else')
  await ensureSystemPackages('packages')
  await ensureDependencies()
  const { folder } = await ensureFallbackElectron()
  const { version } = JSON.parse(readFileSync(join(projectRoot, 'package.json'), 'utf8'))
  const testVersion = `${String(version)}-test`
  const output = join('release', 'test-build')
  const settings = {
    electronDist: folder,
    electronVersion: fallbackVersion,
    'directories.output': output,
    artifactName: '${name}-TEST-BUILD-${version}-${os}-${arch}.${ext}',
    // Sorts before the release of the same number, so that the release replaces the test build.
    'extraMetadata.version': testVersion,
    'deb.compression': 'gz',
  }
  return {
    args: ['--linux', ...Object.entries(settings).map(([name, value]) => `-c.${name}=${value}`)],
    env: {
      ELECTRON_BUILDER_7ZIP_PATH: '/usr/bin/7zz',
      ELECTRON_BUILDER_COMPRESSION_LEVEL: '1',
      CUSTOM_FPM_PATH: join(import.meta.dirname, 'fpm.js'),
      APPIMAGE_TOOLS_PATH: appImageTools(),
    },
    output,
    version: testVersion,
  }
}
