import { execFile } from 'node:child_process'
import { cp, mkdir, readFile, rename, rm, writeFile } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'
import { promisify } from 'node:util'
import { createPackageWithOptions } from '@electron/asar'

const projectRoot = join(import.meta.dirname, '..', '..')
/** The package's export in Node, which its types lack. */
export const electronPath = createRequire(import.meta.url)('electron') as string
/** The modules that electron-builder.yml packs in addition to the build. */
const packedLibraries = ['libsql', '@neon-rs/load', 'detect-libc', '@libsql/linux-x64-gnu']

/**
 * Copies Electron under another name, so that it treats the content of its `resources` as a packaged app. Returns the
 * executable in `folder`.
 */
export async function copyElectron(folder: string): Promise<string> {
  // Uses hard links where possible, because Electron has 250 MB.
  const copy = (how: string) => promisify(execFile)('cp', [how, dirname(electronPath), folder])
  await copy('-al').catch(() => copy('-a'))
  const executable = join(folder, 'indexwatch')
  await rename(join(folder, 'electron'), executable)
  return executable
}

/** The built app as installed, in an archive that the next version replaces. Linux only. */
export class PackedApp {
  readonly executable: string
  readonly #folder: string

  private constructor(folder: string, executable: string) {
    this.#folder = folder
    this.executable = executable
  }

  /** Packs the version in package.json. `change` may change the build first. */
  static async create(folder: string, change?: (sources: string) => Promise<void>): Promise<PackedApp> {
    const packed = new PackedApp(folder, await copyElectron(join(folder, 'packed')))
    const sources = join(folder, 'sources')
    await mkdir(sources)
    for (const name of ['out', 'resources', 'package.json', ...packedLibraries.map((each) => `node_modules/${each}`)])
      await cp(join(projectRoot, name), join(sources, name), { recursive: true })
    await change?.(sources)
    await packed.#install()
    return packed
  }

  /** Installs a version as package managers do: the new archive takes the name of the old one. */
  async replace(version: string): Promise<void> {
    const file = join(this.#folder, 'sources', 'package.json')
    const description = JSON.parse(await readFile(file, 'utf8')) as object
    await writeFile(file, JSON.stringify({ ...description, version }))
    await this.#install()
  }

  async #install(): Promise<void> {
    const resources = join(this.#folder, 'packed', 'resources')
    const made = join(this.#folder, 'new.asar')
    await createPackageWithOptions(join(this.#folder, 'sources'), made, { unpack: '**/@libsql/**' })
    await rm(join(resources, 'app.asar.unpacked'), { recursive: true, force: true })
    await rename(`${made}.unpacked`, join(resources, 'app.asar.unpacked'))
    await rename(made, join(resources, 'app.asar'))
  }
}
