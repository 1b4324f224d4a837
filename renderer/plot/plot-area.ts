/** Where what is drawn lies: what the canvas and what lies above it agree on. */
import type { TimeSpan } from '../format/chart-model'
import type { Bounds } from '../format/value-scale'

/** Where the plot lies in its canvas; CSS pixels. */
export interface PlotArea {
  left: number
  top: number
  right: number
  bottom: number
}

/** How far right a time lies; CSS pixels. */
export function xOf(atMs: number, { fromMs, toMs }: TimeSpan, { left, right }: PlotArea): number {
  return left + ((atMs - fromMs) / (toMs - fromMs)) * (right - left)
}

/** The time so far right. */
export function timeAt(x: number, { fromMs, toMs }: TimeSpan, { left, right }: PlotArea): number {
  return fromMs + ((x - left) / (right - left)) * (toMs - fromMs)
}

/** How far down a value lies; CSS pixels, beyond the plot for what is out of bounds. */
export function yOf(value: number, bounds: Bounds, area: PlotArea): number {
  return area.top + ((bounds.max - value) / (bounds.max - bounds.min)) * (area.bottom - area.top)
}

/** The value so far down. */
export function valueAt(y: number, bounds: Bounds, area: PlotArea): number {
  return bounds.max - ((y - area.top) / (area.bottom - area.top)) * (bounds.max - bounds.min)
}
