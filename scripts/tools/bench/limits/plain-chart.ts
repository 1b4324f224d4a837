/// <reference lib="dom" />
import UPlot from 'uplot'

interface Options {
  width: number
  height: number
  /** Pairs of a time in seconds and a value, ascending. */
  points: readonly (readonly [time: number, value: number])[]
}

/** The limit of a chart: one line of uPlot with both axes. */
export class PlainChart {
  readonly #chart: UPlot
  #times: number[]
  #values: number[]

  constructor({ width, height, points }: Options) {
    this.#times = points.map(([time]) => time)
    this.#values = points.map(([, value]) => value)
    const options: UPlot.Options = {
      width,
      height,
      legend: { show: false },
      series: [{}, { stroke: '#2563eb', width: 1.5, points: { show: false } }],
    }
    this.#chart = new UPlot(options, [this.#times, this.#values], document.body)
  }

  /** Adds one value and drops one. Resolves when it is drawn. */
  async push(time: number, value: number): Promise<void> {
    this.#times = [...this.#times.slice(1), time]
    this.#values = [...this.#values.slice(1), value]
    this.#chart.setData([this.#times, this.#values])
    // uPlot draws in a microtask.
    await Promise.resolve()
  }
}
