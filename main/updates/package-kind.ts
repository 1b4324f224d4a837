import { accessSync, constants, existsSync } from 'node:fs'
import { dirname, isAbsolute, join, relative } from 'node:path'

/** The kind of the installed package. `other` is updated by its user. */
export type PackageKind = 'appImage' | 'nsis' | 'mac' | 'other'

interface Running {
  platform: NodeJS.Platform
  env: Readonly<Record<string, string | undefined>>
  execPath: string
}

/**
 * The file of the running AppImage. Undefined if the app runs from something else. A program started by an AppImage
 * inherits its variables, so they apply only if this program is inside their folder.
 */
export function appImagePath({ platform, env, execPath }: Running): string | undefined {
  const { APPIMAGE: path = '', APPDIR: folder = '' } = env
  if (platform !== 'linux' || !isAbsolute(path) || !isAbsolute(folder)) return undefined
  const within = relative(folder, execPath)
  return within === '' || within.startsWith('..') || isAbsolute(within) ? undefined : path
}

/** The kind of this package. If the user cannot write the AppImage, somebody else must update it. */
export function packageKind(running: Running): PackageKind {
  const { platform, execPath } = running
  if (platform === 'darwin') return 'mac'
  // The zip has no uninstaller.
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
