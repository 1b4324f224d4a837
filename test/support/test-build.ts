import { execFile } from 'node:child_process'
import { readdir } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { CleanSystem } from './clean-system'

/** Where `npm run package -- --test-build` puts its packages. */
export const testBuildFolder = join(import.meta.dirname, '..', '..', 'release', 'test-build')
/** Window titles of a test build, and of a start that it refuses. */
export const title = 'Indexwatch TEST BUILD'
export const refusal = 'Indexwatch cannot start'

export async function packageOf(kind: 'deb' | 'rpm' | 'tar.gz' | 'AppImage'): Promise<string> {
  const name = (await readdir(testBuildFolder)).find((each) => each.endsWith(`.${kind}`))
  if (name === undefined) throw new Error(`there is no ${kind}: npm run package -- --test-build`)
  return join(testBuildFolder, name)
}

/**
 * A Debian with the deb's dependencies but not the deb. Everything left after a purge therefore belongs to the package.
 */
export async function systemForDeb(shared: string): Promise<CleanSystem> {
  const { stdout } = await promisify(execFile)('dpkg-deb', ['--field', await packageOf('deb'), 'Depends'])
  const names = stdout.split(',').map((each) => each.split('|').at(-1)?.trim() ?? '')
  return CleanSystem.create(shared, names)
}
