import {
  app,
  BrowserWindow,
  dialog,
  nativeTheme,
  screen,
  type BrowserWindowConstructorOptions,
  type NativeImage,
  type WebContents,
} from 'electron'
import { withTimeout, type Clock } from '../base/clock'
import type { Log } from '../base/log'
import { restartLimit, type CallLimit } from '../base/call-limit'
import { boundsOnScreen, defaultSize, minSize, zoomAfter, type Bounds, type WindowPlace } from './window-bounds'

/** A hidden window for a page of the app. `dark` is the background of the page in the dark theme. */
export function pageWindow(
  { icon, preloadPath }: Pick<PageWindowOptions, 'icon' | 'preloadPath'>,
  { dark = '#13161b', ...options }: BrowserWindowConstructorOptions & { dark?: string },
): BrowserWindow {
  return new BrowserWindow({
    icon,
    show: false,
    // Avoids a flash before the first paint.
    ...(options.transparent !== true && { backgroundColor: nativeTheme.shouldUseDarkColors ? dark : '#ffffff' }),
    ...options,
    webPreferences: {
      preload: preloadPath,
      sandbox: true,
      contextIsolation: true,
      nodeIntegration: false,
      webSecurity: true,
      webviewTag: false,
      spellcheck: false,
      // A dialog opened by the page would block the app. The app shows its own.
      disableDialogs: true,
    },
  })
}

/** Shows a window that may be minimized or hidden, with the focus. */
export function bringToFront(window: BrowserWindow): void {
  if (window.isMinimized()) window.restore()
  window.show()
  window.focus()
}

/** `name` is the subject of the message in the log. */
export function loadPage(window: BrowserWindow, url: string, { name, log }: { name: string; log: Log }): void {
  window.loadURL(url).catch((error: unknown) => log.error(`${name} could not be loaded`, { error: String(error) }))
}

/** Reports each time the window becomes visible or hidden. A minimized window counts as hidden. */
export function followVisibility(window: BrowserWindow, onVisibility: (isVisible: boolean) => void): void {
  const report = () => onVisibility(!window.isDestroyed() && window.isVisible() && !window.isMinimized())
  window.on('show', report)
  window.on('hide', report)
  window.on('minimize', report)
  window.on('restore', report)
}

/** Reloads the page of a window after a crash. Calls `onGivenUp` if it crashed too often, then destroys the window. */
export function reloadAfterCrash(
  window: BrowserWindow,
  { name, crashes, log, onGivenUp }: { name: string; crashes: CallLimit; log: Log; onGivenUp: () => void },
): void {
  window.webContents.on('render-process-gone', (_event, { reason, exitCode }) => {
    if (reason === 'clean-exit' || window.isDestroyed()) return
    log.error(`${name} crashed`, { reason, exitCode })
    if (crashes.admit().ok) {
      window.webContents.reload()
      return
    }
    onGivenUp()
    window.destroy()
  })
}

/**
 * Shows a new window once it is painted. Otherwise the desktop would show a white background. Under Wayland it is shown
 * at once, because a hidden window is never painted there.
 */
export function showPainted(
  window: BrowserWindow,
  { clock, isWayland, takesFocus = true }: { clock: Clock; isWayland: boolean; takesFocus?: boolean },
): void {
  const show = () => {
    cancel()
    if (window.isDestroyed() || window.isVisible()) return
    if (takesFocus) window.show()
    else window.showInactive()
  }
  const cancel = clock.after(maxHiddenMs, show)
  if (isWayland) show()
  else window.once('ready-to-show', show)
}

/** What each window with a page needs. */
export interface PageWindowOptions {
  clock: Clock
  log: Log
  icon: NativeImage
  preloadPath: string
  pageUrl: string
  /** Called when the window becomes visible or hidden. */
  onVisibility: (isVisible: boolean) => void
  /** Called when the page crashed too often to be restarted. */
  onGivenUp: () => void
}

