import { Menu, screen, type BrowserWindow, type MenuItemConstructorOptions, type WebContents } from 'electron'
import type { Preferences } from '../../core/preferences'
import { restartLimit, type CallLimit } from '../base/call-limit'
import {
  screenOf,
  snapped,
  tickerBounds,
  withCorner,
  withPlace,
  type Corner,
  type Size,
  type TickerPlaces,
} from './ticker-place'
import { screens } from './screens'
import type { Bounds } from './window-bounds'
import { followVisibility, loadPage, pageWindow, reloadAfterCrash, type PageWindowOptions } from './window'

interface Options extends PageWindowOptions {
  places: TickerPlaces
  /** True if the desktop lets an app place its windows. */
  placesWindows: boolean
  onPlaces: (places: TickerPlaces) => void
  /** Called when the user closes it, or it crashed too often. */
  onClosed: () => void
}

type Look = Pick<Preferences, 'showsTicker' | 'tickerOpacity' | 'isTickerClickThrough'>

/** In the log. */
const name = 'The ticker'
/** Until the page reports its size. */
const firstSize: Size = { width: 300, height: 110 }
/** The ticker is shown after this time even if its page has not reported a size. */
const maxHiddenMs = 2_000
/** A dragged window has been released after this time without a move. */
const settleMs = 250

/**
 * The ticker: a small frameless window that floats above others if the desktop allows it. It has the size that its page
 * reports, and keeps its place on each screen.
 */
export class Ticker {
  readonly #options: Options
  readonly #crashes: CallLimit
  #places: TickerPlaces
  #size: Size = firstSize
  #window: BrowserWindow | undefined
  #isTransparent = false
  /** Where the app put it. A move to this place is not the user's. */
  #put: Bounds | undefined
  #cancelSettling: (() => void) | undefined
  #cancelShowing: (() => void) | undefined
  readonly #screensChanged = () => this.#place()

  constructor(options: Options) {
    this.#options = options
    this.#places = options.places
    this.#crashes = restartLimit(options.clock)
  }

  get page(): WebContents | undefined {
    return this.#window?.webContents
  }

  /** Opens, closes or changes it according to the preferences. */
  follow({ showsTicker, tickerOpacity, isTickerClickThrough }: Look): void {
    const isTransparent = tickerOpacity < 100
    // Transparency can only be set when a window is created.
    if (!showsTicker || isTransparent !== this.#isTransparent) this.dispose()
    if (!showsTicker) return
    this.#isTransparent = isTransparent
    this.#window ??= this.#create()
    this.#window.setIgnoreMouseEvents(isTickerClickThrough)
  }

  /** Resizes it to its content. It stays in its corner. The first call shows it. */
  fit(size: Size): void {
    this.#size = size
    this.#place()
    this.#show()
  }

  moveTo(corner: Corner): void {
    const window = this.#window
    if (window === undefined) return
    this.#keep(withCorner(this.#places, corner, screenOf(window.getBounds(), screens())))
    this.#place()
  }

  /** Opens a menu at a point of the page. */
  showMenu(items: MenuItemConstructorOptions[], { x, y }: { x: number; y: number }): void {
    if (this.#window !== undefined) Menu.buildFromTemplate(items).popup({ window: this.#window, x, y })
  }

  dispose(): void {
    const window = this.#window
    this.#window = undefined
    this.#cancelSettling?.()
    this.#cancelShowing?.()
    if (window === undefined) return
    screen.removeListener('display-added', this.#screensChanged)
    screen.removeListener('display-removed', this.#screensChanged)
    screen.removeListener('display-metrics-changed', this.#screensChanged)
    if (!window.isDestroyed()) window.destroy()
    this.#options.onVisibility(false)
  }

  #create(): BrowserWindow {
    const { clock, pageUrl, placesWindows, log } = this.#options
    this.#put = tickerBounds(this.#places, this.#size, screens())
    const window = pageWindow(this.#options, {
      ...this.#put,
      title: 'Indexwatch ticker',
      frame: false,
      transparent: this.#isTransparent,
      dark: '#1a1e25',
      resizable: false,
      maximizable: false,
      minimizable: false,
      fullscreenable: false,
      skipTaskbar: true,
      // Some desktops of Linux heed only the type of the window.
      ...(process.platform === 'linux' && { type: 'toolbar' }),
      alwaysOnTop: true,
    })
    // Above full-screen windows and on all workspaces.
    window.setAlwaysOnTop(true, 'floating')
    window.setVisibleOnAllWorkspaces(true, { visibleOnFullScreen: true, skipTransformProcessType: true })
    this.#watch(window)
    screen.on('display-added', this.#screensChanged)
    screen.on('display-removed', this.#screensChanged)
    screen.on('display-metrics-changed', this.#screensChanged)
    this.#cancelShowing = clock.after(maxHiddenMs, () => this.#show())
    // A hidden window is never painted under Wayland.
    if (!placesWindows) window.showInactive()
    loadPage(window, pageUrl, { name, log })
    return window
  }

  /** Shows it without taking the keyboard focus. */
  #show(): void {
    this.#cancelShowing?.()
    if (this.#window?.isVisible() === false) this.#window.showInactive()
  }

  #watch(window: BrowserWindow): void {
    const { clock, log, onVisibility, onClosed, onGivenUp } = this.#options
    followVisibility(window, onVisibility)
    reloadAfterCrash(window, { name, crashes: this.#crashes, log, onGivenUp })
    window.on('move', () => {
      this.#cancelSettling?.()
      this.#cancelSettling = clock.after(settleMs, () => this.#settle(window))
    })
    window.on('closed', () => {
      // Closed by the user: `dispose` clears `#window` before it destroys the window.
      if (this.#window !== window) return
      this.dispose()
      onClosed()
    })
  }

  /** The user has moved it. It snaps to a near edge, and the place is saved. */
  #settle(window: BrowserWindow): void {
    if (this.#window !== window || !this.#options.placesWindows) return
    const bounds = window.getBounds()
    if (bounds.x === this.#put?.x && bounds.y === this.#put.y) return
    const on = screenOf(bounds, screens())
    this.#keep(withPlace(this.#places, snapped(bounds, on), on))
    this.#place()
  }

  #place(): void {
    if (this.#window === undefined) return
    this.#put = tickerBounds(this.#places, this.#size, screens())
    this.#window.setBounds(this.#put)
  }

  #keep(places: TickerPlaces): void {
    this.#places = places
    this.#options.onPlaces(places)
  }
}
