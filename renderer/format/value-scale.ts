/** Bounds, ticks and levels of the value axis. All are floats. None of them is a published value. */
import { writeOut } from '../../core/decimal'
import type { DecimalText } from '../../core/model'

export interface Bounds {
  readonly min: number
  readonly max: number
}

/** A round step: 1, 2 or 5 times a power of ten. `decimals` is the number that its multiples need. */
export interface Step {
  readonly size: number
  readonly decimals: number
}

const room = 0.08
const smallestShare = 1e-9
const maxDecimals = 30

/** The round steps in order: rank 0 is 1, then 2, 5, 10 and so on. */
function stepOfRank(rank: number): Step {
  const power = Math.floor(rank / 3)
  // Parsed from text, because 3 × 0.1 is not 0.3 in floats.
  const size = Number(`${[1, 2, 5][rank - 3 * power] ?? 1}e${power}`)
  return { size, decimals: Math.min(maxDecimals, Math.max(0, -power)) }
}

/** The smallest round step of at least `size`. */
function stepOfAtLeast(size: number): Step {
  const rank = 3 * Math.floor(Math.log10(size))
  const steps = [rank, rank + 1, rank + 2, rank + 3].map(stepOfRank)
  return steps.find((step) => step.size >= size * (1 - 1e-9)) ?? { size, decimals: maxDecimals }
}

/** Bounds around the lowest and the highest value, with some room. Below zero only if a value is. */
export function boundsOf({ low, high }: Readonly<Record<'low' | 'high', { value: number }>>): Bounds {
  const distance = high.value - low.value
  const size = Math.max(Math.abs(low.value), Math.abs(high.value))
  const around = distance > size * smallestShare ? distance * room : size * 0.001 || 1
  return { min: low.value < 0 ? low.value - around : Math.max(0, low.value - around), max: high.value + around }
}

/** A float as a decimal text. */
export function toText(value: number, decimals: number): DecimalText {
  const text = writeOut(value.toFixed(Math.min(maxDecimals, decimals)))
  return /[1-9]/.test(text) ? text : text.replace('-', '')
}

export interface ValueTick {
  value: number
  /** As many decimals as needed to tell the ticks apart. */
  text: DecimalText
}

/** Fewer would not show the scale. */
const minTicks = 4
/** Smallest distance between two labels; CSS pixels. */
const minTickDistance = 28

/** The first and the last multiple of a step within the bounds. A bound may miss a multiple by the error of floats. */
function multiplesOf(size: number, { min, max }: Bounds): { first: number; last: number } {
  return { first: Math.ceil(min / size - 1e-6), last: Math.floor(max / size + 1e-6) }
}

/** The rank of the largest round step with at least `minTicks` multiples within the bounds. */
function tickRank(bounds: Bounds): number {
  let rank = 3 * Math.ceil(Math.log10((bounds.max - bounds.min) / (minTicks - 1)))
  for (;;) {
    const { first, last } = multiplesOf(stepOfRank(rank).size, bounds)
    if (!(last - first + 1 < minTicks)) return rank
    rank--
  }
}

/** The ticks within the bounds. */
export function valueTicks(bounds: Bounds): ValueTick[] {
  const step = stepOfRank(tickRank(bounds))
  const { first, last } = multiplesOf(step.size, bounds)
  if (!Number.isFinite(first) || !Number.isFinite(last)) return []
  return Array.from({ length: last - first + 1 }, (_, at) => {
    const value = (first + at) * step.size
    return { value, text: toText(value, step.decimals) }
  })
}

/** Widens the bounds if the labels of an axis `height` CSS pixels high would be too close to each other. */
export function withRoomForTicks(bounds: Bounds, height: number): Bounds {
  const { min, max } = bounds
  const rank = tickRank(bounds)
  if ((stepOfRank(rank).size / (max - min)) * height >= minTickDistance) return bounds
  const { size } = stepOfRank(rank + 1)
  let { first, last } = multiplesOf(size, bounds)
  while (last - first + 1 < minTicks) {
    const isUpNearer = (last + 1) * size - max < min - (first - 1) * size
    if (isUpNearer || (first <= 0 && min >= 0)) last++
    else first--
  }
  return { min: Math.min(min, first * size), max: Math.max(max, last * size) }
}

