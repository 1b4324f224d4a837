/** The figures of docs/performance/curves.json as a file, as tables in docs/performance.md and as drawings; pure. */
import { format } from 'prettier'
import { curves, type AllMeasured, type Curve, type Measured, type Point } from './curves'

/** docs/performance/curves.json. */
export function curveFile(measured: AllMeasured): Promise<string> {
  // In the order of the page, whichever was measured last.
  const ordered = Object.fromEntries(curves.map(({ name }) => [name, measured[name]]))
  return format(JSON.stringify(ordered), { parser: 'json', printWidth: 120 })
}

const marks = {
  start: '<!-- Made by `npm run curves` from performance/curves.json. -->',
  end: '<!-- End of curves. -->',
}

/** The text of docs/performance.md with these figures between its marks. */
export function withCurves(text: string, measured: AllMeasured): string {
  const start = text.indexOf(marks.start)
  const end = text.indexOf(marks.end)
  if (start === -1 || end < start) throw new Error('docs/performance.md has no place for curves')
  const sections = curves.flatMap((curve) => section(curve, measured[curve.name]))
  return `${text.slice(0, start)}${[marks.start, ...sections, ''].join('\n\n')}${text.slice(end)}`
}

function section(curve: Curve, measured: Measured | undefined): string[] {
  if (measured === undefined) return []
  const { at, machine, load, points } = measured
  const columns = [curve.size, ...curve.figures]
  const line = (cells: readonly string[]) => `| ${cells.join(' | ')} |`
  const table = [
    line(columns.map(headOf)),
    line(columns.map(() => '-:')),
    ...points.map((point) => line(columns.map(({ key }) => shown(point[key])))),
  ].join('\n')
  const when = `${at}, load ${load[0]}, at the end ${load[1]}; ${machine}.`
  const picture = `![${curve.title}, drawn from the table above](performance/${curve.name}.svg)`
  return [
    `### ${curve.title}`,
    curve.words,
    table,
    ...(curve.isLogarithmic ? [growth(curve, points)] : []),
    picture,
    when,
  ]
}

/** How many times the figures are, that are drawn, for how many times the size. */
function growth({ size, figures, panels }: Curve, points: readonly Point[]): string {
  const first = points[0] ?? {}
  const last = points.at(-1) ?? {}
  const times = ({ key }: { key: string }) => `× ${shown((last[key] ?? 0) / (first[key] ?? 0))}`
  const drawn = figures.filter(({ key }) => panels.flat().includes(key))
  return `${size.label} ${times(size)}: ${drawn.map((figure) => `${figure.label} ${times(figure)}`).join(', ')}.`
}

function headOf({ label, unit }: { label: string; unit?: string }): string {
  return unit === undefined ? label : `${label}, ${unit}`
}

/** Three digits that say something, never fewer than the whole number has. */
function shown(figure = Number.NaN): string {
  const digits = figure === 0 ? 0 : Math.max(0, 2 - Math.floor(Math.log10(figure)))
  const isWhole = Number.isInteger(figure)
  return figure.toLocaleString('en-GB', {
    maximumFractionDigits: digits,
    minimumFractionDigits: isWhole ? 0 : digits,
  })
}

const frame = { width: 430, height: 300, left: 64, right: 22, top: 52, bottom: 50 }
const colours = ['#2563eb', '#b45309', '#15803d']
const ink = { text: '#1f2430', quiet: '#5b6472', line: '#e1e5ea', guide: '#8a93a0', ground: '#ffffff' }

/** A picture of a curve, with a ground of its own: it is read on light pages and on dark ones. */
export function curveSvg(curve: Curve, points: readonly Point[]): string {
  const width = curve.panels.length * frame.width
  const panels = curve.panels.map(
    (keys, at) => `<g transform="translate(${at * frame.width} 0)">\n${panel(curve, keys, points)}\n</g>`,
  )
  return [
    `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${width} ${frame.height}" width="${width}" height="${frame.height}" font-family="system-ui, sans-serif" font-size="12" fill="${ink.text}">`,
    `<title>${curve.title}</title>`,
    `<rect width="${width}" height="${frame.height}" rx="6" fill="${ink.ground}"/>`,
    ...panels,
    '</svg>\n',
  ].join('\n')
}

