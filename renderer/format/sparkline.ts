/** A small line: its SVG path and its end. */
export interface Sparkline {
  path: string
  /** The part before that, up to its first point. */
  earlier?: string
  /** The last point, if it has a value; CSS pixels. */
  end?: { x: number; y: number }
  direction: 'up' | 'down' | 'flat'
}

type Points = readonly (number | null)[]

/** The values of these places, cut at gaps. */
function runsBetweenGaps(points: Points, from: number, to: number): { at: number; value: number }[][] {
  const runs: { at: number; value: number }[][] = []
  let isGap = true
  for (let at = from; at <= to; at++) {
    const value = points[at] ?? null
    if (value !== null) {
      if (isGap) runs.push([])
      runs.at(-1)?.push({ at, value })
    }
    isGap = value === null
  }
  return runs
}

/**
 * Draws `points` (oldest first, `null` is a gap) into `width` × `height` CSS pixels. A value between two gaps is a dot.
 * What is before the place `from` is a path of its own. Undefined if there are fewer than two values.
 */
export function sparkline(points: Points, width: number, height: number, from = 0): Sparkline | undefined {
  const values = points.filter((point) => point !== null)
  const first = values[0]
  const last = values.at(-1)
  if (values.length < 2 || first === undefined || last === undefined) return undefined
  const min = Math.min(...values)
  const span = Math.max(...values) - min
  const margin = 1.5
  const x = (at: number) => ((at / (points.length - 1)) * width).toFixed(1)
  const y = (value: number) =>
    (span === 0 ? height / 2 : height - margin - ((value - min) / span) * (height - 2 * margin)).toFixed(1)
  const draw = (start: number, last: number) =>
    runsBetweenGaps(points, start, last)
      .map((run) => `M${run.map(({ at, value }) => `${x(at)} ${y(value)}`).join('L')}${run.length === 1 ? 'h0.1' : ''}`)
      .join('')
  const path = draw(from, points.length - 1)
  const end = points.at(-1) === null ? undefined : { x: width, y: Number(y(last)) }
  return {
    path,
    ...(from > 0 && { earlier: draw(0, from) }),
    ...(end && { end }),
    direction: last > first ? 'up' : last < first ? 'down' : 'flat',
  }
}
