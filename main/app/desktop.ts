import { join } from 'node:path'
import { app, globalShortcut, protocol } from 'electron'
import type { CommandHandlers, PageName } from '../../protocol/commands/contract'
import type { WindowUpdate } from '../../protocol/desktop'
import type { Json } from '../../protocol/json'
import type { IndexId, Outcome, Settings } from '../../core/model'
import type { Preferences } from '../../core/preferences'
import type { Clock } from '../base/clock'
import type { JsonFile } from '../base/json-file'
import type { Log } from '../base/log'
import type { Connections } from '../connections/connections'
import { appTitle } from '../desktop/app-names'
import { watchBusName } from '../desktop/bus-name'
import { appImage } from '../desktop/icon-image'
import { sessionBusAddress } from '../desktop/linux-session'
import { pageHandler, pageScheme, pageUrl, tickerUrl } from '../desktop/page-files'
import { ShowShortcut } from '../desktop/show-shortcut'
import { Ticker } from '../desktop/ticker'
import { tickerMenu } from '../desktop/ticker-menu'
import { readTickerPlaces } from '../desktop/ticker-place'
import { TrayIcon } from '../desktop/tray'
import type { TrayView } from '../desktop/tray-view'
import { MainWindow } from '../desktop/window'
import { readPlace } from '../desktop/window-bounds'
import { Bridge } from '../ipc/bridge'

interface Options {
  clock: Clock
  log: Log
  placeFile: JsonFile
  tickerFile: JsonFile
  /** Whether the desktop lets an app place its windows. */
  placesWindows: boolean
  handlers: CommandHandlers
  settings: () => Settings
  connections: Pick<Connections, 'pause' | 'resume'>
  trayView: () => TrayView
  /** The user chose the alerts in the tray's menu. */
  onOpenAlerts: () => void
  onVisibility: (page: PageName, isVisible: boolean) => void
  onBusEnded: () => void
  /** The window's page is gone, with what it asked for. */
  onPageGone: () => void
  onGivenUp: () => void
  /** A sentence the user should read once. */
  onNotice: (message: string) => void
  /** Says where the app is now that its window was closed. Answers whether the user could see it. */
  explainClosing: () => Promise<boolean>
}

/** What was kept of where windows were. */
interface Kept {
  place: unknown
  tickerPlaces: unknown
}

const hourMs = 3_600_000
/** The name under which panels of Linux desktops take tray icons. */
const trayHost = 'org.kde.StatusNotifierWatcher'

/** What the app has on the desktop once Electron is ready: its windows, its tray icon and the bridge to the pages. */
export class Desktop {
  readonly window: MainWindow
  readonly ticker: Ticker
  readonly tray: TrayIcon
  readonly #options: Options
  readonly #bridge: Bridge
  readonly #shortcut: ShowShortcut
  readonly #stopWatchingTray: () => void
  /** Until the desktop says otherwise. */
  #hasTray = true
  #saving: Promise<unknown> = Promise.resolve()