interface Options extends PageWindowOptions {
  title: string
  place: WindowPlace | undefined
  /** Called when the page is gone with all its requests: the window was closed or reloads. */
  onPageGone: () => void
  onPlace: (place: WindowPlace) => void
  /** What closing the window does. Without a tray it could be lost. */
  closing: () => 'hide' | 'ask' | 'quit'
  /** True under Wayland. A window there has no background before its first paint, and a hidden one is never painted. */
  isWayland: boolean
  /** True if the desktop has a tray, as far as is known. */
  hasTray: () => boolean
  /** Called with the user's answer, which applies from now on. */
  onClosingChosen: (chosen: 'keepRunning' | 'quit') => void
  /** Notifies where the app is after its window was closed. Resolves with false if the user could not see it. */
  explainClosing: () => Promise<boolean>
}

/** A covered window, or one on another desktop, may not paint for a long time. */
const maxPaintWaitMs = 2_000
/** A page that has not painted after this time may never paint. */
const maxHiddenMs = 10_000
/** A user who reopens the window within this time needs no explanation. */
const explainAfterMs = 5_000

/**
 * The main window. Closing it destroys it, which frees most of the page's memory. The app continues in the tray, and
 * `open` creates a new window in the same place. `open` also replaces a page that crashed for good or does not respond.
 */
export class MainWindow {
  readonly #options: Options
  readonly #crashes: CallLimit
  #place: WindowPlace | undefined
  #zoom: number
  #isClosingExplained: boolean
  #cancelExplaining: (() => void) | undefined
  #window: BrowserWindow | undefined
  /** True while the page does not respond to input. */
  #isStuck = false
  /** True while the user is asked whether the app may run without its window. */
  #isAsking = false

  constructor(options: Options) {
    this.#options = options
    this.#place = options.place
    this.#zoom = options.place?.zoom ?? 1
    this.#isClosingExplained = options.place?.isClosingExplained ?? false
    this.#crashes = restartLimit(options.clock)
  }

  get page(): WebContents | undefined {
    return this.#window?.webContents
  }

