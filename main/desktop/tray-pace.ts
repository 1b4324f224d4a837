import type { Clock } from '../base/clock'
import { Throttle } from '../base/throttle'
import type { TrayIconState, TrayItem, TrayView } from './tray-view'

/** Where a view ends up: the desktop's tray, one call per change. */
export interface TrayTarget {
  setIcon(icon: TrayIconState): void
  setTooltip(text: string): void
  setMenu(items: readonly TrayItem[]): void
}

/** Every change is a signal to the panel. */
const spacingMs = 1_000
/** A new menu takes the place of one that may be open under the pointer; ticking values alone wait longer. */
const valueSpacingMs = 10_000

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
  #applied: { icon?: string; tooltip?: string; items?: string; structure?: string } = {}

  constructor(clock: Clock, view: () => TrayView, target: TrayTarget) {
    this.#view = view
    this.#target = target
    this.#changes = new Throttle({
      clock,
      spacingMs,
      run: () => {
        this.#apply()
      },
    })
    this.#menus = new Throttle({
      clock,
      spacingMs: valueSpacingMs,
      run: () => {
        this.#applyMenu()
      },
    })
  }

  /** The view may be another than before. Cheap: it is asked for only when it is shown. */
  changed(): void {
    this.#changes.request()
  }

  /** Applies everything again, as when the tray icon was made again. */
  repeat(): void {
    this.#applied = {}
    this.#changes.runNow()
  }

  dispose(): void {
    this.#changes.cancel()
    this.#menus.cancel()
  }

  #apply(): void {
    const view = this.#view()
    const icon = JSON.stringify(view.icon)
    if (icon !== this.#applied.icon) this.#target.setIcon(view.icon)
    if (view.tooltip !== this.#applied.tooltip) this.#target.setTooltip(view.tooltip)
    this.#applied = { ...this.#applied, icon, tooltip: view.tooltip }
    if (JSON.stringify(view.items) === this.#applied.items) return
    if (structure(view.items) === this.#applied.structure) this.#menus.request()
    else this.#menus.runNow()
  }

  #applyMenu(): void {
    const menu = this.#view().items
    const items = JSON.stringify(menu)
    if (items === this.#applied.items) return
    this.#applied = { ...this.#applied, items, structure: structure(menu) }
    this.#target.setMenu(menu)
  }
}
