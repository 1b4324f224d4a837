import { accessSync, constants, existsSync } from 'node:fs'
import { dirname, isAbsolute, join, relative } from 'node:path'

/** What is installed, as far as it matters for updating it; `other` is updated by its user. */
export type PackageKind = 'appImage' | 'nsis' | 'mac' | 'other'

interface Running {
  platform: NodeJS.Platform
  env: Readonly<Record<string, string | undefined>>
  execPath: string
}

/**
 * The file of the AppImage that runs, `undefined` where none does. A program that an AppImage started has its variables
 * too, so that they count only where this program lies in what they name.
 */
export function appImagePath({ platform, env, execPath }: Running): string | undefined {
  const { APPIMAGE: path = '', APPDIR: folder = '' } = env
  if (platform !== 'linux' || !isAbsolute(path) || !isAbsolute(folder)) return undefined
  const within = relative(folder, execPath)
  return within === '' || within.startsWith('..') || isAbsolute(within) ? undefined : path
}

/** Which kind this is. An AppImage that its user may not replace is updated by whoever may. */
export function packageKind(running: Running): PackageKind {
  const { platform, execPath } = running
  if (platform === 'darwin') return 'mac'
  // The zip has none.
  if (platform === 'win32') return existsSync(join(dirname(execPath), 'Uninstall Indexwatch.exe')) ? 'nsis' : 'other'
  const path = appImagePath(running)
  return path !== undefined && canReplace(path) ? 'appImage' : 'other'
}

function canReplace(path: string): boolean {
  try {
    accessSync(dirname(path), constants.W_OK)
    accessSync(path, constants.W_OK)
    return true
  } catch {
    return false
  }
}
