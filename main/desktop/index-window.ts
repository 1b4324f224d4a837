import type { BrowserWindow, WebContents } from 'electron'
import type { IndexId } from '../../core/model'
import { restartLimit } from '../base/call-limit'
import { minIndexSize } from './index-places'
import {
  bringToFront,
  followVisibility,
  loadPage,
  pageWindow,
  reloadAfterCrash,
  showPainted,
  type PageWindowOptions,
} from './window'
import type { Bounds } from './window-bounds'

/** `onGivenUp` is called before `onClosed`. */
interface Options extends PageWindowOptions {
  id: IndexId
  bounds: Bounds
  /** True if a hidden window is never painted. */
  isWayland: boolean
  /** False for a window of the last run. */
  takesFocus: boolean
  /** Called when the user has moved or resized it. */
  onMoved: (bounds: Bounds) => void
  /** Called when the page is gone with all its requests: it reloads. */
  onPageGone: () => void
  /** Called when the user closed it. */
  onClosed: () => void
}

/** In the log. */
const name = 'The window of an index'
/** A moved window has been released after this time. */
const settleMs = 250

/** The window of one index. It exists until it is closed. Its page gives it its title. */
export class IndexWindow {
  readonly #window: BrowserWindow
  #cancelSettling: (() => void) | undefined
  #isDisposed = false

  constructor(options: Options) {
    const { id, bounds, pageUrl, log } = options
    const { width: minWidth, height: minHeight } = minIndexSize
    this.#window = pageWindow(options, { ...bounds, minWidth, minHeight, title: id })
    this.#watch(options)
    showPainted(this.#window, options)
    loadPage(this.#window, `${pageUrl}${encodeURIComponent(id)}`, { name, log })
  }

  /** Undefined once the window is gone. */
  get page(): WebContents | undefined {
    return this.#window.isDestroyed() ? undefined : this.#window.webContents
  }

  show(): void {
    bringToFront(this.#window)
  }

  /** Closes it without `onClosed`. */
  dispose(): void {
    this.#isDisposed = true
    this.#cancelSettling?.()
    if (!this.#window.isDestroyed()) this.#window.destroy()
  }

  #watch({ clock, log, onVisibility, onMoved, onPageGone, onClosed, onGivenUp }: Options): void {
    const window = this.#window
    followVisibility(window, onVisibility)
    const crashes = restartLimit(clock)
    reloadAfterCrash(window, { name, crashes, log, onGivenUp })
    const settle = () => {
      this.#cancelSettling?.()
      this.#cancelSettling = clock.after(settleMs, () => onMoved(window.getNormalBounds()))
    }
    window.on('move', settle)
    window.on('resize', settle)
    window.on('closed', () => {
      this.#cancelSettling?.()
      if (!this.#isDisposed) onClosed()
    })
    window.webContents.on('did-navigate', onPageGone)
  }
}
