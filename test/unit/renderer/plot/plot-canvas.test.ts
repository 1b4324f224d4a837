import { expect, test, vi } from 'vitest'
import { PlotCanvas, type Drawing } from '../../../../renderer/plot/plot-canvas'
import type { PlotArea } from '../../../../renderer/plot/plot-area'

type Step = [x: number, y: number]

class FakePath {
  readonly steps: Step[]

  constructor(from?: FakePath) {
    this.steps = [...(from?.steps ?? [])]
  }

  lineTo(x: number, y: number): void {
    this.steps.push([x, y])
  }
}

/** The paths that a line strokes and fills, over 100 s and values from 0 to 100. */
function drawn(stretches: Drawing['lines'][number]['stretches']) {
  vi.stubGlobal('requestAnimationFrame', () => 1)
  vi.stubGlobal('cancelAnimationFrame', () => undefined)
  vi.stubGlobal('Path2D', FakePath)
  const [strokes, fills]: Step[][][] = [[], []]
  const known: Record<string, unknown> = {
    stroke: (path?: FakePath) => path && strokes?.push(path.steps),
    fill: (path?: FakePath) => path && fills?.push(path.steps),
    measureText: (text: string) => ({ width: 6 * text.length }),
    createLinearGradient: () => ({ addColorStop: () => undefined, [Symbol.toStringTag]: 'CanvasGradient' }),
  }
  const context = new Proxy(known, { get: (target, name: string) => target[name] ?? (() => undefined) })
  const canvas = { getContext: () => context, width: 400, height: 200, style: {} }
  known['canvas'] = canvas
  let area: PlotArea | undefined
  const plot = new PlotCanvas(canvas as unknown as HTMLCanvasElement, (next) => (area = next))
  plot.show({
    side: 'right',
    lines: [{ colour: 'up', stretches, isFilled: true }],
    span: { fromMs: 0, toMs: 100_000 },
    bounds: { min: 0, max: 100 },
    timeTicks: [],
    valueTicks: [],
    colours: { up: 'rgb(1, 2, 3)' } as Drawing['colours'],
  })
  plot.drawNow()
  plot.destroy()
  vi.unstubAllGlobals()
  return { strokes, fills, area }
}

test('nothing joins two stretches, and each is filled down to the foot of the plot', () => {
  const { strokes, fills, area } = drawn([
    [
      { atMs: 0, value: 50 },
      { atMs: 20_000, value: 100 },
    ],
    [
      { atMs: 50_000, value: 50 },
      { atMs: 100_000, value: 0 },
    ],
  ])
  const { left = 0, right = 0, top = 0, bottom = 0 } = area ?? {}
  const [x, y] = [(share: number) => left + share * (right - left), (share: number) => bottom - share * (bottom - top)]
  expect(strokes).toEqual([
    [
      [x(0), y(0.5)],
      [x(0.2), y(1)],
    ],
    [
      [x(0.5), y(0.5)],
      [x(1), y(0)],
    ],
  ])
  expect(fills?.map((path) => path.slice(-2))).toEqual([
    [
      [x(0.2), bottom],
      [x(0), bottom],
    ],
    [
      [x(1), bottom],
      [x(0.5), bottom],
    ],
  ])
})
