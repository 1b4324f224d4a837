import { afterEach, expect, test, vi } from 'vitest'
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

afterEach(() => void vi.unstubAllGlobals())

/** A plot on a canvas that records the paths and texts drawn. A 1 is narrower than other digits. */
function create() {
  const frames: (() => void)[] = []
  const timeline = { currentTime: 0 }
  vi.stubGlobal('requestAnimationFrame', (run: () => void) => frames.push(run))
  vi.stubGlobal('cancelAnimationFrame', () => undefined)
  vi.stubGlobal('document', { timeline })
  vi.stubGlobal('Path2D', FakePath)
  const [strokes, fills]: Step[][][] = [[], []]
  const texts: string[] = []
  const [squares, ticks]: number[][] = [[], []]
  const gradients: [share: number, colour: string][][] = []
  const known: Record<string, unknown> = {
    stroke: (path?: FakePath) => path && strokes?.push(path.steps),
    fill: (path?: FakePath) => path && fills?.push(path.steps),
    rect: (_x: number, _y: number, width: number) => squares?.push(width),
    fillRect: (_x: number, _y: number, _width: number, height: number) => ticks?.push(height),
    fillText: (text: string) => texts.push(text),
    measureText: (text: string) => ({ width: 6 * text.length - 2 * (text.split('1').length - 1) }),
    createLinearGradient: () => {
      const stops: (typeof gradients)[number] = []
      gradients.push(stops)
      return { addColorStop: (share: number, colour: string) => stops.push([share, colour]) }
    },
  }
  const context = new Proxy(known, { get: (target, name: string) => target[name] ?? (() => undefined) })
  const canvas = { getContext: () => context, width: 400, height: 200, style: {} }
  known['canvas'] = canvas
  let area: PlotArea | undefined
  const plot = new PlotCanvas(canvas as unknown as HTMLCanvasElement, (next) => (area = next))
  const show = (stretches: Drawing['lines'][number]['stretches'], more: Partial<Drawing> = {}) =>
    plot.show({ ...drawingOf(stretches), ...more })
  return { plot, show, frames, timeline, strokes, fills, gradients, texts, squares, ticks, area: () => area }
}

/** A line with a baseline at 50, over 100 s and values from 0 to 100. */
function drawingOf(stretches: Drawing['lines'][number]['stretches']): Drawing {
  return {
    side: 'right',
    lines: [{ colour: 'up', stretches, baseline: { value: 50, below: 'down' } }],
    span: { fromMs: 0, toMs: 100_000 },
    bounds: { min: 0, max: 100 },
    timeTicks: [],
    valueTicks: [],
    hidden: '',
    colours: { up: 'rgb(1, 2, 3)', down: 'rgb(4, 5, 6)' } as Drawing['colours'],
  }
}

function drawn(stretches: Drawing['lines'][number]['stretches'], more?: Partial<Drawing>) {
  const { plot, show, area, ...recorded } = create()
  show(stretches, more)
  plot.drawNow()
  plot.destroy()
  return { ...recorded, area: area() }
}

test('the plot is as wide with narrow digits on its value axis as with wide ones', () => {
  const rightOf = (text: string) => drawn([], { tags: [text], valueTicks: [{ value: 50, label: text }] }).area?.right
  expect(rightOf('11,111.11')).toBe(rightOf('88,888.88'))
})

test('labels that a tag covers are not drawn', () => {
  const [valueTicks, timeTicks] = [[{ value: 25, label: '25' }], [{ value: 50_000, label: '13:30' }]]
  expect(drawn([], { valueTicks, timeTicks }).texts.sort()).toEqual(['13:30', '25'])
  expect(drawn([], { valueTicks, timeTicks, hidden: '25 50000' }).texts).toEqual([])
})

test('the label of zero is drawn if no tag covers it', () => {
  const valueTicks = [{ value: 0, label: '0' }]
  expect(drawn([], { valueTicks }).texts).toEqual(['0'])
  expect(drawn([], { valueTicks, hidden: '0' }).texts).toEqual([])
})

test('is drawn in the frame of its values, and once a frame', () => {
  const { show, frames, timeline, strokes } = create()
  const line = (value: number) => [[0, 100_000].map((atMs) => ({ atMs, value }))]
  show(line(10))
  expect(strokes).toHaveLength(0)
  frames.shift()?.()
  expect(strokes).toHaveLength(1)
  timeline.currentTime = 16
  show(line(20))
  expect(strokes).toHaveLength(2)
  show(line(30))
  show(line(40))
  expect([strokes?.length, frames.length]).toEqual([2, 1])
  timeline.currentTime = 32
  show(line(50))
  expect(strokes).toHaveLength(2)
  frames.shift()?.()
  expect(strokes).toHaveLength(3)
})

test('nothing joins two stretches, and each is filled to the baseline', () => {
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
      [x(0.2), y(0.5)],
      [x(0), y(0.5)],
    ],
    [
      [x(1), y(0.5)],
      [x(0.5), y(0.5)],
    ],
  ])
})

test('line and fill have one colour above the baseline and another below it', () => {
  const { gradients, area } = drawn([
    [
      { atMs: 0, value: 20 },
      { atMs: 100_000, value: 90 },
    ],
  ])
  const { top = 0, bottom = 0 } = area ?? {}
  const [line, fill] = gradients.slice(-2)
  // A line of 1.25 pixels on the baseline has the upper colour.
  const share = 0.5 + 0.625 / (bottom - top)
  expect(line).toEqual([
    [0, 'rgba(1, 2, 3, 1)'],
    [share, 'rgba(1, 2, 3, 1)'],
    [share, 'rgba(4, 5, 6, 1)'],
    [1, 'rgba(4, 5, 6, 1)'],
  ])
  expect(fill).toEqual([
    [0, 'rgba(1, 2, 3, 0.18)'],
    [0.5, 'rgba(1, 2, 3, 0)'],
    [0.5, 'rgba(4, 5, 6, 0)'],
    [1, 'rgba(4, 5, 6, 0.18)'],
  ])
})

test('more than twelve carried-forward values are ticks on the time axis', () => {
  const carried = (count: number) =>
    Array.from({ length: count }, (_, at) => ({ kind: 'carriedOver' as const, at: { atMs: at * 7_000, value: 50 } }))
  const few = drawn([], { marks: carried(12) })
  expect([few.squares?.filter((width) => width === 6).length, few.ticks?.filter((height) => height === 3)]).toEqual([
    12,
    [],
  ])
  const many = drawn([], { marks: carried(13) })
  expect([many.squares?.includes(6), many.ticks?.filter((height) => height === 3).length]).toEqual([false, 13])
})
