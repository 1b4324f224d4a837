import { join } from 'node:path'
import { app, globalShortcut, protocol } from 'electron'
import type { CommandHandlers } from '../../protocol/commands/contract'
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
import { indexBounds, readIndexPlaces, withIndexPlace } from '../desktop/index-places'
import { IndexWindow } from '../desktop/index-window'
import { sessionBusAddress } from '../desktop/linux-session'
import { indexWindowUrl, pageHandler, pageScheme, pageUrl, tickerUrl } from '../desktop/page-files'
import { screens } from '../desktop/screens'
import { ShowShortcut } from '../desktop/show-shortcut'
import { Ticker } from '../desktop/ticker'
import { tickerMenu } from '../desktop/ticker-menu'
import { readTickerPlaces, type Corner } from '../desktop/ticker-place'
import { TrayIcon } from '../desktop/tray'
import type { TrayView } from '../desktop/tray-view'
import { MainWindow } from '../desktop/window'
import { readPlace } from '../desktop/window-bounds'
import { Bridge } from '../ipc/bridge'
import type { IndexWindowEvents, WantedWindow } from './index-windows'

export type Desktop = Awaited<ReturnType<typeof createDesktop>>

interface Options {
  clock: Clock
  log: Log
  placeFile: JsonFile
  tickerFile: JsonFile
  indexWindowsFile: JsonFile
  /** True if the desktop lets an app place its windows. */
  placesWindows: boolean
  handlers: CommandHandlers
  settings: () => Settings
  connections: Pick<Connections, 'pause' | 'resume'>
  trayView: () => TrayView
  /** Called when the user chooses the alerts in the tray's menu. */
  onOpenAlerts: () => void
  onVisibility: (page: 'window' | 'ticker', isVisible: boolean) => void
  onBusEnded: () => void
  /** Called when the window's page is gone, with all its requests. */
  onPageGone: () => void
  onGivenUp: () => void
  /** Called with a message to show once. */
  onNotice: (message: string) => void
  /** Notifies where the app is now that its window was closed. Returns false if the user could not see it. */
  explainClosing: () => Promise<boolean>
}

const hourMs = 3_600_000
/** The D-Bus name under which panels of Linux desktops show tray icons. */
const trayHost = 'org.kde.StatusNotifierWatcher'

