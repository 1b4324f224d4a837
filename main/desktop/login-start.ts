import { isAbsolute, join } from 'node:path'
import { done, type Outcome } from '../../core/model'

interface Options {
  platform: NodeJS.Platform
  env: NodeJS.ProcessEnv
  homeFolder: string
  /** The program and its arguments before the flags. */
  command: readonly string[]
  /** macOS and Windows store this themselves. */
  setLoginItem: (item: { openAtLogin: boolean; path: string; args: string[] }) => void
  isLoginItem: (item: { path: string; args: string[] }) => boolean
  /** The text of a file. Undefined if there is none. Throws if it cannot be read. */
  read: (path: string) => Promise<string | undefined>
  write: (path: string, text: string) => Promise<Outcome<null>>
  /** Succeeds if the file does not exist. */
  remove: (path: string) => Promise<Outcome<null>>
}

const hidden = '--hidden'

/** Start at login, in the tray without a window. */
export class LoginStart {
  readonly #options: Options

  constructor(options: Options) {
    this.#options = options
  }

  /**
   * Returns whether it is on, according to the system, whose own settings can change it too. Rewrites an entry whose
   * program has moved. Throws if the entry cannot be read or written.
   */
  async adopt(): Promise<boolean> {
    const { read, write, isLoginItem } = this.#options
    if (this.#hasLoginItems) return isLoginItem(this.#loginItem())
    const found = await read(this.#entryPath())
    if (found === undefined || isSwitchedOff(found)) return false
    const entry = this.#entry()
    // An entry with the right command may contain the user's additions.
    if (found.split('\n').includes(execLine(entry))) return true
    const written = await write(this.#entryPath(), entry)
    if (!written.ok) throw new Error(written.problem.message)
    return true
  }

  apply(isWanted: boolean): Promise<Outcome<null>> {
    const { setLoginItem, write, remove } = this.#options
    if (this.#hasLoginItems) {
      setLoginItem({ openAtLogin: isWanted, ...this.#loginItem() })
      return Promise.resolve(done)
    }
    return isWanted ? write(this.#entryPath(), this.#entry()) : remove(this.#entryPath())
  }

  get #hasLoginItems(): boolean {
    return this.#options.platform === 'darwin' || this.#options.platform === 'win32'
  }

  #loginItem(): { path: string; args: string[] } {
    const [path = '', ...args] = this.#options.command
    return { path, args: [...args, hidden] }
  }

  #entry(): string {
    return desktopEntry([...this.#options.command, hidden])
  }

  /** Path of the entry for XDG autostart. A relative XDG_CONFIG_HOME must be ignored. */
  #entryPath(): string {
    const { env, homeFolder } = this.#options
    const configHome = env['XDG_CONFIG_HOME'] ?? ''
    return join(isAbsolute(configHome) ? configHome : join(homeFolder, '.config'), 'autostart', 'indexwatch.desktop')
  }
}

/** Desktops disable an entry by a line in it instead of removing it. */
function isSwitchedOff(entry: string): boolean {
  return /^(?:Hidden\s*=\s*true|X-GNOME-Autostart-enabled\s*=\s*false)\s*$/m.test(entry)
}

function execLine(entry: string): string {
  return entry.split('\n').find((line) => line.startsWith('Exec=')) ?? ''
}

/** A desktop entry that runs this command. `TryExec` makes desktops ignore it when the program is gone. */
export function desktopEntry(command: readonly string[]): string {
  const [program = ''] = command
  const lines = [
    '[Desktop Entry]',
    'Type=Application',
    'Name=Indexwatch',
    'Comment=Watches index values from the tray',
    `TryExec=${program.replaceAll('\\', '\\\\')}`,
    `Exec=${command.map(quoted).join(' ')}`,
    'Terminal=false',
    'X-GNOME-Autostart-enabled=true',
  ]
  return `${lines.join('\n')}\n`
}

/** One argument of an `Exec` line: quoted, then escaped as a string of the file, where each backslash is doubled. */
function quoted(argument: string): string {
  const plain = argument.replaceAll('%', '%%')
  if (/^[\w@%+=:,./-]+$/.test(plain)) return plain
  return `"${plain.replace(/["`$\\]/g, String.raw`\$&`)}"`.replaceAll('\\', '\\\\')
}
