import { homedir } from 'node:os'
import { join } from 'node:path'

/** The folder where Electron keeps this app's settings, for programs without Electron. */
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
