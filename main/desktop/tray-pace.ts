import type { Clock } from '../base/clock'
import { Throttle } from '../base/throttle'
import type { TrayIconState, TrayItem, TrayView } from './tray-view'

/** The desktop's tray. Each change is one call. */
export interface TrayTarget {
  setIcon(icon: TrayIconState): void
  setTooltip(text: string): void
  setMenu(items: readonly TrayItem[]): void
  /** Text beside the icon, if the desktop has room for it. */
  setTitle(text: string): void
}

/** Each change is a signal to the panel. */
const spacingMs = 1_000
/** A tooltip is read only under the pointer, and each value is shown with its time. */
const valueSpacingMs = 5_000
/** A menu whose closing is never reported counts as closed after this time. */
const longestOpenMs = 30_000

/** Applies the current view at most once a second, every five seconds if only values changed. Sends only what changed. */
export class TrayPace {
  readonly #view: () => TrayView
  readonly #target: TrayTarget
  readonly #changes: Throttle
  readonly #values: Throttle
  readonly #clock: Clock
  #applied: { icon?: string; tooltip?: string; title?: string; items?: string } = {}
  /** Set while the menu is known to be open. */
  #cancelOpen: (() => void) | undefined

  /** Set until a shown value becomes stale. */
  #cancelStale: (() => void) | undefined

  /** With `hasTitle` a value is beside the icon, and values are shown as soon as other changes. */
  constructor(clock: Clock, view: () => TrayView, target: TrayTarget, { hasTitle = false } = {}) {
    this.#clock = clock
    this.#view = view
    this.#target = target
    this.#changes = new Throttle({ clock, spacingMs, run: () => this.#apply() })
    this.#values = new Throttle({
      clock,
      spacingMs: hasTitle ? spacingMs : valueSpacingMs,
      run: () => this.#changes.request(),
    })
  }

  /** Call when the view may have changed. Cheap: the view is computed only when it is shown. */
  changed(): void {
    this.#changes.request()
  }

  /** Call when a value has changed. */
  valueChanged(): void {
    this.#values.request()
  }

  /** Call when the pointer is over the icon, where the desktop tells it. Values that wait are shown. */
  hovered(): void {
    if (this.#values.isWaiting) this.#values.runNow()
  }

  /** Call when the menu opens. It is not replaced until it closes. */
  menuOpened(): void {
    this.#cancelOpen?.()
    this.#cancelOpen = this.#clock.after(longestOpenMs, () => this.menuClosed())
  }

  menuClosed(): void {
    this.#cancelOpen?.()
    this.#cancelOpen = undefined
    this.#changes.request()
  }

  /** Applies everything again, after the icon was recreated. */
  repeat(): void {
    this.#applied = {}
    this.#cancelOpen?.()
    this.#cancelOpen = undefined
    this.#changes.runNow()
  }

  dispose(): void {
    this.#changes.cancel()
    this.#values.cancel()
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
    const items = JSON.stringify(view.items)
    // Replacing an open menu breaks it. `menuClosed` requests it again.
    if (items === this.#applied.items || this.#cancelOpen !== undefined) return
    this.#applied.items = items
    this.#target.setMenu(view.items)
  }
}