  private constructor(options: Options, kept: Kept, devServer: string | undefined) {
    this.#options = options
    const { handlers, log } = options
    const preloadPath = join(app.getAppPath(), 'out', 'preload', 'index.cjs')
    this.window = this.#createWindow(preloadPath, kept, devServer)
    this.ticker = this.#createTicker(preloadPath, kept, devServer)
    this.tray = this.#createTray()
    this.#stopWatchingTray = this.#watchTray()
    this.#shortcut = new ShowShortcut(globalShortcut, {
      run: () => this.window.toggle(),
      onTaken: (keys) =>
        options.onNotice(
          `The shortcut ${keys} is not available: another program uses it, or this desktop does not allow it. ` +
            'Choose another shortcut in Settings.',
        ),
    })
    const pages = { window: () => this.window.page, ticker: () => this.ticker.page }
    this.#bridge = new Bridge({ handlers, log, pages, ...(devServer === undefined ? {} : { devServer }) })
  }

  static async create(options: Options): Promise<Desktop> {
    // Set by the development server alone, which a packaged app has no use for.
    const devServer = app.isPackaged ? undefined : process.env['ELECTRON_RENDERER_URL']
    protocol.handle(pageScheme.scheme, await pageHandler(join(app.getAppPath(), 'out', 'renderer'), options.log))
    const [place, tickerPlaces] = await Promise.all([options.placeFile.read(), options.tickerFile.read()])
    const valueOf = (read: typeof place) => ('value' in read ? read.value : undefined)
    return new Desktop(options, { place: valueOf(place), tickerPlaces: valueOf(tickerPlaces) }, devServer)
  }

  send(page: PageName, update: Json<WindowUpdate>): void {
    this.#bridge.send(page, update)
  }

  /** Opens, closes and changes what the user's preferences are about. */
  follow(preferences: Preferences): void {
    this.ticker.follow(preferences)
    this.#shortcut.follow(preferences)
  }

  openIndex(id: IndexId): void {
    this.window.open(`index/${encodeURIComponent(id)}`)
  }

  /** Opens the ticker's menu at a point of its page. */
  showTickerMenu({ indexId, ...point }: { indexId?: IndexId; x: number; y: number }): void {
    const { settings, placesWindows } = this.#options
    const items = tickerMenu(
      settings(),
      {
        openIndex: (id) => this.openIndex(id),
        newAlert: (id) => this.window.open(`new-alert/${encodeURIComponent(id)}`),
        ...(placesWindows && {
          moveTo: (corner) => this.ticker.moveTo(corner),
        }),
        openSettings: () => this.window.open('settings/ticker'),
        change: (changed) => this.#change(changed),
      },
      indexId,
    )
    this.ticker.showMenu(items, point)
  }

  /** Done when the places of the windows are saved. */
  async dispose(): Promise<void> {
    this.#stopWatchingTray()
    this.#shortcut.dispose()
    this.window.dispose()
    this.ticker.dispose()
    this.tray.dispose()
    this.#bridge.dispose()
    await this.#saving
  }

  #createWindow(preloadPath: string, { place }: Kept, devServer: string | undefined): MainWindow {
    const { clock, log, placeFile, settings, placesWindows, onVisibility, onPageGone, onGivenUp, explainClosing } =
      this.#options
    return new MainWindow({
      clock,
      log,
      title: appTitle(app.getVersion()),
      icon: appImage(128),
      preloadPath,
      pageUrl: devServer ?? pageUrl,
      place: readPlace(place),
      onVisibility: (isVisible) => onVisibility('window', isVisible),
      onPageGone,
      onPlace: (changed) => this.#save(placeFile, changed),
      onGivenUp,
      isWayland: !placesWindows,
      hasTray: () => this.#hasTray,
      closing: () => {
        const { closingWithoutTray } = settings()
        if (this.#hasTray || closingWithoutTray === 'keepRunning') return 'hide'
        return closingWithoutTray
      },
      onClosingChosen: (closingWithoutTray) => this.#change({ closingWithoutTray }),
      explainClosing,
    })
  }

  /** On Linux the desktop's tray may come later, go and come back. */
  #watchTray(): () => void {
    if (process.platform !== 'linux') return () => undefined
    let isKnown = false
    return watchBusName({
      address: sessionBusAddress(process.env),
      name: trayHost,
      onOwned: (isOwned) => {
        // An icon that is there already does not come to a host that starts after it.
        if (isOwned && isKnown) this.tray.recreate()
        isKnown = true
        this.#hasTray = isOwned
      },
      onLost: () => {
        this.#options.log.info('The session bus does not say whether there is a tray')
        if (isKnown) this.#options.onBusEnded()
        else this.#hasTray = false
      },
    })
  }

  #createTicker(preloadPath: string, { tickerPlaces }: Kept, devServer: string | undefined): Ticker {
    const { clock, log, tickerFile, placesWindows, onVisibility, onNotice } = this.#options
    return new Ticker({
      clock,
      log,
      icon: appImage(128),
      preloadPath,
      pageUrl: devServer === undefined ? tickerUrl : new URL('ticker.html', devServer).href,
      places: readTickerPlaces(tickerPlaces),
      placesWindows,
      onVisibility: (isVisible) => onVisibility('ticker', isVisible),
      onPlaces: (changed) => this.#save(tickerFile, changed),
      onClosed: () => this.#change({ showsTicker: false }),
      onGivenUp: () => onNotice('The ticker crashed several times in a row and was closed. Open it again in Settings.'),
    })
  }

  #createTray(): TrayIcon {
    const { clock, handlers, trayView, connections, onOpenAlerts } = this.#options
    const mute = (untilMs: number | null) =>
      this.#report('Muting', handlers.snoozeAlerts({ scope: { of: 'all' }, untilMs }))
    return new TrayIcon({
      clock,
      view: trayView,
      actions: {
        open: () => this.window.open(),
        openAlerts: onOpenAlerts,
        muteForHour: () => mute(clock.wallMs() + hourMs),
        mute: () => mute(null),
        unmute: () => this.#report('Unmuting', handlers.endSnooze({ scope: { of: 'all' } })),
        pause: () => connections.pause(),
        resume: () => connections.resume(),
        showTicker: () => this.#change({ showsTicker: true }),
        closeTicker: () => this.#change({ showsTicker: false }),
        catchClicks: () => this.#change({ isTickerClickThrough: false }),
        quit: () => app.quit(),
      },
    })
  }

  /** Changes preferences as the page does. */
  #change(preferences: Partial<Preferences>): void {
    this.#report('Changing a setting', this.#options.handlers.setPreferences(preferences))
  }

  /** Logs a refusal of what was asked for outside the window, where nothing can show it. */
  #report(doing: string, asked: Outcome<null> | Promise<Outcome<null>>): void {
    void Promise.resolve(asked).then((answer) => {
      if (!answer.ok) this.#options.log.warn(`${doing} from the desktop failed`, { problem: answer.problem.message })
    })
  }

  #save(file: JsonFile, value: unknown): void {
    this.#saving = Promise.all([this.#saving, file.write(value)])
  }
}
