/** The rolling mean of an index as a line of its chart. */
import { fractionText, toChartNumber, type Fraction } from '../../core/decimal'
import { MeanWindow, type WindowTerms } from '../../core/settlement/mean-window'
import { nearestTo, type Place, type PlotPoint } from './chart-model'

/** The mean of the values up to a point. */
export interface MeanReading {
  mean: Fraction
  counted: number
  expected: number
  carried: number
  /** How many values of the window were amended. */
  amended: number
}

/** Decimals of a drawn mean beyond those of the index. */
const drawnDecimals = 14

/**
 * The line of a rolling mean. It has a place at each value whose window is complete, and a gap elsewhere. Taking values
 * that continue the former ones costs nothing for those.
 */
export class MeanLine {
  readonly #terms: WindowTerms
  #window: MeanWindow
  #taken: readonly PlotPoint[] = []
  #stretches: Place[][] = []
  #isOpen = false

  constructor(terms: WindowTerms) {
    this.#terms = terms
    this.#window = new MeanWindow(terms)
  }

  /** Takes all points of the chart, ascending. Returns the line from `fromMs` on: its stretches between gaps. */
  take(points: readonly PlotPoint[], fromMs: number): Place[][] {
    const start = this.#continues(points)
    if (start === 0) {
      this.#window = new MeanWindow(this.#terms)
      this.#stretches = []
      this.#isOpen = false
    }
    for (const point of points.slice(start)) this.#add(point)
    this.#taken = points
    return this.#stretches
      .map((stretch) => stretch.filter(({ atMs }) => atMs >= fromMs))
      .filter(({ length }) => length > 0)
  }

  /** The number of points that were taken before. 0 if any of them changed or is missing within the others. */
  #continues(points: readonly PlotPoint[]): number {
    const [first] = points
    const skipped = first === undefined ? -1 : this.#taken.indexOf(first)
    const known = skipped === -1 ? [] : this.#taken.slice(skipped)
    return known.every((point, at) => points[at] === point) ? known.length : 0
  }

  #add({ atMs, point }: PlotPoint): void {
    if (atMs % this.#terms.stepMs !== 0) return
    this.#window.slide(point)
    const { mean, counted, expected } = this.#window
    if (mean === undefined || counted < expected) {
      this.#isOpen = false
      return
    }
    if (!this.#isOpen) this.#stretches.push([])
    this.#isOpen = true
    this.#stretches.at(-1)?.push({ atMs, value: toChartNumber(fractionText(mean, drawnDecimals)) })
  }
}

/** The mean at a point, from the points up to it. Undefined if none of them counts. */
export function meanAt(points: readonly PlotPoint[], { atMs }: PlotPoint, terms: WindowTerms): MeanReading | undefined {
  const window = new MeanWindow(terms)
  window.moveTo(Math.floor(atMs / terms.stepMs) * terms.stepMs)
  for (let at = nearestTo(points, atMs); at >= 0; at--) {
    const point = points[at]
    if (point === undefined || point.atMs <= atMs - (terms.seconds + 1) * 1_000) break
    window.add(point.point)
  }
  const { mean, counted, expected, carried, observations } = window
  const amended = observations.filter(({ exact, publication }) => exact && publication.amendedAtMs !== undefined).length
  return mean && { mean, counted, expected, carried, amended }
}
