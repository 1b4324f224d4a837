import fc from 'fast-check'
import { afterEach, expect, test, vi } from 'vitest'
import type { Frame } from '../../../../renderer/plot/drawing'
import { drawLine } from '../../../../renderer/plot/line'

interface Step {
  kind: 'move' | 'line'
  x: number
  y: number
}

/** A path that can be read. */
class RecordedPath {
  readonly steps: Step[]

  constructor(other?: RecordedPath) {
    this.steps = [...(other?.steps ?? [])]
  }

  moveTo(x: number, y: number): void {
    this.steps.push({ kind: 'move', x, y })
  }

  lineTo(x: number, y: number): void {
    this.steps.push({ kind: 'line', x, y })
  }
}

afterEach(() => {
  vi.unstubAllGlobals()
})

const area = { left: 0, top: 0, right: 10, bottom: 100 }

interface Point {
  atMs: number
  value: number
}

/** What is stroked and filled of points between 0 and 100 s, at values between 0 and 100, on ten pixels. */
function drawn(stretches: Point[][], fill?: CanvasGradient): Record<'strokes' | 'fills', Step[][]> {
  vi.stubGlobal('Path2D', RecordedPath)
  const strokes: Step[][] = []
  const fills: Step[][] = []
  const nothing = () => undefined
  const context = {
    save: nothing,
    restore: nothing,
    beginPath: nothing,
    rect: nothing,
    clip: nothing,
    stroke: ({ steps }: RecordedPath) => strokes.push(steps),
    fill: ({ steps }: RecordedPath) => fills.push(steps),
  }
  const frame: Pick<Frame, 'span' | 'bounds'> = { span: { fromMs: 0, toMs: 100_000 }, bounds: { min: 0, max: 100 } }
  drawLine(
    context as unknown as CanvasRenderingContext2D,
    { stretches, valueOf: ({ value }: Point) => value, colour: 'red', ...(fill && { fill }) },
    frame as Frame,
    area,
  )
  return { strokes, fills }
}

test('every point has its place where each has a pixel of its own', () => {
  const { strokes } = drawn([
    [
      { atMs: 0, value: 50 },
      { atMs: 10_000, value: 75 },
      { atMs: 20_000, value: 0 },
    ],
  ])
  expect(strokes).toEqual([
    [
      { kind: 'move', x: 0, y: 50 },
      { kind: 'line', x: 1, y: 25 },
      { kind: 'line', x: 2, y: 100 },
    ],
  ])
})

test('the first, the lowest, the highest and the last point of each pixel are joined, however many there are', () =>
  fc.assert(
    fc.property(fc.array(fc.integer({ min: 0, max: 100 }), { minLength: 100, maxLength: 400 }), (values) => {
      const points = values.map((value, at) => ({ atMs: (at / values.length) * 100_000, value }))
      const steps = drawn([points]).strokes[0] ?? []
      for (let column = 0; column < 10; column++) {
        const within = points.filter(({ atMs }) => Math.trunc(atMs / 10_000) === column).map(({ value }) => 100 - value)
        const joined = steps.filter(({ x }) => Math.trunc(x) === column).map(({ y }) => Math.round(y))
        expect(joined.length).toBeLessThanOrEqual(4)
        if (within.length === 0) continue
        expect([joined[0], joined.at(-1)]).toEqual([within[0], within.at(-1)])
        expect([Math.min(...joined), Math.max(...joined)]).toEqual([Math.min(...within), Math.max(...within)])
      }
    }),
  ))

test('nothing joins two stretches, and what is filled goes down to the foot of the plot', () => {
  const stretches = [[{ atMs: 0, value: 50 }], [{ atMs: 50_000, value: 50 }]]
  const { strokes, fills } = drawn(stretches, {} as CanvasGradient)
  expect(strokes.map((steps) => steps.filter(({ kind }) => kind === 'move'))).toEqual([
    [{ kind: 'move', x: 0, y: 50 }],
    [{ kind: 'move', x: 5, y: 50 }],
  ])
  expect(fills.map((steps) => steps.at(-1))).toEqual([
    { kind: 'line', x: 0, y: 100 },
    { kind: 'line', x: 5, y: 100 },
  ])
})
