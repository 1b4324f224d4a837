import { spawn, type ChildProcess, type ChildProcessWithoutNullStreams } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, mkdir, readFile, rm, symlink, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { _electron, chromium, expect, type Browser, type ElectronApplication, type Page } from '@playwright/test'
import type { Settings } from '../../core/model'
import { firstSettings, toDocument } from '../../main/storage/settings'
import { DBusSession } from './dbus-session'
import { DesktopPeer } from './desktop-peer'
import { LogindPeer } from './logind-peer'
import { hearComplaints } from './page-complaints'
import { appsOf, watchersOf } from './left-processes'
import { copyElectron, electronPath } from './packed-app'
import { VirtualDisplay } from './virtual-display'
import { WatchPage } from './watch-page'

const projectRoot = join(import.meta.dirname, '..', '..')
const isRoot = process.getuid?.() === 0

/** Parts that a desktop may lack. */
export interface DesktopParts {
  hasNotifications?: boolean
  hasTray?: boolean
}

/**
 * Switches of Chromium for an app that lives for seconds. Without them a quarter of its start goes into optimizing code and
 * looking for a graphics card.
 */
const briefSwitches = ['--js-flags=--liftoff-only --no-maglev --no-turbofan', '--disable-gpu', '--num-raster-threads=1']

/** The address and key of a service, as environment variables hold them. */
export interface ServiceAddress {
  ws: string
  rest?: string
  keyId: string
  keySecret: string
}

export function connectionVariables({ ws, rest, keyId, keySecret }: ServiceAddress): Record<string, string> {
  return {
    INDEXWATCH_WS_URL: ws,
    ...(rest === undefined ? {} : { INDEXWATCH_REST_URL: rest }),
    INDEXWATCH_KEY_ID: keyId,
    INDEXWATCH_KEY_SECRET: keySecret,
  }
}

/**
 * Makes every function that a test sends to the app asynchronous. The inspector keeps only a weak reference to a synchronous
 * result. A garbage collection may lose it ("Resulting promise was garbage collected").
 */
function sendAsynchronously(app: ElectronApplication): void {
  const evaluate = app.evaluate.bind(app) as (sent: unknown, given: unknown) => Promise<never>
  app.evaluate = (sent: unknown, given?: unknown) => {
    const text = `async (electron, given) => (${String(sent)})(electron, given)`
    return evaluate(
      Object.assign(() => undefined, { toString: () => text }),
      given,
    )
  }
}

/** One run of the app. */
export interface RunningApp {
  app: ElectronApplication
  /** Waits for the window. Returns its page. */
  watch: () => Promise<WatchPage>
  /** The same page after a sleep was announced. Chromium then closes its sockets, including the one that drives it. */
  watchAgain: () => Promise<WatchPage>
  /** Closes every window, as its user would. */
  closeWindows: () => Promise<void>
  /** Errors and warnings of the page's console. */
  pageErrors: string[]
  /** What the app wrote to the terminal so far. */
  output: () => string
  /** Answers the system's file dialogs with this file. Without a path, cancels them. */
  chooseFile: (path?: string) => Promise<void>
  /** Presses the button of this name in every message box. Returns a function that lists the texts of the boxes so far. */
  answerMessages: (button: string) => Promise<() => Promise<string[]>>
  /** Quits the app as its user does. */
  quit: () => Promise<void>
  /** Kills the app like a power cut: it writes and prints nothing more. */
  kill: () => Promise<void>
}

/** A run of the app and its window. */
export interface LiveApp {
  running: RunningApp
  watch: WatchPage
}

/**
 * A desktop for one test: a home, a display, and a session bus with a notification daemon and a tray. Starts the app on
 * it any number of times, always with the same profile.
 */
export class AppBench {
  readonly folder: string
  readonly peer: DesktopPeer
  readonly #bus: DBusSession
  /** Linux only. */
  readonly #display: VirtualDisplay | undefined
  readonly #switches: readonly string[]
  readonly #running = new Set<RunningApp>()
  readonly #spawned: ChildProcess[] = []
  #logind: LogindPeer | undefined
  /** Created on first use. */
  #packaged: Promise<string> | undefined

  private constructor(
    folder: string,
    bus: DBusSession,
    peer: DesktopPeer,
    display: VirtualDisplay | undefined,
    switches: readonly string[],
  ) {
    this.folder = folder
    this.#bus = bus
    this.#display = display
    this.peer = peer
    this.#switches = switches
  }

