import type { Clock } from '../base/clock'
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
  readonly #clock: Clock
  readonly #view: () => TrayView
  readonly #target: TrayTarget
  #applied: { icon?: string; tooltip?: string; items?: string; structure?: string } = {}
  #appliedAtMs = Number.NEGATIVE_INFINITY
  #menuAtMs = Number.NEGATIVE_INFINITY
  #timer: { dueAtMs: number; cancel: () => void } | undefined

  constructor(clock: Clock, view: () => TrayView, target: TrayTarget) {
    this.#clock = clock
    this.#view = view
    this.#target = target
  }

  /** The view may be another than before. Cheap: it is asked for only when it is shown. */
  changed(): void {
    const waitMs = this.#appliedAtMs + spacingMs - this.#clock.monotonicMs()
    if (waitMs <= 0) this.#apply()
    else this.#wait(waitMs)
  }

  /** Applies everything anew, as when the tray icon was made again. */
  repeat(): void {
    this.#applied = {}
    this.#menuAtMs = Number.NEGATIVE_INFINITY
    this.#apply()
  }

  dispose(): void {
    this.#timer?.cancel()
    this.#timer = undefined
  }

  #wait(ms: number): void {
    const dueAtMs = this.#clock.monotonicMs() + ms
    if (this.#timer !== undefined && this.#timer.dueAtMs <= dueAtMs) return
    this.#timer?.cancel()
    const cancel = this.#clock.after(ms, () => {
      this.#timer = undefined
      this.#apply()
    })
    this.#timer = { dueAtMs, cancel }
  }

  #apply(): void {
    const view = this.#view()
    this.#appliedAtMs = this.#clock.monotonicMs()
    const icon = JSON.stringify(view.icon)
    if (icon !== this.#applied.icon) this.#target.setIcon(view.icon)
    if (view.tooltip !== this.#applied.tooltip) this.#target.setTooltip(view.tooltip)
    this.#applied = { ...this.#applied, icon, tooltip: view.tooltip }
    this.#applyMenu(view.items)
  }

  #applyMenu(menu: readonly TrayItem[]): void {
    const items = JSON.stringify(menu)
    if (items === this.#applied.items) return
    const shape = structure(menu)
    const waitMs = this.#menuAtMs + valueSpacingMs - this.#clock.monotonicMs()
    if (shape === this.#applied.structure && waitMs > 0) {
      this.#wait(waitMs)
      return
    }
    this.#menuAtMs = this.#clock.monotonicMs()
    this.#applied = { ...this.#applied, items, structure: shape }
    this.#target.setMenu(menu)
  }
}
