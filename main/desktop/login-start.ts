import { isAbsolute, join } from 'node:path'
import type { Outcome } from '../../protocol/model'

interface Options {
  platform: NodeJS.Platform
  env: NodeJS.ProcessEnv
  homeFolder: string
  /** The program and what comes before its flags. */
  command: readonly string[]
  /** macOS and Windows keep this themselves. */
  setLoginItem: (item: { openAtLogin: boolean; path: string; args: string[] }) => void
  write: (path: string, text: string) => Promise<Outcome<null>>
  /** A file that is not there is as good as removed. */
  remove: (path: string) => Promise<Outcome<null>>
}

const hidden = '--hidden'

/** Whether the app starts with its user's session, in the tray and without a window. */
export class LoginStart {
  readonly #options: Options

  constructor(options: Options) {
    this.#options = options
  }

  apply(isWanted: boolean): Promise<Outcome<null>> {
    const { platform, command, setLoginItem, write, remove } = this.#options
    if (platform === 'darwin' || platform === 'win32') {
      const [path = '', ...args] = command
      setLoginItem({ openAtLogin: isWanted, path, args: [...args, hidden] })
      return Promise.resolve({ ok: true, value: null })
    }
    return isWanted ? write(this.#entryPath(), desktopEntry([...command, hidden])) : remove(this.#entryPath())
  }

  /** Where desktops look for what to start (XDG autostart); a relative folder is to be ignored. */
  #entryPath(): string {
    const { env, homeFolder } = this.#options
    const configHome = env['XDG_CONFIG_HOME'] ?? ''
    return join(isAbsolute(configHome) ? configHome : join(homeFolder, '.config'), 'autostart', 'indexwatch.desktop')
  }
}

/** A desktop entry that runs this command. */
export function desktopEntry(command: readonly string[]): string {
  const lines = [
    '[Desktop Entry]',
    'Type=Application',
    'Name=Indexwatch',
    'Comment=Watches index values from the tray',
    `Exec=${command.map(quoted).join(' ')}`,
    'Terminal=false',
    'X-GNOME-Autostart-enabled=true',
  ]
  return `${lines.join('\n')}\n`
}

/** One argument of an `Exec` line: quoted, then written as a string of the file, where backslashes count twice. */
function quoted(argument: string): string {
  const plain = argument.replaceAll('%', '%%')
  if (/^[\w@%+=:,./-]+$/.test(plain)) return plain
  return `"${plain.replace(/["`$\\]/g, String.raw`\$&`)}"`.replaceAll('\\', '\\\\')
}
