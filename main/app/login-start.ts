import { readFile, rm } from 'node:fs/promises'
import { isAbsolute, join } from 'node:path'
import type { App } from 'electron'
import { errorCode, statFile } from '../base/own-file'
import { writeFileAtomically } from '../storage/disk'
import type { SettingsStore } from '../storage/settings'
import { appImagePath } from '../updates/package-kind'

type Electron = Pick<App, 'getAppPath' | 'getLoginItemSettings' | 'getPath' | 'isPackaged' | 'setLoginItemSettings'>
type System = Pick<NodeJS.Process, 'env' | 'execPath' | 'platform'>

const changeFailed =
  'Start at login could not be changed: your autostart folder is not writable. Check its permissions.'
const readFailed = 'Start at login could not be read. Check the permissions and contents of your autostart folder.'

/** True if the session started the app, on macOS only. A login item there has no flag for a hidden start. */
export function wasOpenedAtLogin(app: Electron): boolean {
  return process.platform === 'darwin' && app.getLoginItemSettings().wasOpenedAtLogin
}

/** Start at login, in the tray without a window. macOS and Windows have login items, Linux desktops an autostart file. */
export class LoginStart {
  readonly #app: Electron
  readonly #system: System
  readonly #command: readonly [string, ...string[]]

  constructor(app: Electron, system: System) {
    this.#app = app
    this.#system = system
    const { execPath } = system
    this.#command = app.isPackaged
      ? [appImagePath(system) ?? execPath, '--hidden']
      : [execPath, app.getAppPath(), '--hidden']
  }

  /**
   * Returns whether it is on, according to the system, whose own settings can change it too. Rewrites an entry whose
   * program has moved. Throws if the entry cannot be read or written.
   */
  async adopt(): Promise<boolean> {
    const item = this.#loginItem
    if (item !== undefined) {
      const { executableWillLaunchAtLogin, openAtLogin } = this.#app.getLoginItemSettings(item)
      // An item switched off in the Task Manager stays a login item.
      return this.#system.platform === 'win32' ? executableWillLaunchAtLogin : openAtLogin
    }
    const found = await readEntry(this.#entryPath)
    if (found === undefined || isSwitchedOff(found)) return false
    // An entry with the right command may contain the user's additions.
    if (!found.split('\n').includes(execLine(this.#command))) await this.#write()
    return true
  }

  /** Throws if the entry cannot be written or removed. */
  async apply(isWanted: boolean): Promise<void> {
    const item = this.#loginItem
    if (item !== undefined) this.#app.setLoginItemSettings({ openAtLogin: isWanted, ...item })
    else if (isWanted) await this.#write()
    else await rm(this.#entryPath, { force: true })
  }

  get #loginItem(): { path: string; args: string[] } | undefined {
    const [path, ...args] = this.#command
    return ['darwin', 'win32'].includes(this.#system.platform) ? { path, args } : undefined
  }

  /** Path of the entry for XDG autostart. A relative XDG_CONFIG_HOME must be ignored. */
  get #entryPath(): string {
    const given = this.#system.env['XDG_CONFIG_HOME'] ?? ''
    const configHome = isAbsolute(given) ? given : join(this.#app.getPath('home'), '.config')
    return join(configHome, 'autostart', 'indexwatch.desktop')
  }

  async #write(): Promise<void> {
    const written = await writeFileAtomically(this.#entryPath, desktopEntry(this.#command))
    if (!written.ok) throw new Error(written.problem.message)
  }
}

/**
 * Returns a function that applies the setting to the session's autostart. At the start the setting is taken from the
 * system, so a change made there counts.
 */
export async function loginStartSwitch(
  app: Electron,
  settings: SettingsStore,
  onNotice: (message: string) => void,
): Promise<(isWanted: boolean) => void> {
  const loginStart = new LoginStart(app, process)
  let isApplied = settings.get().startsAtLogin
  try {
    isApplied = await loginStart.adopt()
    if (isApplied !== settings.get().startsAtLogin) await settings.set({ startsAtLogin: isApplied })
  } catch {
    onNotice(readFailed)
  }
  // Changes run one after the other, so switching on and off quickly ends with off.
  let working = Promise.resolve()
  return (isWanted) => {
    if (isWanted === isApplied) return
    isApplied = isWanted
    working = working.then(() => loginStart.apply(isWanted)).catch(() => onNotice(changeFailed))
  }
}

/** Undefined if there is no entry. */
async function readEntry(path: string): Promise<string | undefined> {
  try {
    statFile(path)
    return await readFile(path, 'utf8')
  } catch (error) {
    if (errorCode(error) === 'ENOENT') return undefined
    throw error
  }
}

/** Desktops disable an entry by a line in it instead of removing it. */
function isSwitchedOff(entry: string): boolean {
  return /^(?:Hidden\s*=\s*true|X-GNOME-Autostart-enabled\s*=\s*false)\s*$/m.test(entry)
}

function execLine(command: readonly string[]): string {
  return `Exec=${command.map(quoted).join(' ')}`
}

/** A desktop entry that runs this command. `TryExec` makes desktops ignore it when the program is gone. */
export function desktopEntry(command: readonly string[]): string {
  const [program = ''] = command
  return [
    '[Desktop Entry]',
    'Type=Application',
    'Name=Indexwatch',
    'Comment=Watches index values from the tray',
    `TryExec=${program.replaceAll('\\', '\\\\')}`,
    execLine(command),
    'Terminal=false',
    'X-GNOME-Autostart-enabled=true',
    '',
  ].join('\n')
}

/** One argument of an `Exec` line: quoted, then escaped as a string of the file, where each backslash is doubled. */
function quoted(argument: string): string {
  const plain = argument.replaceAll('%', '%%')
  if (/^[\w@%+=:,./-]+$/.test(plain)) return plain
  return `"${plain.replace(/["`$\\]/g, String.raw`\$&`)}"`.replaceAll('\\', '\\\\')
}
