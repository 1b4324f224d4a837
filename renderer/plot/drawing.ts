/** What is drawn and where: what the canvas, its marks and what lies above it agree on. */
import type { ChartColours } from './chart-colours'
import type { TimeSpan } from '../format/chart-model'
import type { TimeTick } from '../format/time-scale'
import type { Bounds } from '../format/value-scale'

/** Where the plot lies in its canvas; CSS pixels. */
export interface PlotArea {
  left: number
  top: number
  right: number
  bottom: number
}

/** What every drawing over time has; texts are as on screen. */
export interface Frame {
  span: TimeSpan
  bounds: Bounds
  timeTicks: TimeTick[]
  valueTicks: { value: number; text: string }[]
  colours: ChartColours
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