/**
 * The step of a level that is moved: visible on a drawing `height` CSS pixels high, and not smaller than the index can
 * publish.
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

const levelShare = 0.005

export type Side = 'above' | 'below'

/**
 * The next round level at least half a percent above or below a value, with at most `decimals`. Returns the value itself if
 * it is 0 or the level would be 0.
 */
export function roundLevelFrom(value: DecimalText, side: Side, decimals = maxDecimals): DecimalText {
  const from = Number(value)
  const away = Math.abs(from) * levelShare
  if (away === 0 || !Number.isFinite(away)) return value
  const step = stepOfAtLeast(Math.max(away, Number(`1e-${decimals}`)))
  const steps = side === 'above' ? Math.ceil((from + away) / step.size) : Math.floor((from - away) / step.size)
  const level = toText(steps * step.size, step.decimals)
  return /[1-9]/.test(level) ? level : value
}

/** The place of a label that overlaps no other. */
export interface PlacedLabel {
  /** Middle of the label; CSS pixels from the top of the canvas. */
  y: number
  /** 0 for the first column. Further columns hold labels without room in it. */
  column: number
}

/**
 * Places labels `height` CSS pixels high near the `wanted` heights, between `top` and `bottom`. The result has the order of
 * `wanted`. The first column holds as many as it can. The labels of the next ones are taken evenly from top to bottom.
 */
export function placeLabels(
  wanted: readonly number[],
  { top, bottom, height }: { top: number; bottom: number; height: number },
): PlacedLabel[] {
  const rows = Math.max(1, Math.floor((bottom - top) / height))
  const placed = wanted.map((): PlacedLabel => ({ y: top, column: 0 }))
  let waiting = wanted.map((y, at) => ({ y, at })).sort((a, b) => a.y - b.y || a.at - b.at)
  for (let column = 0; waiting.length > 0; column++) {
    const count = waiting.length
    const left = Math.max(0, count - rows)
    const isNext = (place: number) => Math.floor(((place + 1) * left) / count) > Math.floor((place * left) / count)
    // Downwards each label is moved below the one above. Upwards they are then moved back above the bottom.
    let lowest = top - height / 2
    const down = waiting
      .filter((_, place) => !isNext(place))
      .map(({ y, at }) => {
        lowest = Math.max(y, lowest + height)
        return { y: lowest, at }
      })
    let highest = bottom + height / 2
    for (const { y, at } of down.reverse()) {
      highest = Math.min(y, highest - height)
      placed[at] = { y: highest, column }
    }
    waiting = waiting.filter((_, place) => isNext(place))
  }
  return placed
}

/**
 * Places labels like `placeLabels`, around a tag of the same height at `tagY`. Labels wanted above the tag stay above it,
 * others below, unless one side has no room.
 */
export function placeLabelsAround(
  wanted: readonly number[],
  room: { top: number; bottom: number; height: number },
  tagY: number | undefined,
): PlacedLabel[] {
  if (tagY === undefined) return placeLabels(wanted, room)
  const above = { ...room, bottom: Math.min(room.bottom, tagY - room.height / 2) }
  const below = { ...room, top: Math.max(room.top, tagY + room.height / 2) }
  const holds = ({ top, bottom }: typeof room): boolean => bottom - top >= room.height
  if (!holds(above) && !holds(below)) return placeLabels(wanted, room)
  const isAbove = wanted.map((y) => (holds(above) && holds(below) ? y < tagY : holds(above)))
  const placed = [false, true].map((side) =>
    placeLabels(
      wanted.filter((_, at) => isAbove[at] === side),
      side ? above : below,
    ).values(),
  )
  return isAbove.flatMap((side) => placed[side ? 1 : 0]?.next().value ?? [])
}