  /** @param isBrief true if apps started from source run for seconds only and are not measured */
  static async create(parts: DesktopParts = {}, isBrief = false): Promise<AppBench> {
    const folder = await mkdtemp(join(tmpdir(), 'indexwatch-'))
    await mkdir(join(folder, 'runtime'), { mode: 0o700 })
    const [bus, display] = await Promise.all([
      DBusSession.start(folder),
      process.platform === 'linux' ? VirtualDisplay.start({ hasGl: !isBrief }) : undefined,
    ])
    const peer = await DesktopPeer.start(bus.address, parts)
    return new AppBench(folder, bus, peer, display, isBrief ? briefSwitches : [])
  }

  get userData(): string {
    return join(this.folder, 'profile')
  }

  /** Writes the settings that the app starts with. The others are those of a first start. */
  async writeSettings(settings: Partial<Settings>): Promise<void> {
    await mkdir(this.userData, { recursive: true })
    const document = toDocument({ ...firstSettings(), ...settings })
    await writeFile(join(this.userData, 'settings.json'), JSON.stringify(document))
  }

  /**
   * Starts the app with these flags and variables on top of the bench's own. `packed` is the executable of a packaged
   * app.
   */
  async launch(args: string[] = [], variables: Record<string, string> = {}, packed?: string): Promise<RunningApp> {
    const app = await _electron.launch({
      args: [...(packed === undefined ? [...this.#switches, '.'] : []), `--user-data-dir=${this.userData}`, ...args],
      cwd: projectRoot,
      ...(packed === undefined ? {} : { executablePath: packed }),
      env: { ...this.environment(), ...variables },
      chromiumSandbox: !isRoot,
    })
    sendAsynchronously(app)
    const running = this.#follow(app)
    this.#running.add(running)
    return running
  }

  /** Starts the app on this service. Resolves when it is live. */
  async launchLive(service: ServiceAddress): Promise<LiveApp> {
    return this.#live(await this.launch([], connectionVariables(service)))
  }

  /** Starts the app on the demo service. Resolves when it is live. */
  async launchDemo(): Promise<LiveApp> {
    return this.#live(await this.launch(['--demo']))
  }

  async #live(running: RunningApp): Promise<LiveApp> {
    const watch = await running.watch()
    await watch.expectState('Live')
    // Benchmarks and pictures keep the app as a user sees it.
    if (this.#switches.length > 0) await watch.closePreview()
    return { running, watch }
  }

  /** Starts the app as a user does, without Playwright's switches. `under` is a program that starts it. */
  spawn(
    args: string[] = [],
    variables: Record<string, string> = {},
    under: readonly string[] = [],
  ): ChildProcessWithoutNullStreams {
    const switches = [...(isRoot ? ['--no-sandbox'] : []), ...this.#switches]
    const all = [...switches, '.', `--user-data-dir=${this.userData}`, ...args]
    const [path, ...before] = [...under, electronPath]
    return this.#spawn(path, [...before, ...all], variables)
  }

  /** Starts the packaged app in any folder with a user's flags. Linux only. */
  async spawnPackaged(
    args: string[] = [],
    variables: Record<string, string> = {},
    cwd = projectRoot,
  ): Promise<ChildProcessWithoutNullStreams> {
    const all = [...(isRoot ? ['--no-sandbox'] : []), `--user-data-dir=${this.userData}`, ...args]
    this.#packaged ??= this.#packSources()
    return this.#spawn(await this.#packaged, all, variables, cwd)
  }

  /** Starts a program on this desktop. */
  spawnProgram(path: string, args: string[], variables: Record<string, string> = {}): ChildProcessWithoutNullStreams {
    return this.#spawn(path, args, variables)
  }

  /** Gives a logind to all apps started afterwards. */
  async startLogind(): Promise<LogindPeer> {
    this.#logind = await LogindPeer.start(this.folder)
    return this.#logind
  }

  async #packSources(): Promise<string> {
    const folder = join(this.folder, 'packaged')
    const executable = await copyElectron(folder)
    await symlink(projectRoot, join(folder, 'resources', 'app'))
    return executable
  }

  /** Ends the session bus, like a log-out that leaves programs running. */
  async endSessionBus(): Promise<void> {
    await this.#bus.stop()
  }

  /** Ends the display, like a log-out. */
  async endDisplay(): Promise<void> {
    await this.#display?.stop()
  }

  /** The variables under which an app runs on this desktop. */
  environment(): Record<string, string> {
    const { PATH = '', ELECTRON_OVERRIDE_DIST_PATH } = process.env
    return {
      PATH,
      ...(this.#display && { DISPLAY: this.#display.name }),
      LANG: 'C.UTF-8',
      TZ: 'UTC',
      HOME: this.folder,
      XDG_RUNTIME_DIR: join(this.folder, 'runtime'),
      XDG_CONFIG_HOME: join(this.folder, 'config'),
      XDG_CACHE_HOME: join(this.folder, 'cache'),
      XDG_DATA_HOME: join(this.folder, 'data'),
      DBUS_SESSION_BUS_ADDRESS: this.#bus.address,
      ...(this.#logind && { DBUS_SYSTEM_BUS_ADDRESS: this.#logind.address }),
      ...(ELECTRON_OVERRIDE_DIST_PATH === undefined ? {} : { ELECTRON_OVERRIDE_DIST_PATH }),
    }
  }

  async dispose(): Promise<void> {
    for (const running of this.#running) await running.quit()
    // Watchers first, because they would restart the apps.
    for (const pid of await watchersOf(this.userData)) process.kill(pid, 'SIGKILL')
    // A failed test may have left a process. A signal to an ended one does nothing.
    for (const child of this.#spawned) child.kill('SIGKILL')
    for (const pid of await appsOf(this.userData)) process.kill(pid, 'SIGKILL')
    this.peer.stop()
    await Promise.all([this.#bus.stop(), this.#logind?.stop(), this.#display?.stop()])
    await rm(this.folder, { recursive: true, force: true, maxRetries: 5, retryDelay: 100 })
  }

  #spawn(
    path: string,
    args: string[],
    variables: Record<string, string>,
    cwd = projectRoot,
  ): ChildProcessWithoutNullStreams {
    const child = spawn(path, args, { cwd, env: { ...this.environment(), ...variables } })
    this.#spawned.push(child)
    return child
  }

  #follow(app: ElectronApplication): RunningApp {
    const pageErrors: string[] = []
    const output: string[] = []
    const watch = (page: Page) => hearComplaints(page, pageErrors)
    app.on('window', watch)
    for (const page of app.windows()) watch(page)
    app.process().stdout?.on('data', (data: Buffer) => output.push(data.toString()))
    app.process().stderr?.on('data', (data: Buffer) => output.push(data.toString()))
    let hasLostPage = false
    const running: RunningApp = {
      app,
      watch: async () => new WatchPage(app.windows()[0] ?? (await app.firstWindow())),
      watchAgain: async () => {
        hasLostPage = true
        const [port] = (await readFile(join(this.userData, 'DevToolsActivePort'), 'utf8')).split('\n')
        // While Chromium closes its sockets, it closes new ones too.
        let browser: Browser | undefined
        await expect(async () => {
          browser = await chromium.connectOverCDP(`http://127.0.0.1:${port}`)
        }).toPass({ timeout: 60_000 })
        const [page] = (browser?.contexts() ?? []).flatMap((context) => context.pages())
        if (page === undefined) throw new Error('the app has no page')
        watch(page)
        return new WatchPage(page)
      },
      pageErrors,
      output: () => output.join(''),
      chooseFile: (path) =>
        app.evaluate(({ dialog }, chosen) => {
          const canceled = chosen === undefined
          dialog.showSaveDialog = () => Promise.resolve({ canceled, filePath: chosen ?? '' })
          dialog.showOpenDialog = () => Promise.resolve({ canceled, filePaths: canceled ? [] : [chosen] })
        }, path),
      answerMessages: async (button) => {
        await app.evaluate(({ dialog }, wanted) => {
          const messages: string[] = []
          Object.assign(globalThis, { shownMessages: messages })
          dialog.showMessageBox = (...args: unknown[]) => {
            const options = args.at(-1) as Electron.MessageBoxOptions
            messages.push(`${options.message} ${options.detail ?? ''}`)
            const response = options.buttons?.indexOf(wanted) ?? -1
            return response === -1
              ? new Promise(() => undefined)
              : Promise.resolve({ response, checkboxChecked: false })
          }
        }, button)
        return () => app.evaluate(() => (globalThis as unknown as { shownMessages: string[] }).shownMessages)
      },
      quit: async () => {
        if (!this.#running.delete(running)) return
        if (!hasLostPage) {
          await app.close()
          return
        }
        // Without its page, Playwright considers the app ended.
        const ended = once(app.process(), 'exit')
        await app.evaluate(({ app: theirs }) => theirs.quit())
        await ended
      },
      closeWindows: () =>
        app.evaluate(({ BrowserWindow }) => {
          for (const window of BrowserWindow.getAllWindows()) window.close()
        }),
      kill: async () => {
        this.#running.delete(running)
        const closed = app.waitForEvent('close')
        app.process().kill('SIGKILL')
        await closed
      },
    }
    return running
  }
}