/** Everything on the desktop once Electron is ready: windows, tray icon and the bridge to the pages. */
export async function createDesktop(options: Options) {
  const { clock, log, placeFile, tickerFile, indexWindowsFile, placesWindows } = options
  const { handlers, settings, onVisibility, onNotice } = options
  // Set only by the development server. A packaged app ignores it.
  const devServer = app.isPackaged ? undefined : process.env['ELECTRON_RENDERER_URL']
  const preloadPath = join(app.getAppPath(), 'out', 'preload', 'index.cjs')
  const ofPages = { clock, log, icon: appImage(128), preloadPath }
  protocol.handle(pageScheme.scheme, await pageHandler(join(app.getAppPath(), 'out', 'renderer'), log))
  const [place, tickerPlaces, placesOfIndices] = await Promise.all([
    placeFile.read(),
    tickerFile.read(),
    indexWindowsFile.read(),
  ])
  const valueOf = (read: typeof place) => ('value' in read ? read.value : undefined)
  let indexPlaces = readIndexPlaces(valueOf(placesOfIndices))
  const indexPages = new Set<IndexWindow>()
  /** Assumed until the desktop answers. */
  let hasTray = true
  let saving: Promise<unknown> = Promise.resolve()
  const save = (file: JsonFile, value: unknown) => void (saving = Promise.all([saving, file.write(value)]))
  /** Logs a failed command that came from outside the window, where no message can be shown. */
  const ask = (doing: string, asked: Outcome<null> | Promise<Outcome<null>>) =>
    void Promise.resolve(asked).then((answer) => {
      if (!answer.ok) log.warn(`${doing} from the desktop failed`, { problem: answer.problem.message })
    })
  /** Changes preferences by the same command as the page. */
  const change = (preferences: Partial<Preferences>) => ask('Changing a setting', handlers.setPreferences(preferences))
  const mute = (untilMs: number | null) => ask('Muting', handlers.snoozeAlerts({ scope: { of: 'all' }, untilMs }))
  const openIndex = (id: IndexId) => window.open(`index/${encodeURIComponent(id)}`)

  const window = new MainWindow({
    ...ofPages,
    title: appTitle(app.getVersion()),
    pageUrl: devServer ?? pageUrl,
    place: readPlace(valueOf(place)),
    onVisibility: (isVisible) => onVisibility('window', isVisible),
    onPageGone: options.onPageGone,
    onPlace: (changed) => save(placeFile, changed),
    onGivenUp: options.onGivenUp,
    isWayland: !placesWindows,
    hasTray: () => hasTray,
    closing: () => {
      const { closingWithoutTray } = settings()
      return hasTray || closingWithoutTray === 'keepRunning' ? 'hide' : closingWithoutTray
    },
    onClosingChosen: (closingWithoutTray) => change({ closingWithoutTray }),
    explainClosing: options.explainClosing,
  })
  const ticker = new Ticker({
    ...ofPages,
    pageUrl: devServer === undefined ? tickerUrl : new URL('ticker.html', devServer).href,
    places: readTickerPlaces(valueOf(tickerPlaces)),
    placesWindows,
    onVisibility: (isVisible) => onVisibility('ticker', isVisible),
    onPlaces: (changed) => save(tickerFile, changed),
    onClosed: () => change({ showsTicker: false }),
    onGivenUp: () => onNotice('The ticker crashed several times in a row and was closed. Open it again in Settings.'),
  })
  const tray = new TrayIcon({
    clock,
    view: options.trayView,
    openIndex,
    actions: {
      open: () => window.open(),
      openAlerts: options.onOpenAlerts,
      muteForHour: () => mute(clock.wallMs() + hourMs),
      mute: () => mute(null),
      unmute: () => ask('Unmuting', handlers.endSnooze({ scope: { of: 'all' } })),
      pause: () => options.connections.pause(),
      resume: () => options.connections.resume(),
      showTicker: () => change({ showsTicker: true }),
      closeTicker: () => change({ showsTicker: false }),
      catchClicks: () => change({ isTickerClickThrough: false }),
      quit: () => app.quit(),
    },
  })
  const stopWatchingTray = watchTray()
  const shortcut = new ShowShortcut(globalShortcut, {
    run: () => window.toggle(),
    onTaken: (keys) =>
      onNotice(
        `The shortcut ${keys} is not available: another program uses it, or this desktop does not allow it. ` +
          'Choose another shortcut in Settings.',
      ),
  })
  const pages = {
    window: () => [window.page],
    ticker: () => [ticker.page],
    index: () => [...indexPages].map(({ page }) => page),
  }
  const bridge = new Bridge({ handlers, log, pages, devServer })

  /** On Linux the desktop's tray host may start late, stop and start again. */
  function watchTray(): () => void {
    if (process.platform !== 'linux') return () => undefined
    let isKnown = false
    return watchBusName({
      address: sessionBusAddress(process.env),
      name: trayHost,
      onOwned: (isOwned) => {
        // An existing icon does not appear in a host that starts after it.
        if (isOwned && isKnown) tray.recreate()
        isKnown = true
        hasTray = isOwned
      },
      onLost: () => {
        log.info('The session bus does not say whether there is a tray')
        if (isKnown) options.onBusEnded()
        else hasTray = false
      },
    })
  }

  return {
    window,
    ticker,
    tray,
    openIndex,
    send: (name: 'window' | 'ticker', update: Json<WindowUpdate>) => bridge.send({ window, ticker }[name].page, update),
    /** Indices that had windows of their own when the app ended. */
    indicesOfLastRun: indexPlaces.open,
    indicesChanged(open: readonly IndexId[]): void {
      indexPlaces = { ...indexPlaces, open: [...open] }
      save(indexWindowsFile, indexPlaces)
    },
    openIndexWindow({ id, at, takesFocus }: WantedWindow, events: IndexWindowEvents) {
      const shown = new IndexWindow({
        ...ofPages,
        pageUrl: devServer === undefined ? indexWindowUrl : new URL('index-window.html?id=', devServer).href,
        id,
        bounds: indexBounds(indexPlaces, id, screens(), placesWindows ? at : undefined),
        isWayland: !placesWindows,
        takesFocus,
        ...events,
        onMoved: (bounds) => {
          indexPlaces = withIndexPlace(indexPlaces, id, bounds, screens())
          save(indexWindowsFile, indexPlaces)
        },
        onClosed: () => {
          indexPages.delete(shown)
          events.onClosed()
        },
        onGivenUp: () => onNotice(`The window of ${id} crashed several times in a row and was closed.`),
      })
      indexPages.add(shown)
      return {
        show: () => shown.show(),
        send: (update: Json<WindowUpdate>) => bridge.send(shown.page, update),
        dispose: () => {
          indexPages.delete(shown)
          shown.dispose()
        },
      }
    },
    /** Applies changed preferences to the ticker and the shortcut. */
    follow(preferences: Preferences): void {
      ticker.follow(preferences)
      shortcut.follow(preferences)
    },
    /** Opens the ticker's menu at a point of its page. */
    showTickerMenu({ indexId, ...point }: { indexId?: IndexId; x: number; y: number }): void {
      const actions = {
        openIndex,
        newAlert: (id: IndexId) => window.open(`new-alert/${encodeURIComponent(id)}`),
        moveTo: placesWindows ? (corner: Corner) => ticker.moveTo(corner) : undefined,
        openSettings: () => window.open('settings/ticker'),
        change,
      }
      ticker.showMenu(tickerMenu(settings(), actions, indexId), point)
    },
    /** Resolves when the positions of the windows are saved. */
    async dispose(): Promise<void> {
      stopWatchingTray()
      shortcut.dispose()
      window.dispose()
      ticker.dispose()
      tray.dispose()
      bridge.dispose()
      await saving
    },
  }
}
