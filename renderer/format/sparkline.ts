/** A small line: its SVG path and its end. */
export interface Sparkline {
  path: string
  /** The last point, if it has a value; CSS pixels. */
  end?: { x: number; y: number }
  direction: 'up' | 'down' | 'flat'
}

type Points = readonly (number | null)[]

function runsBetweenGaps(points: Points): { at: number; value: number }[][] {
  const runs: { at: number; value: number }[][] = []
  let isGap = true
  for (const [at, value] of points.entries()) {
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
 * Undefined if there are fewer than two values.
 */
export function sparkline(points: Points, width: number, height: number): Sparkline | undefined {
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
  const path = runsBetweenGaps(points)
    .map((run) => `M${run.map(({ at, value }) => `${x(at)} ${y(value)}`).join('L')}${run.length === 1 ? 'h0.1' : ''}`)
    .join('')
  const end = points.at(-1) === null ? undefined : { x: width, y: Number(y(last)) }
  return { path, ...(end && { end }), direction: last > first ? 'up' : last < first ? 'down' : 'flat' }
}