function panel({ size, figures, isLogarithmic }: Curve, keys: readonly string[], points: readonly Point[]): string {
  const drawn = figures.filter(({ key }) => keys.includes(key))
  const sizes = points.map((point) => point[size.key] ?? 0)
  const all = points.flatMap((point) => keys.map((key) => point[key] ?? 0))
  const bottom = frame.height - frame.bottom
  const right = frame.width - frame.right
  const x = isLogarithmic
    ? logarithmic([Math.min(...sizes), Math.max(...sizes)], [frame.left + 8, right - 8], 1)
    : linear([0, Math.max(...sizes)], [frame.left, right])
  const y = isLogarithmic
    ? logarithmic([Math.min(...all), Math.max(...all)], [bottom, frame.top], 2)
    : linear([0, Math.max(...all)], [bottom, frame.top])
  const text = (atX: number, atY: number, words: string, more: string) =>
    `<text x="${px(atX)}" y="${px(atY)}" ${more}>${words}</text>`
  const quiet = `fill="${ink.quiet}"`
  const grid = y.ticks.flatMap((tick) => [
    `<path d="M${frame.left} ${px(y.at(tick))}H${right}" stroke="${ink.line}"/>`,
    text(frame.left - 8, y.at(tick) + 4, shown(tick), `text-anchor="end" ${quiet}`),
  ])
  // A number that the next one stands on is left out.
  const isApart = (tick: number, no: number, ticks: readonly number[]) => {
    return x.at(ticks[no + 1] ?? Infinity) - x.at(tick) > 44
  }
  const labels = (isLogarithmic ? sizes : x.ticks)
    .filter(isApart)
    .map((tick) => text(x.at(tick), bottom + 18, shown(tick), `text-anchor="middle" ${quiet}`))
  const lines = drawn.map(({ key }, no) => {
    const places = points.map((point, place) => [x.at(sizes[place] ?? 0), y.at(point[key] ?? 0)] as const)
    const path = places.map(([left, top]) => `${px(left)} ${px(top)}`).join('L')
    const dots = places.map(([left, top]) => dot(no, left, top)).join('')
    return `<path d="M${path}" fill="none" stroke="${colours[no]}" stroke-width="2"/>${dots}`
  })
  let legendX = frame.left
  const legend = drawn.map(({ label }, no) => {
    const word = `${dot(no, legendX + 4, 32)}${text(legendX + 14, 36, label, '')}`
    legendX += 34 + label.length * 6.4
    return word
  })
  const unit = drawn[0]?.unit
  return [
    ...(isLogarithmic
      ? [guide({ x, y }, sizes, Math.max(...keys.map((key) => points.at(-1)?.[key] ?? 0)), [bottom, frame.top])]
      : []),
    ...grid,
    `<path d="M${frame.left} ${bottom}H${right}" stroke="${ink.guide}"/>`,
    ...labels,
    ...lines,
    ...legend,
    text((frame.left + right) / 2, frame.height - 12, headOf(size), 'text-anchor="middle"'),
    text(frame.left - 8, 36, unit ?? '', 'text-anchor="end"'),
  ].join('\n')
}

/** Each line has marks of its own shape, for those who do not see the colours apart. */
function dot(no: number, x: number, y: number): string {
  const fill = `fill="${colours[no]}"`
  if (no === 0) return `<circle cx="${px(x)}" cy="${px(y)}" r="3.5" ${fill}/>`
  const turned = no === 1 ? '' : ` transform="rotate(45 ${px(x)} ${px(y)})"`
  return `<rect x="${px(x - 3.2)}" y="${px(y - 3.2)}" width="6.4" height="6.4" ${fill}${turned}/>`
}

/** The line of what grows as its size does, up to the largest figure: it is as steep wherever it stands. */
function guide({ x, y }: Record<'x' | 'y', Scale>, sizes: readonly number[], last: number, [bottom]: Ends): string {
  const largest = Math.max(...sizes)
  const least = Math.min(...sizes)
  const lowest = y.ticks[0] ?? last
  // It leaves the picture at its side or below.
  const from = Math.max(least, (largest * lowest) / last)
  const ends = `M${px(x.at(from))} ${px(Math.min(bottom, y.at((last * from) / largest)))}L${px(x.at(largest))} ${px(y.at(last))}`
  return `<path d="${ends}" stroke="${ink.guide}" stroke-dasharray="4 4"><title>What grows as its size does</title></path>`
}

type Ends = readonly [number, number]

interface Scale {
  readonly at: (figure: number) => number
  readonly ticks: readonly number[]
}

/** From a tick at or below the least figure to one at or above the largest, in `steps` to a decade, at least one apart. */
function logarithmic([least, largest]: Ends, [start, end]: Ends, steps: number): Scale {
  const parts = steps === 1 ? [1] : [1, 2, 5]
  const exponents = Array.from({ length: 14 }, (_, no) => no - 5)
  const possible = exponents.flatMap((exponent) => parts.map((part) => part * 10 ** exponent))
  // The sizes have marks of their own: their ends are the ends of the axis.
  const from = steps === 1 ? least : (possible.findLast((tick) => tick <= least) ?? least)
  const to = steps === 1 ? largest : (possible.find((tick) => tick >= largest && tick > from * 4) ?? largest)
  const between = possible.filter((tick) => tick >= from * 0.999 && tick <= to * 1.001)
  const isCrowded = between.length > 8
  const decades = between.filter((tick) => Number.isInteger(Math.round(Math.log10(tick) * 1e6) / 1e6))
  return {
    at: (figure) => start + ((end - start) * Math.log(figure / from)) / Math.log(to / from),
    ticks: isCrowded ? decades : between,
  }
}

function linear([from, largest]: Ends, [start, end]: Ends): Scale {
  const rough = (largest - from) / 5
  const decade = 10 ** Math.floor(Math.log10(rough))
  const step = ([1, 2, 5, 10].find((part) => part * decade >= rough) ?? 10) * decade
  const count = Math.ceil((largest - from) / step)
  const to = from + count * step
  return {
    at: (figure) => start + ((end - start) * (figure - from)) / (to - from),
    ticks: Array.from({ length: count + 1 }, (_, no) => from + no * step),
  }
}

const px = (place: number) => Number(place.toFixed(1))
