import { isAbsolute, join } from 'node:path'
import { done, type Outcome } from '../../core/model'

interface Options {
  platform: NodeJS.Platform
  env: NodeJS.ProcessEnv
  homeFolder: string
  /** The program and what comes before its flags. */
  command: readonly string[]
  /** macOS and Windows keep this themselves. */
  setLoginItem: (item: { openAtLogin: boolean; path: string; args: string[] }) => void
  isLoginItem: (item: { path: string; args: string[] }) => boolean
  /** The text of a file; `undefined` where there is none. Throws where it cannot be read. */
  read: (path: string) => Promise<string | undefined>
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

  /**
   * Whether it does, by what the system has now: its own settings and its user change that too. An entry of a program that
   * has moved since is written again. Throws where the entry cannot be read or written.
   */
  async adopt(): Promise<boolean> {
    const { read, write, isLoginItem } = this.#options
    if (this.#hasLoginItems) return isLoginItem(this.#loginItem())
    const found = await read(this.#entryPath())
    if (found === undefined || isSwitchedOff(found)) return false
    const entry = this.#entry()
    // One that starts the right program may hold what its user added.
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

  /** Where desktops look for what to start (XDG autostart); a relative folder is to be ignored. */
  #entryPath(): string {
    const { env, homeFolder } = this.#options
    const configHome = env['XDG_CONFIG_HOME'] ?? ''
    return join(isAbsolute(configHome) ? configHome : join(homeFolder, '.config'), 'autostart', 'indexwatch.desktop')
  }
}

/** Desktops switch an entry off in it, and not by removing it. */
function isSwitchedOff(entry: string): boolean {
  return /^(?:Hidden\s*=\s*true|X-GNOME-Autostart-enabled\s*=\s*false)\s*$/m.test(entry)
}

function execLine(entry: string): string {
  return entry.split('\n').find((line) => line.startsWith('Exec=')) ?? ''
}

/** A desktop entry that runs this command, and that desktops pass over once the program is gone. */
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

/** One argument of an `Exec` line: quoted, then written as a string of the file, where backslashes count twice. */
function quoted(argument: string): string {
  const plain = argument.replaceAll('%', '%%')
  if (/^[\w@%+=:,./-]+$/.test(plain)) return plain
  return `"${plain.replace(/["`$\\]/g, String.raw`\$&`)}"`.replaceAll('\\', '\\\\')
}
