import { homedir } from 'node:os'
import { join } from 'node:path'

/** Where Electron keeps the settings of this app, for programs without Electron. */
export function profileFolder(env: Record<string, string | undefined>, platform: NodeJS.Platform): string {
  const home = env['HOME'] ?? homedir()
  const base =
    platform === 'win32'
      ? (env['APPDATA'] ?? join(home, 'AppData', 'Roaming'))
      : platform === 'darwin'
        ? join(home, 'Library', 'Application Support')
        : (env['XDG_CONFIG_HOME'] ?? join(home, '.config'))
  return join(base, 'Indexwatch')
}
