/** What is drawn and where: what the canvas, its marks and what lies above it agree on. */
import type { ChartColours } from './chart-colours'
import type { Direction } from '../../../ui/direction'
import type { ChartView } from '../../../format/chart-model'
import type { TimeTick } from '../../../format/time-scale'
import type { Bounds } from '../../../format/value-scale'

/** Where the plot lies in its canvas; CSS pixels. */
export interface PlotArea {
  left: number
  top: number
  right: number
  bottom: number
}

/** The axes of a drawing; texts are as on screen. */
export interface Axes {
  timeTicks: TimeTick[]
  valueTicks: { value: number; text: string }[]
  colours: ChartColours
}

/** What is to be drawn, in full. */
export interface Drawing extends Axes {
  view: ChartView
  bounds: Bounds
  /** The last value, which the axis names; its text is as on screen. */
  last: { value: number; text: string } | undefined
  /** From the first value to the last, as the change beside the chart shows it. */
  direction: Direction
  /** Not live: drawn in grey. */
  isOld: boolean
}

/** How far down a value lies; CSS pixels, beyond the plot for what is out of bounds. */
export function yOf(value: number, bounds: Bounds, area: PlotArea): number {
  return area.top + ((bounds.max - value) / (bounds.max - bounds.min)) * (area.bottom - area.top)
}

/** The value so far down. */
export function valueAt(y: number, bounds: Bounds, area: PlotArea): number {
  return bounds.max - ((y - area.top) / (area.bottom - area.top)) * (bounds.max - bounds.min)
}
