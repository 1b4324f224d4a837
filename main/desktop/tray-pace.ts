import type { Clock } from '../base/clock'
import { Throttle } from '../base/throttle'
import type { TrayIconState, TrayItem, TrayView } from './tray-view'

/** Where a view ends up: the desktop's tray, one call per change. */
export interface TrayTarget {
  setIcon(icon: TrayIconState): void
  setTooltip(text: string): void
  setMenu(items: readonly TrayItem[]): void
  /** Beside the icon, where the desktop has room for it. */
  setTitle(text: string): void
}

/** Every change is a signal to the panel. */
const spacingMs = 1_000
/**
 * A new menu takes the place of one that may be open: on Linux, where nobody says so, its items then do nothing. Each value
 * says when it was published, so ticking alone can wait.
 */
const valueSpacingMs = 60_000
/** A menu whose closing is never reported counts as closed then. */
const longestOpenMs = 30_000

/** The menu without what ticks. */
function structure(items: readonly TrayItem[]): string {
  return JSON.stringify(items.map((item) => (item.kind === 'value' ? [item.id, item.standing] : item)))
}

/** Applies the present view at most once a second, and only what changed of it. */
export class TrayPace {
  readonly #view: () => TrayView
  readonly #target: TrayTarget
  readonly #changes: Throttle
  readonly #menus: Throttle
  readonly #clock: Clock
  #applied: { icon?: string; tooltip?: string; title?: string; items?: string; structure?: string } = {}
  /** While the menu is known to be open. */
  #cancelOpen: (() => void) | undefined

  /** Until a shown value becomes stale. */
  #cancelStale: (() => void) | undefined

  constructor(clock: Clock, view: () => TrayView, target: TrayTarget) {
    this.#clock = clock
    this.#view = view
    this.#target = target
    this.#changes = new Throttle({
      clock,
      spacingMs,
      run: () => this.#apply(),
    })
    this.#menus = new Throttle({
      clock,
      spacingMs: valueSpacingMs,
      run: () => this.#applyMenu(),
    })
  }

  /** The view may be another than before. Cheap: it is asked for only when it is shown. */
  changed(): void {
    this.#changes.request()
  }

  /** The menu opened: it is not replaced until it closes. */
  menuOpened(): void {
    this.#cancelOpen?.()
    this.#cancelOpen = this.#clock.after(longestOpenMs, () => this.menuClosed())
  }

  menuClosed(): void {
    this.#cancelOpen?.()
    this.#cancelOpen = undefined
    this.#changes.request()
  }

  /** Applies everything again, as when the tray icon was made again. */
  repeat(): void {
    this.#applied = {}
    this.#cancelOpen?.()
    this.#cancelOpen = undefined
    this.#changes.runNow()
  }

  dispose(): void {
    this.#changes.cancel()
    this.#menus.cancel()
    this.#cancelOpen?.()
    this.#cancelStale?.()
  }

  #apply(): void {
    const view = this.#view()
    this.#cancelStale?.()
    this.#cancelStale =
      view.staleInMs === undefined ? undefined : this.#clock.after(view.staleInMs, () => this.changed())
    const icon = JSON.stringify(view.icon)
    if (icon !== this.#applied.icon) this.#target.setIcon(view.icon)
    if (view.tooltip !== this.#applied.tooltip) this.#target.setTooltip(view.tooltip)
    if (view.title !== this.#applied.title) this.#target.setTitle(view.title)
    this.#applied = { ...this.#applied, icon, tooltip: view.tooltip, title: view.title }
    if (JSON.stringify(view.items) === this.#applied.items) return
    if (structure(view.items) === this.#applied.structure) this.#menus.request()
    else this.#menus.runNow()
  }

  #applyMenu(): void {
    // Its closing asks again.
    if (this.#cancelOpen !== undefined) return
    const menu = this.#view().items
    const items = JSON.stringify(menu)
    if (items === this.#applied.items) return
    this.#applied = { ...this.#applied, items, structure: structure(menu) }
    this.#target.setMenu(menu)
  }
}
