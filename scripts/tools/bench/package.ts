/** B13: the size of electron-builder's package of the build, against plain Electron. */
import { execFile } from 'node:child_process'
import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { readdirSync, statSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { promisify } from 'node:util'
import { listPackage, statFile } from '@electron/asar'
import type { Samples } from './report'
import type { RowName } from './rows'
import { electronPath, projectRoot } from './started-app'

export type PackageRow = Extract<RowName, `B13-${string}`>

/** Sizes of an unpacked package, before compression by an installer. */
export async function measurePackage(): Promise<Record<PackageRow, Samples>> {
  const electronFolder = dirname(electronPath)
  const version = (await readFile(join(electronFolder, 'version'), 'utf8')).trim().replace(/^v/, '')
  const output = await mkdtemp(join(tmpdir(), 'indexwatch-'))
  try {
    const settings = { electronDist: electronFolder, electronVersion: version, 'directories.output': output }
    await promisify(execFile)(
      process.execPath,
      [
        join(projectRoot, 'node_modules', 'electron-builder', 'cli.js'),
        ...['--linux', 'dir', '--publish', 'never'],
        ...Object.entries(settings).map(([name, value]) => `-c.${name}=${value}`),
      ],
      { cwd: projectRoot },
    )
    const archive = join(output, 'linux-unpacked', 'resources', 'app.asar')
    const bare = bytesIn(electronFolder)
    const app = statSync(archive).size + bytesIn(`${archive}.unpacked`)
    // Plain Electron has none of these scripts.
    const scripts = (folder: string) => ({ ours: [scriptBytes(archive, folder) / 1e3], limit: [0] })
    return {
      'B13-package': { ours: [(bare + app) / 1e6], limit: [bare / 1e6] },
      'B13-page': scripts('/out/renderer/'),
      'B13-main': scripts('/out/main/'),
    }
  } finally {
    await rm(output, { recursive: true, force: true })
  }
}

function bytesIn(folder: string): number {
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .reduce((sum, { parentPath, name }) => sum + statSync(join(parentPath, name)).size, 0)
}

/** Bytes of the archive's scripts in a folder, including subfolders. */
function scriptBytes(archive: string, folder: string): number {
  const paths = listPackage(archive, { isPack: false }).filter(
    (path) => path.startsWith(folder) && path.endsWith('.js'),
  )
  const sizes = paths.map((path) => {
    const file = statFile(archive, path.slice(1))
    return 'size' in file ? file.size : 0
  })
  return sizes.reduce((sum, size) => sum + size, 0)
}
