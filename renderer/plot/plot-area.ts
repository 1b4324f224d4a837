/** Converts between values and pixels, for the canvas and for the elements above it. */
import type { TimeSpan } from '../format/chart-model'
import type { Bounds } from '../format/value-scale'

/** The edges of the plot in its canvas; CSS pixels. */
export interface PlotArea {
  left: number
  top: number
  right: number
  bottom: number
}

/** The x of a time; CSS pixels. */
export function xOf(atMs: number, { fromMs, toMs }: TimeSpan, { left, right }: PlotArea): number {
  return left + ((atMs - fromMs) / (toMs - fromMs)) * (right - left)
}

/** The time at an x; ms. */
export function timeAt(x: number, { fromMs, toMs }: TimeSpan, { left, right }: PlotArea): number {
  return fromMs + ((x - left) / (right - left)) * (toMs - fromMs)
}

/** The y of a value; CSS pixels. It is outside the plot if the value is out of bounds. */
export function yOf(value: number, bounds: Bounds, area: PlotArea): number {
  return area.top + ((bounds.max - value) / (bounds.max - bounds.min)) * (area.bottom - area.top)
}

/** The value at a y. */
export function valueAt(y: number, bounds: Bounds, area: PlotArea): number {
  return bounds.max - ((y - area.top) / (area.bottom - area.top)) * (bounds.max - bounds.min)
}
