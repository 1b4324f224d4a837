import { expect, test, vi } from 'vitest'
import { PlotCanvas, type Drawing } from '../../../../renderer/plot/plot-canvas'
import type { PlotArea } from '../../../../renderer/plot/plot-area'

type Step = [kind: 'moveTo' | 'lineTo', x: number, y: number]

/** What is stroked and filled in the colour of a line, over 100 s and values from 0 to 100. */
function drawn(stretches: Drawing['lines'][number]['stretches']) {
  vi.stubGlobal('requestAnimationFrame', () => 1)
  vi.stubGlobal('cancelAnimationFrame', () => undefined)
  const [strokes, fills]: Step[][][] = [[], []]
  let path: Step[] = []
  const gradient = { addColorStop: () => undefined, [Symbol.toStringTag]: 'CanvasGradient' }
  const known: Record<string, unknown> = {
    beginPath: () => (path = []),
    moveTo: (x: number, y: number) => path.push(['moveTo', x, y]),
    lineTo: (x: number, y: number) => path.push(['lineTo', x, y]),
    stroke: () => known['strokeStyle'] === 'rgb(1, 2, 3)' && strokes?.push(path),
    fill: () => known['fillStyle'] === gradient && fills?.push(path),
    measureText: (text: string) => ({ width: 6 * text.length }),
    createLinearGradient: () => gradient,
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
  expect(strokes?.flat().filter(([kind]) => kind === 'moveTo')).toEqual([
    ['moveTo', x(0), y(0.5)],
    ['moveTo', x(0.5), y(0.5)],
  ])
  expect(fills?.map((path) => Math.max(...path.map(([, , at]) => at)))).toEqual([bottom, bottom])
})
