/** The two axes of a chart, with the ticks that its drawing has. */
import type { ChartConfiguration, Scale } from 'chart.js'
import type { ChartColours } from './chart-colours'
import type { Axes } from './drawing'

type Scales = NonNullable<NonNullable<ChartConfiguration<'line'>['options']>['scales']>

export const fontSize = 11
export const tagFont = `600 ${fontSize}px "Inter Variable", system-ui, sans-serif`
/** From the plot to a text on the upright axis; CSS pixels. */
const axisPadding = 8

/** `fit` answers how wide the upright axis is, which has its own width when asked. */
export function chartScales(
  drawing: () => Axes | undefined,
  position: 'left' | 'right',
  fit: (scale: Scale) => number,
): Scales {
  const font = { family: 'Inter Variable, system-ui, sans-serif', size: fontSize }
  const colour = (token: keyof ChartColours) => () => drawing()?.colours[token] ?? 'transparent'
  const ticks = { autoSkip: false, color: colour('ink-3'), font, maxRotation: 0 }
  return {
    x: {
      type: 'linear',
      grid: { display: false },
      border: { display: true },
      ticks: { ...ticks, callback: (_value, at) => drawing()?.timeTicks[at]?.text ?? '' },
      afterBuildTicks: (scale: Scale) => {
        scale.ticks = (drawing()?.timeTicks ?? []).map(({ atMs }) => ({ value: atMs }))
      },
    },
    y: {
      type: 'linear',
      position,
      grid: { color: colour('line-soft'), drawTicks: false },
      border: { display: false },
      ticks: { ...ticks, padding: axisPadding, callback: (_value, at) => drawing()?.valueTicks[at]?.text ?? '' },
      afterBuildTicks: (scale: Scale) => {
        scale.ticks = (drawing()?.valueTicks ?? []).map(({ value }) => ({ value }))
      },
      afterFit: (scale: Scale) => {
        scale.width = fit(scale)
      },
    },
  }
}
