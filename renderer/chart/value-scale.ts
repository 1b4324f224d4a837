/** The upright axis of the chart: its bounds, its ticks, and levels read off it. Floats: nothing here is published. */
import { writeOut } from '../../protocol/decimal'
import type { DecimalText } from '../../protocol/model'
import type { Extremes } from './chart-model'

export interface Bounds {
  readonly min: number
  readonly max: number
}

/** A round step, 1, 2 or 5 times a power of ten, and how many decimals its multiples need. */
export interface Step {
  readonly size: number
  readonly decimals: number
}

const room = 0.08
const smallestShare = 1e-9
const mostDecimals = 30

/** The smallest round step of at least `size`. */
export function stepOfAtLeast(size: number): Step {
  const exponent = Math.floor(Math.log10(size))
  for (const [factor, power] of [
    [1, exponent],
    [2, exponent],
    [5, exponent],
    [1, exponent + 1],
  ] as const) {
    // As text, since 3 × 0.1 is not 0.3 in floats.
    const step = Number(`${factor}e${power}`)
    if (step >= size * (1 - 1e-9)) return { size: step, decimals: Math.min(mostDecimals, Math.max(0, -power)) }
  }
  return { size, decimals: mostDecimals }
}

/** The least and the greatest value with some room around them; a flat line lies in the middle. */
export function boundsOf({ low, high }: Extremes): Bounds {
  const distance = high.value - low.value
  const size = Math.max(Math.abs(low.value), Math.abs(high.value))
  const around = distance > size * smallestShare ? distance * room : size * 0.001 || 1
  return { min: low.value - around, max: high.value + around }
}

/** A float as a decimal with so many places. */
export function toText(value: number, decimals: number): DecimalText {
  const text = writeOut(value.toFixed(Math.min(mostDecimals, decimals)))
  return /[1-9]/.test(text) ? text : text.replace('-', '')
}

export interface ValueTick {
  value: number
  /** Just as many decimals as tell the ticks apart. */
  text: DecimalText
}

/** Round values between the bounds, at most `most` of them. */
export function valueTicks({ min, max }: Bounds, most: number): ValueTick[] {
  const step = stepOfAtLeast((max - min) / Math.max(1, most))
  const first = Math.ceil(min / step.size)
  const count = Math.floor(max / step.size) - first + 1
  if (!Number.isFinite(first) || count < 1 || count > 50) return []
  return Array.from({ length: count }, (_, at) => {
    const value = (first + at) * step.size
    return { value, text: toText(value, step.decimals) }
  })
}

/** How many decimals a published value has. */
export function decimalsOf(value: DecimalText): number {
  return writeOut(value).split('.')[1]?.length ?? 0
}

/**
 * How far a level moves at once: as far as can be seen on a drawing `height` pixels high, and by no less than the index
 * can publish.
 */
export function levelStep({ min, max }: Bounds, height: number, decimals: number): Step {
  const seen = stepOfAtLeast((max - min) / Math.max(1, height))
  const published = Number(`1e-${decimals}`)
  return seen.size >= published ? seen : { size: published, decimals }
}

/** The multiple of the step nearest to a value, with the index's decimals. */
export function levelNear(value: number, step: Step, decimals: number): DecimalText {
  return toText(Math.round(value / step.size) * step.size, decimals)
}