  /** Shows the window, or creates it again. `view` is a section of the page, such as "alerts". */
  open(view?: string): void {
    const url = view === undefined ? this.#options.pageUrl : `${this.#options.pageUrl}#${view}`
    this.#cancelExplaining?.()
    if (this.#isStuck || this.#window?.webContents.isCrashed() === true) this.dispose()
    if (this.#window === undefined) {
      this.#window = this.#create()
      this.#load(this.#window, url)
      return
    }
    // Changing the fragment does not reload the page.
    if (view !== undefined) this.#load(this.#window, url)
    bringToFront(this.#window)
  }

  /**
   * Resolves when the page of a newly opened window has been painted, failed or timed out. Immediately if there is no
   * window.
   */
  firstPaint(): Promise<void> {
    const window = this.#window
    if (window === undefined) return Promise.resolve()
    const ended = new Promise<void>((resolve) => {
      window.once('ready-to-show', resolve)
      window.once('closed', resolve)
    })
    return withTimeout(ended, { clock: this.#options.clock, timeoutMs: maxPaintWaitMs }, () => undefined)
  }

  /** Hides the window if it has the focus, otherwise shows it. */
  toggle(): void {
    if (this.#window?.isFocused() === true) this.#window.hide()
    else this.open()
  }

  /** A PNG of the page, empty while it loads. Undefined if there is no window. */
  async screenshot(): Promise<Buffer | undefined> {
    if (this.#window?.webContents.isLoadingMainFrame() === true) return Buffer.alloc(0)
    const image = await this.#window?.webContents.capturePage()
    return image?.toPNG()
  }

  /** The page as a PDF, with its print styles. Throws a message if it cannot be printed. */
  async print(): Promise<Uint8Array> {
    if (this.#window === undefined) throw new Error('there is no window')
    return this.#window.webContents.printToPDF({ printBackground: true, preferCSSPageSize: true })
  }

  dispose(): void {
    this.#cancelExplaining?.()
    const window = this.#window
    if (window === undefined) return
    this.#isStuck = false
    // A destroyed window sends no `close` event.
    this.#remember(window)
    window.destroy()
  }

  #create(): BrowserWindow {
    const areas = screen.getAllDisplays().map((display) => display.workArea)
    const bounds = this.#place === undefined ? defaultSize : boundsOnScreen(this.#place, areas)
    const { width: minWidth, height: minHeight } = minSize
    const window = pageWindow(this.#options, { ...bounds, minWidth, minHeight, title: this.#options.title })
    this.#watch(window)
    showPainted(window, this.#options)
    return window
  }

  #watch(window: BrowserWindow): void {
    const { clock, log, onVisibility, onPageGone, onGivenUp, pageUrl } = this.#options
    window.on('page-title-updated', (event) => event.preventDefault())
    followVisibility(window, onVisibility)
    window.on('close', (event) => {
      this.#remember(window)
      const closing = this.#options.closing()
      if (closing !== 'hide') {
        event.preventDefault()
        if (closing === 'quit') app.quit()
        else void this.#askBeforeClosing(window)
        return
      }
      if (this.#isClosingExplained || !this.#options.hasTray()) return
      this.#cancelExplaining = clock.after(explainAfterMs, () => void this.#explainClosing())
    })
    window.on('closed', () => {
      this.#window = undefined
      onVisibility(false)
      onPageGone()
    })
    // Chromium remembers a zoom too, but saves it much later.
    window.webContents.on('did-navigate', () => {
      window.webContents.setZoomFactor(this.#zoom)
      onPageGone()
    })
    // Without a menu nothing else handles these keys.
    window.webContents.on('before-input-event', (event, { type, key, control, meta, alt }) => {
      const hasModifier = process.platform === 'darwin' ? meta : control
      if (type !== 'keyDown' || !hasModifier || alt) return
      const zoom = zoomAfter(key, this.#zoom)
      if (zoom === undefined) return
      event.preventDefault()
      this.#zoom = zoom
      window.webContents.setZoomFactor(zoom)
      this.#remember(window)
    })
    window.webContents.on('render-process-gone', (_event, { reason, exitCode }) => {
      if (reason === 'clean-exit') return
      log.error('The page crashed', { reason, exitCode })
      if (this.#crashes.admit().ok) {
        this.#load(window, pageUrl)
        return
      }
      onGivenUp()
      void this.#offerReload(window, 'The window has crashed several times in a row.', 'Close')
    })
    window.on('unresponsive', () => {
      log.error('The page does not respond')
      if (this.#isStuck) return
      this.#isStuck = true
      void this.#offerReload(window, 'The window does not respond.', 'Wait')
    })
    window.on('responsive', () => {
      log.info('The page responds again')
      this.#isStuck = false
    })
  }

  /** Asks in a native dialog, because the page cannot show one. */
  async #offerReload(window: BrowserWindow, message: string, otherwise: 'Close' | 'Wait'): Promise<void> {
    const { response } = await dialog.showMessageBox({
      type: 'warning',
      message,
      detail: 'Values and alerts kept running.',
      buttons: ['Reload', otherwise],
      defaultId: 0,
      cancelId: 1,
    })
    // The user may have started the app again instead of answering.
    if (this.#window !== window || (response === 1 && otherwise === 'Wait')) return
    this.dispose()
    if (response === 0) this.open()
  }

  async #askBeforeClosing(window: BrowserWindow): Promise<void> {
    if (this.#isAsking) return
    this.#isAsking = true
    const { response } = await dialog.showMessageBox(window, {
      type: 'question',
      message: 'Keep Indexwatch running without its window?',
      detail:
        'This desktop has no tray. Without its window Indexwatch keeps watching and notifying. Start Indexwatch again to open the window. You can change this in Settings.',
      buttons: ['Keep running', 'Quit', 'Cancel'],
      defaultId: 0,
      cancelId: 2,
    })
    this.#isAsking = false
    if (response === 2) return
    this.#options.onClosingChosen(response === 0 ? 'keepRunning' : 'quit')
    if (response === 1) app.quit()
    else if (this.#window === window) this.dispose()
  }

  /** Explained once, but again if the desktop could not show it. */
  async #explainClosing(): Promise<void> {
    this.#isClosingExplained = true
    this.#isClosingExplained = await this.#options.explainClosing()
    if (this.#place !== undefined) this.#keep(this.#place)
  }

  #remember(window: BrowserWindow): void {
    this.#keep(window.getNormalBounds())
  }

  #keep({ x, y, width, height }: Bounds): void {
    this.#place = { x, y, width, height, zoom: this.#zoom, isClosingExplained: this.#isClosingExplained }
    this.#options.onPlace(this.#place)
  }

  #load(window: BrowserWindow, url: string): void {
    loadPage(window, url, { name: 'The page', log: this.#options.log })
  }
}
